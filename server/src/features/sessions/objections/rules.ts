import type { Interval } from '../rules.ts';

/** A session that its member has edited or removed, or whose start was added late. */
export interface EditedSession {
  id: number;
  /** The times to restore. */
  recorded: Interval;
  /** The times that count; null if it was removed. */
  current: Interval | null;
}

export interface RestoredSession {
  id: number;
  /** The times that count from now on; null if others leave none of them. */
  times: Interval | null;
  /** The part in closed months, which stays as a session of its own; null if there is none, or it goes on into `times`. */
  kept: Interval | null;
}

const overlap = (one: Interval, other: Interval) => one.startedAt < other.endedAt && one.endedAt > other.startedAt;

const isSame = (one: Interval | null, other: Interval | null) =>
  one?.startedAt.getTime() === other?.startedAt.getTime() && one?.endedAt.getTime() === other?.endedAt.getTime();

const partSince = ({ startedAt, endedAt }: Interval, since: Date): Interval | null =>
  startedAt >= since ? { startedAt, endedAt } : endedAt > since ? { startedAt: since, endedAt } : null;

const partBefore = ({ startedAt, endedAt }: Interval, since: Date): Interval | null =>
  startedAt >= since ? null : { startedAt, endedAt: endedAt < since ? endedAt : since };

/** Returns what a stretch leaves of another; the longer part of two. */
function without(times: Interval, taken: Interval): Interval | null {
  if (!overlap(times, taken)) return times;
  const parts = [
    { startedAt: times.startedAt, endedAt: taken.startedAt },
    { startedAt: taken.endedAt, endedAt: times.endedAt },
  ].filter(({ startedAt, endedAt }) => startedAt < endedAt);
  const length = ({ startedAt, endedAt }: Interval) => endedAt.getTime() - startedAt.getTime();
  return parts.toSorted((one, other) => length(other) - length(one))[0] ?? null;
}

/**
 * Returns the sessions to restore for an objection, and their times, given a share's sessions: the objected one, and each whose times
 * overlap recorded times that are restored. Closed months stay as they are. Recorded times never overlap each other, but for starts
 * that were added late: those give way to what was recorded before, so that no time counts twice. Undefined if a session could
 * only give way with times of a closed month. Source: docs/how-costs-are-split.md.
 */
export function sessionsToRestore(
  edited: readonly EditedSession[],
  objectedId: number,
  openSince: Date,
): RestoredSession[] | undefined {
  const pending = edited.filter(({ id }) => id === objectedId);
  const restored = new Set(pending);
  for (const { recorded } of pending) {
    const part = partSince(recorded, openSince);
    if (!part) continue;
    for (const other of edited)
      if (!restored.has(other) && other.current && overlap(other.current, part)) {
        if (!partSince(other.recorded, openSince)) return undefined;
        restored.add(other);
        // The loop visits what is added while it runs.
        pending.push(other);
      }
  }
  const taken: Interval[] = [];
  return pending
    .toSorted((one, other) => one.id - other.id)
    .map(({ id, recorded, current }) => {
      const open = partSince(recorded, openSince);
      const part = taken.reduce<Interval | null>((left, each) => left && without(left, each), open);
      if (part) taken.push(part);
      const closed = current && partBefore(current, openSince);
      return isSame(closed, partBefore(recorded, openSince)) && isSame(part, open)
        ? { id, times: recorded, kept: null }
        : { id, times: part ?? closed, kept: part && closed };
    });
}
