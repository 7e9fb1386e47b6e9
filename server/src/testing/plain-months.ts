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

/** Another zone that an owner asked for at an instant. */
export interface PlainChange {
  at: Date;
  zone: string;
}

/**
 * An asset's months from one to another, lived through one after the other: each begins where the last one ended, ends by
 * its own zone, and hands on the zone that was asked for last while it ran. Its first day takes what its zone would put
 * before it.
 */
export function plainMonths(
  zone: string,
  changes: readonly PlainChange[],
  { first, last }: { first: string; last: string },
): PlainMonth[] {
  const months: PlainMonth[] = [];
  let day = Temporal.PlainDate.from(`${first}-01`);
  let begins = day.toZonedDateTime(zone).epochMilliseconds;
  let inForce = zone;
  while (day.toString().slice(0, 7) <= last) {
    const [here, from] = [inForce, begins];
    const midnight = (date: Temporal.PlainDate) => Math.max(from, date.toZonedDateTime(here).epochMilliseconds);
    const next = day.add({ months: 1 });
    const ends = midnight(next);
    const days: PlainDay[] = [];
    for (let date = day; date.month === day.month; date = date.add({ days: 1 }))
      days.push({
        date: date.toString(),
        from: date.day === 1 ? from : midnight(date),
        to: midnight(date.add({ days: 1 })),
      });
    months.push({ month: day.toString().slice(0, 7), zone: here, begins: from, ends, days });
    for (const change of changes) if (change.at.getTime() >= from && change.at.getTime() < ends) inForce = change.zone;
    [day, begins] = [next, ends];
  }
  return months;
}
