import { LATE_PRESS_HOURS, SAME_PRESS_SECONDS } from '@hourshare/contract/limits';
import type { LatePressRequest } from '@hourshare/contract/sessions';
import { fillTemplate, SENTENCES, TEMPLATES } from '@hourshare/contract/sentences';

/** Returns the length of a session in minutes, rounded half up to two decimals. */
export const durationMinutes = (startedAt: Date, endedAt: Date): number =>
  Math.round((endedAt.getTime() - startedAt.getTime()) / 600) / 100;

export interface Stretch {
  startedAt: Date;
  endedAt: Date;
}

/**
 * Returns what is wrong with the times of an edited session, by field. A session ends after it starts, not in the
 * future, while the share exists and its asset isn't `archived`, and within the limit it was started under. To an owner,
 * they are about someone without an account.
 */
export function findTimeProblems(
  { startedAt, endedAt }: Stretch,
  {
    now,
    sharedAt,
    shareEndedAt,
    archived,
    limitMilliseconds,
    ofPerson = false,
  }: {
    now: Date;
    sharedAt: Date;
    shareEndedAt: Date | null;
    /** The first stretch of that time in which the asset was archived. */
    archived: { since: Date } | undefined;
    limitMilliseconds: number;
    ofPerson?: boolean;
  },
): Record<string, string[]> {
  if (endedAt > now) return { end_time: [SENTENCES.endInFuture] };
  if (endedAt <= startedAt) return { end_time: [SENTENCES.endBeforeStart] };
  if (startedAt < sharedAt)
    return { start_time: [ofPerson ? SENTENCES.theirStartBeforeAccess : SENTENCES.startBeforeAccess] };
  if (shareEndedAt !== null && endedAt > shareEndedAt)
    return { end_time: [ofPerson ? SENTENCES.theirEndAfterAccess : SENTENCES.endAfterAccess] };
  if (archived) return { [archived.since <= startedAt ? 'start_time' : 'end_time']: [SENTENCES.assetWasArchived] };
  const limitHours = limitMilliseconds / 3_600_000;
  if (endedAt.getTime() - startedAt.getTime() > limitMilliseconds)
    return { end_time: [fillTemplate(TEMPLATES.sessionTooLong, { hours: limitHours })] };
  return {};
}

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

/** A session that its member has edited or removed. */
export interface EditedSession {
  id: number;
  recorded: Stretch;
  /** The times that count; null if it was removed. */
  current: Stretch | null;
}

const overlap = (one: Stretch, other: Stretch) => one.startedAt < other.endedAt && one.endedAt > other.startedAt;

/**
 * Returns the ids of the sessions to restore for an objection, given all edited sessions of the share: the objected one, and each
 * whose edited times overlap recorded times that are restored. Recorded times never overlap each other, so no time counts twice.
 * Undefined if one of them reaches into a closed month, which can't change. Source: docs/how-costs-are-split.md.
 */
export function sessionsToRestore(
  edited: readonly EditedSession[],
  objectedId: number,
  openSince: Date,
): Set<number> | undefined {
  const pending = edited.filter(({ id }) => id === objectedId);
  const restored = new Set<number>(pending.map(({ id }) => id));
  for (const { recorded, current } of pending) {
    if (recorded.startedAt < openSince || (current && current.startedAt < openSince)) return undefined;
    for (const other of edited)
      if (!restored.has(other.id) && other.current && overlap(other.current, recorded)) {
        restored.add(other.id);
        // The loop visits what is added while it runs.
        pending.push(other);
      }
  }
  return restored;
}
