import { dateFormat } from '../i18n/language.ts';

// Months are `YYYY-MM` in the asset's time zone. They are formatted in UTC so that the viewer's time zone can't shift
// them.

/** '2026-01' and -1 → '2025-12' */
export function monthAfter(month: string, months: number): string {
  const date = startOf(month);
  date.setUTCMonth(date.getUTCMonth() + months);
  return date.toISOString().slice(0, 7);
}

/** '2025-12' and '2026-02' → 2 */
export const monthsBetween = (first: string, last: string): number =>
  (Number(last.slice(0, 4)) - Number(first.slice(0, 4))) * 12 + Number(last.slice(5, 7)) - Number(first.slice(5, 7));

const startOf = (month: string) => new Date(`${month}-01T00:00:00Z`);

/** '2026-11' → "November 2026", in the page's language. */
export const monthText = (month: string): string =>
  dateFormat({ month: 'long', year: 'numeric', timeZone: 'UTC' }).format(startOf(month));

/** '2026-11' → "Nov 2026", in the page's language. */
export const monthShort = (month: string): string =>
  dateFormat({ month: 'short', year: 'numeric', timeZone: 'UTC' }).format(startOf(month));

/** '2026-11' → "November", in the page's language. */
export const monthName = (month: string): string =>
  dateFormat({ month: 'long', timeZone: 'UTC' }).format(startOf(month));

/** '2026-11-03' → "November 3", in the page's language. */
export const dateText = (date: string): string => dateAs(date, {});

/** '2026-11-03' → "Nov 3", in the page's language. */
export const dateShort = (date: string): string =>
  dateFormat({ month: 'short', day: 'numeric', timeZone: 'UTC' }).format(new Date(`${date}T00:00:00Z`));

/** '2025-11-03' → "November 3, 2025", in the page's language; without the year if it is the viewer's current one. */
export const pastDateText = (date: string): string =>
  dateAs(date, date.slice(0, 4) === thisMonth().slice(0, 4) ? {} : { year: 'numeric' });

const dateAs = (date: string, year: { year?: 'numeric' }): string =>
  dateFormat({ month: 'long', day: 'numeric', ...year, timeZone: 'UTC' }).format(new Date(`${date}T00:00:00Z`));

export const daysInMonth = (month: string): number =>
  new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5, 7)), 0)).getUTCDate();

/** Returns the viewer's current month. An asset in another time zone can be in the one before or after. */
export const thisMonth = (now = new Date()): string =>
  `${now.getFullYear()}-${String(now.getMonth() + 1).padStart(2, '0')}`;

/** Returns how many days of a month are left after the viewer's today. */
export function daysLeft(month: string, now = new Date()): number {
  const current = thisMonth(now);
  return month < current ? 0 : daysInMonth(month) - (month === current ? now.getDate() : 0);
}

/** Returns the fraction of the viewer's current month that has passed. */
export function monthPassed(now = new Date()): number {
  const start = new Date(now.getFullYear(), now.getMonth(), 1).getTime();
  const end = new Date(now.getFullYear(), now.getMonth() + 1, 1).getTime();
  return (now.getTime() - start) / (end - start);
}
