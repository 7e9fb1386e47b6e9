// Date fields and time fields have the day and the minute of a wall clock in the viewer's time zone. When clocks are set back, an
// hour comes twice; when they are set forward, one doesn't come at all.

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** Returns an instant as the values of a date field and a time field: the local day and minute, with a T between. */
export function fieldTime(instant: string | number): string {
  const when = new Date(instant);
  const padTwo = (value: number) => String(value).padStart(2, '0');
  const date = `${when.getFullYear()}-${padTwo(when.getMonth() + 1)}-${padTwo(when.getDate())}`;
  return `${date}T${padTwo(when.getHours())}:${padTwo(when.getMinutes())}`;
}

const offsetAt = (instant: number) => new Date(instant).getTimezoneOffset() * MINUTE;

/** Returns the instants of a local time, such as `2026-11-18T10:30`, in order: one, two if it came twice, none if it didn't come. */
export function instantsOf(local: string): number[] {
  const asUtc = Date.parse(`${local}Z`);
  if (Number.isNaN(asUtc)) return [];
  // The clocks are the same all day before a change of them, and all day after it.
  const candidates = [Date.parse(local), ...[asUtc - DAY, asUtc + DAY].map((instant) => asUtc + offsetAt(instant))];
  return [...new Set(candidates)].filter((instant) => fieldTime(instant) === local).toSorted((a, b) => a - b);
}

/** Which of the instants of a local time that came twice is meant. */
export type Which = 'first' | 'second';

/**
 * Returns the instant of a local time; null if it didn't come. Of two, it is the one that is chosen, or else the one at which the
 * clocks were as they were before the edit of an instant.
 */
export function instantOf(local: string, { which, near }: { which?: Which | undefined; near: number }): number | null {
  const instants = instantsOf(local);
  const [first = null, second = null] = instants;
  if (first === null || second === null) return first;
  if (which !== undefined) return which === 'first' ? first : second;
  return offsetAt(near) === offsetAt(second) ? second : first;
}
