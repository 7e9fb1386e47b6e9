/** A day of a meter, in whole seconds. */
export interface Counted {
  /** `YYYY-MM-DD` */
  day: string;
  told: number;
  /** What others have of it: sessions, which may be the same seconds, and meters that fill the rest of the day. */
  covered: number;
  /** Whether the member removed it. */
  refused: boolean;
}

export interface Span {
  from: number;
  to: number;
}

/** Returns how many seconds of a stretch of time some others cover, rounded up. */
export function coveredSeconds(spans: readonly Span[], { from, to }: Span): number {
  let [ms, end] = [0, from];
  for (const span of spans.toSorted((one, other) => one.from - other.from)) {
    const until = Math.min(span.to, to);
    ms += Math.max(0, until - Math.max(span.from, end));
    end = Math.max(end, until);
  }
  return Math.ceil(ms / 1000);
}

/** Returns how many seconds of a day others have: sessions and, as far as what was told doesn't fit beside them, other meters. */
export const takenSeconds = (
  { from, to }: Span,
  { told, covered, others }: { told: number; covered: number; others: number },
): number => covered + Math.max(0, told + others - Math.floor((to - from) / 1000));

/** `YYYY-MM` */
export const monthOf = (day: string): string => day.slice(0, 7);

/**
 * Returns what counts of each day: what was told, minus what others have, in order, until the month's allowance is used up. `left`
 * is null without an allowance.
 */
export function capDays(days: readonly Counted[], left: ReadonlyMap<string, number> | null): Map<string, number> {
  const rest = new Map(left);
  const counted = new Map<string, number>();
  for (const { day, told, covered, refused } of days.toSorted((one, other) => (one.day < other.day ? -1 : 1))) {
    const month = monthOf(day);
    const uncovered = refused ? 0 : Math.max(0, told - covered);
    const seconds = left ? Math.min(uncovered, Math.max(0, rest.get(month) ?? 0)) : uncovered;
    rest.set(month, (rest.get(month) ?? 0) - seconds);
    counted.set(day, seconds);
  }
  return counted;
}
