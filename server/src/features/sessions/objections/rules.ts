import type { Interval } from '../rules.ts';

/** A session that its member has edited or removed. */
export interface EditedSession {
  id: number;
  recorded: Interval;
  /** The times that count; null if it was removed. */
  current: Interval | null;
}

const overlap = (one: Interval, other: Interval) => one.startedAt < other.endedAt && one.endedAt > other.startedAt;

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
