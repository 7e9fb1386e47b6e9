/** A day of a meter, in whole seconds. */
export interface Counted {
  /** `YYYY-MM-DD` */
  day: string;
  told: number;
  /** Whether the member removed it. */
  refused: boolean;
}

/** `YYYY-MM` */
export const monthOf = (day: string): string => day.slice(0, 7);

/**
 * Returns what counts of each day: in order, as much as is left of its month. Without `left`, all of it. Depends on the set of days
 * alone, not on the order in which they came.
 */
export function capDays(days: readonly Counted[], left: ReadonlyMap<string, number> | null): Map<string, number> {
  const rest = new Map(left);
  const counted = new Map<string, number>();
  for (const { day, told, refused } of days.toSorted((one, other) => (one.day < other.day ? -1 : 1))) {
    const month = monthOf(day);
    const seconds = refused ? 0 : left ? Math.min(told, Math.max(0, rest.get(month) ?? 0)) : told;
    rest.set(month, (rest.get(month) ?? 0) - seconds);
    counted.set(day, seconds);
  }
  return counted;
}
