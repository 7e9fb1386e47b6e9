import { Temporal } from 'temporal-polyfill';

export interface PlainDay {
  /** `YYYY-MM-DD` */
  date: string;
  from: number;
  to: number;
}

export interface PlainMonth {
  /** `YYYY-MM` */
  month: string;
  zone: string;
  begins: number;
  ends: number;
  days: PlainDay[];
}

/** A new zone that the owner sets at an instant. */
export interface PlainChange {
  at: Date;
  zone: string;
}

/** Returns a function that computes each value once, because thousands of random histories share months and zones. */
export function remember<T>(compute: (...parts: string[]) => T): (...parts: string[]) => T {
  const known = new Map<string, T>();
  return (...parts) => {
    const key = parts.join(' ');
    const value = known.get(key) ?? compute(...parts);
    known.set(key, value);
    return value;
  };
}

export const midnightOf = remember(
  (date, zone) => Temporal.PlainDate.from(date).toZonedDateTime(zone).epochMilliseconds,
);

/** Returns the dates of a month and the first one of the next. */
const calendarOf = remember((month) => {
  const first = Temporal.PlainDate.from(`${month}-01`);
  const dates = Array.from({ length: first.daysInMonth }, (_, days) => first.add({ days }).toString());
  return { dates, next: first.add({ months: 1 }).toString() };
});

/**
 * Returns an asset's months in order. Each starts where the previous one ends, ends by its own zone, and its first day
 * includes any hours that the zone puts before it.
 */
export function plainMonths(
  zone: string,
  changes: readonly PlainChange[],
  { first, last }: { first: string; last: string },
): PlainMonth[] {
  const months: PlainMonth[] = [];
  let month = first;
  let begins = midnightOf(`${first}-01`, zone);
  let currentZone = zone;
  while (month <= last) {
    const [monthZone, from] = [currentZone, begins];
    const { dates, next } = calendarOf(month);
    const midnight = (date: string) => Math.max(from, midnightOf(date, monthZone));
    const ends = midnight(next);
    const days = dates.map((date, index) => ({
      date,
      from: index === 0 ? from : midnight(date),
      to: midnight(dates[index + 1] ?? next),
    }));
    months.push({ month, zone: monthZone, begins: from, ends, days });
    for (const change of changes)
      if (change.at.getTime() >= from && change.at.getTime() < ends) currentZone = change.zone;
    [month, begins] = [next.slice(0, 7), ends];
  }
  return months;
}
