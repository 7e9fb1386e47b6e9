import { sentence, type Sentence } from '@hourshare/contract/sentences';
import type { Interval, TimeProblem } from '../rules.ts';

/**
 * Returns what is wrong with the times of an edited session, or undefined. A session ends after it starts, not in the
 * future, while the share exists and its asset isn't `archived`, and within the limit it was started under. To an owner,
 * they are about someone without an account.
 */
export function findTimeProblem(
  { startedAt, endedAt }: Interval,
  {
    now,
    sharedAt,
    shareEndedAt,
    archived,
    limitMilliseconds,
    ofGuest = false,
  }: {
    now: Date;
    sharedAt: Date;
    shareEndedAt: Date | null;
    /** The first stretch of that time in which the asset was archived. */
    archived: { since: Date } | undefined;
    limitMilliseconds: number;
    ofGuest?: boolean;
  },
): TimeProblem | undefined {
  const start = (problem: Sentence) => ({ field: 'start_time' as const, problem });
  const end = (problem: Sentence) => ({ field: 'end_time' as const, problem });
  if (endedAt > now) return end(sentence('end_in_future'));
  if (endedAt <= startedAt) return end(sentence('end_before_start'));
  if (startedAt < sharedAt) return start(sentence(ofGuest ? 'their_start_before_access' : 'start_before_access'));
  if (shareEndedAt !== null && endedAt > shareEndedAt)
    return end(sentence(ofGuest ? 'their_end_after_access' : 'end_after_access'));
  if (archived) return (archived.since <= startedAt ? start : end)(sentence('asset_was_archived'));
  if (endedAt.getTime() - startedAt.getTime() > limitMilliseconds)
    return end(sentence('session_too_long', { hours: limitMilliseconds / 3_600_000 }));
  return undefined;
}

/** Returns the parts of a session's new times that it doesn't have yet. */
export function addedTimes(before: Interval, after: Interval): Interval[] {
  const parts =
    after.startedAt >= before.endedAt || after.endedAt <= before.startedAt
      ? [after]
      : [
          { startedAt: after.startedAt, endedAt: before.startedAt },
          { startedAt: before.endedAt, endedAt: after.endedAt },
        ];
  return parts.filter(({ startedAt, endedAt }) => startedAt < endedAt);
}
