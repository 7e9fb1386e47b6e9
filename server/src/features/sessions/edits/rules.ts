import { fillTemplate, SENTENCES, TEMPLATES } from '@hourshare/contract/sentences';
import type { Interval } from '../rules.ts';

/**
 * Returns what is wrong with the times of an edited session, by field. A session ends after it starts, not in the
 * future, while the share exists and its asset isn't `archived`, and within the limit it was started under. To an owner,
 * they are about someone without an account.
 */
export function findTimeProblems(
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
): Record<string, string[]> {
  if (endedAt > now) return { end_time: [SENTENCES.endInFuture] };
  if (endedAt <= startedAt) return { end_time: [SENTENCES.endBeforeStart] };
  if (startedAt < sharedAt)
    return { start_time: [ofGuest ? SENTENCES.theirStartBeforeAccess : SENTENCES.startBeforeAccess] };
  if (shareEndedAt !== null && endedAt > shareEndedAt)
    return { end_time: [ofGuest ? SENTENCES.theirEndAfterAccess : SENTENCES.endAfterAccess] };
  if (archived) return { [archived.since <= startedAt ? 'start_time' : 'end_time']: [SENTENCES.assetWasArchived] };
  const limitHours = limitMilliseconds / 3_600_000;
  if (endedAt.getTime() - startedAt.getTime() > limitMilliseconds)
    return { end_time: [fillTemplate(TEMPLATES.sessionTooLong, { hours: limitHours })] };
  return {};
}
