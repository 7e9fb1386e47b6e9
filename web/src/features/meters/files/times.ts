/** Which of the first two numbers of a date such as `03/04/2026` is the day. */
export type DateOrder = 'dmy' | 'mdy';

const YEAR_FIRST = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/;
const YEAR_LAST = /^(\d{1,2})([-/.])(\d{1,2})[-/.](\d{4}|\d{2})$/;
const TIME =
  /^(\d{1,2})[:.](\d{2})(?:[:.](\d{2})(?:[.,](\d{1,9}))?)?\s*(?:([ap])\.?\s?m\.?)?\s*(Z|UTC|GMT|[+-]\d{2}:?\d{2})?$/i;

/** Returns in which order a column has dates; `otherwise` if all of them can be read in either. */
export function orderOf(dates: readonly string[], otherwise: DateOrder): DateOrder {
  for (const date of dates) {
    const [, first, separator, second] = YEAR_LAST.exec(dayOf(date)) ?? [];
    // Dots are between numbers in countries that begin with the day.
    if (separator === '.' || Number(first) > 12) return 'dmy';
    if (Number(second) > 12) return 'mdy';
  }
  return otherwise;
}

/** Returns the order that a language has dates in. */
export function orderIn(language: string): DateOrder {
  const parts = new Intl.DateTimeFormat(language).formatToParts(0);
  return parts.find(({ type }) => type === 'day' || type === 'month')?.type === 'month' ? 'mdy' : 'dmy';
}

const dayOf = (text: string) => text.trim().split(/[T,\s]/)[0] ?? '';

interface Reading {
  order: DateOrder;
  /** Whether times without an offset are UTC, or else those of this computer's clock. */
  isUtc?: boolean;
}

/** Returns the instant that a date with a time says, in milliseconds; undefined if that can't be read. */
export function readInstant(text: string, { order, isUtc = false }: Reading): number | undefined {
  const date = dayOf(text);
  const time = TIME.exec(
    text
      .trim()
      .slice(date.length)
      .replace(/^[T,\s]+/, ''),
  );
  const ymd = YEAR_FIRST.exec(date);
  const xxy = YEAR_LAST.exec(date);
  const [year, month, day] = ymd
    ? [ymd[1], ymd[2], ymd[3]]
    : order === 'dmy'
      ? [xxy?.[4], xxy?.[3], xxy?.[1]]
      : [xxy?.[4], xxy?.[1], xxy?.[3]];
  if (!time || year === undefined) return undefined;
  const [, hours, minutes, seconds = '0', fraction = '', half, offset] = time;
  const hour = half === undefined ? Number(hours) : (Number(hours) % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
  const numbers = [
    year.length === 2 ? 2000 + Number(year) : Number(year),
    Number(month) - 1,
    Number(day),
    hour,
    Number(minutes),
    Number(seconds),
    Number(fraction.padEnd(3, '0').slice(0, 3)),
  ] as const;
  const asUtc = Date.UTC(...numbers);
  const read = new Date(asUtc);
  // The 31st of a month that has 30 days, or the 13th month; or the year 1, which programs write for "not yet".
  if (read.getUTCDate() !== numbers[2] || read.getUTCMonth() !== numbers[1] || hour > 23 || numbers[0] < 100)
    return undefined;
  if (offset !== undefined) return asUtc - offsetOf(offset);
  return isUtc ? asUtc : new Date(...numbers).getTime();
}

function offsetOf(text: string): number {
  const [, sign, hours, minutes] = /^([+-])(\d{2}):?(\d{2})$/.exec(text) ?? [];
  return sign === undefined ? 0 : (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}

/** Returns how long `1:02:03` or a number of seconds is, in milliseconds; undefined if that can't be read. */
export function readDuration(text: string): number | undefined {
  if (/^\d+$/.test(text.trim())) return Number(text) * 1000;
  const [, hours, minutes, seconds] = /^(\d+):(\d{2}):(\d{2})$/.exec(text.trim()) ?? [];
  return hours === undefined ? undefined : (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000;
}
