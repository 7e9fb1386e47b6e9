import { LATE_PRESS_HOURS, SAME_PRESS_SECONDS } from '@hourshare/contract/limits';
import { fillTemplate, SENTENCES, TEMPLATES } from '@hourshare/contract/sentences';
import type { LatePressRequest } from '@hourshare/contract/sessions';

/**
 * Returns when a start or an end was pressed, by the server's clock: as long ago as the device says. Problems by field if that is in
 * the future or too long ago.
 */
export function findPressTime(
  { at, client_time: clientTime }: LatePressRequest,
  now: Date,
): { pressed: Date } | { problems: Record<string, string[]> } {
  const ago = Date.parse(clientTime) - Date.parse(at);
  if (ago < 0) return { problems: { at: [SENTENCES.pressedInFuture] } };
  if (ago > LATE_PRESS_HOURS * 3_600_000)
    return { problems: { at: [fillTemplate(TEMPLATES.pressedTooLongAgo, { hours: LATE_PRESS_HOURS })] } };
  return { pressed: new Date(now.getTime() - ago) };
}

/** Returns whether a recorded instant is that of a press, as exactly as the clocks and the way to the server allow. */
export const isSamePress = (recorded: Date, pressed: Date): boolean =>
  Math.abs(recorded.getTime() - pressed.getTime()) <= SAME_PRESS_SECONDS * 1000;

/** When sessions end without a press: at their limit, with their share, or when their asset is archived. */
export interface Ends {
  limit: Date;
  shareEndedAt: Date | null;
  archivedSince: Date | null;
}

/** Returns the earliest of the ends of a session. */
export const firstEnd = ({ limit, shareEndedAt, archivedSince }: Ends): Date =>
  new Date(Math.min(...[limit, shareEndedAt, archivedSince].flatMap((end) => (end ? [end.getTime()] : []))));

/** Returns what is wrong with the time of a late start, by field: the member had access then, and the asset wasn't archived. */
export function findPressProblems(
  pressed: Date,
  { sharedAt, shareEndedAt, archivedSince }: { sharedAt: Date } & Omit<Ends, 'limit'>,
): Record<string, string[]> {
  if (pressed < sharedAt) return { at: [SENTENCES.startBeforeAccess] };
  if (shareEndedAt !== null && pressed >= shareEndedAt) return { at: [SENTENCES.endAfterAccess] };
  if (archivedSince !== null && archivedSince <= pressed) return { at: [SENTENCES.assetWasArchived] };
  return {};
}
