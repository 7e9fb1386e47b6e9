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
  let day = Temporal.PlainDate.from(`${first}-01`);
  let begins = day.toZonedDateTime(zone).epochMilliseconds;
  let currentZone = zone;
  while (day.toString().slice(0, 7) <= last) {
    const [monthZone, from] = [currentZone, begins];
    const midnight = (date: Temporal.PlainDate) => Math.max(from, date.toZonedDateTime(monthZone).epochMilliseconds);
    const next = day.add({ months: 1 });
    const ends = midnight(next);
    const days: PlainDay[] = [];
    for (let date = day; date.month === day.month; date = date.add({ days: 1 }))
      days.push({
        date: date.toString(),
        from: date.day === 1 ? from : midnight(date),
        to: midnight(date.add({ days: 1 })),
      });
    months.push({ month: day.toString().slice(0, 7), zone: monthZone, begins: from, ends, days });
    for (const change of changes)
      if (change.at.getTime() >= from && change.at.getTime() < ends) currentZone = change.zone;
    [day, begins] = [next, ends];
  }
  return months;
}
