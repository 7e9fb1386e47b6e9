import { LATE_PRESS_HOURS, SAME_PRESS_SECONDS } from '@hourshare/contract/limits';
import { sentence, type Sentence } from '@hourshare/contract/sentences';
import type { LatePressRequest } from '@hourshare/contract/sessions';
import type { Interval, TimeProblem } from '../rules.ts';

/**
 * Returns when a start or an end was pressed, by the server's clock: as long ago as the device says. The problem if that is in
 * the future or too long ago.
 */
export function findPressTime(
  { at, client_time: clientTime }: LatePressRequest,
  now: Date,
): { pressed: Date } | TimeProblem {
  const ago = Date.parse(clientTime) - Date.parse(at);
  if (ago < 0) return { field: 'at', problem: sentence('time_in_future') };
  if (ago > LATE_PRESS_HOURS * 3_600_000)
    return { field: 'at', problem: sentence('time_too_long_ago', { hours: LATE_PRESS_HOURS }) };
  return { pressed: new Date(now.getTime() - ago) };
}

/** Returns whether a recorded instant is that of a press, as exactly as the clocks and the way to the server allow. */
export const isSamePress = (recorded: Date, pressed: Date): boolean =>
  Math.abs(recorded.getTime() - pressed.getTime()) <= SAME_PRESS_SECONDS * 1000;

/**
 * Returns how much of the time that the server has seen an end pressed offline takes away, in milliseconds. If the start was pressed
 * offline, too, the server has seen nothing before it arrived, and nothing at all if the end arrived with it.
 */
export function takenByLateEnd(
  pressed: Date,
  { startedAt, startAddedAt, endedAt }: Interval & { startAddedAt: Date | null },
): number {
  const seenSince = Math.max(startedAt.getTime(), startAddedAt?.getTime() ?? 0);
  const taken = endedAt.getTime() - Math.max(pressed.getTime(), seenSince);
  const cameAlong = startAddedAt !== null && pressed < startAddedAt && taken <= SAME_PRESS_SECONDS * 1000;
  return cameAlong ? 0 : Math.max(0, taken);
}

/** When sessions end without a press: at their limit, with their share, or when their asset is archived or no longer measured. */
export interface Ends {
  limit: Date;
  shareEndedAt: Date | null;
  archivedSince: Date | null;
  unmeasuredSince: Date | null;
}

/** Returns the earliest of the ends of a session. */
export const firstEnd = ({ limit, shareEndedAt, archivedSince, unmeasuredSince }: Ends): Date =>
  new Date(
    Math.min(...[limit, shareEndedAt, archivedSince, unmeasuredSince].flatMap((end) => (end ? [end.getTime()] : []))),
  );

/** Returns what is wrong with the time of a late start, or undefined: the member had access then, and the asset wasn't archived. */
export function findPressProblem(
  pressed: Date,
  { sharedAt, shareEndedAt, archivedSince }: { sharedAt: Date } & Pick<Ends, 'shareEndedAt' | 'archivedSince'>,
): TimeProblem | undefined {
  const at = (problem: Sentence) => ({ field: 'at' as const, problem });
  if (pressed < sharedAt) return at(sentence('start_before_access'));
  if (shareEndedAt !== null && pressed >= shareEndedAt) return at(sentence('end_after_access'));
  if (archivedSince !== null && archivedSince <= pressed) return at(sentence('asset_was_archived'));
  return undefined;
}
