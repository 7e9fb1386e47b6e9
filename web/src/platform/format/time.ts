import { browserTimeZone } from '../i18n/browser-time-zone.ts';
import { formatNumber } from './numbers.ts';
import { dateFormat, listFormat } from '../i18n/language.ts';
import { t } from '../i18n/messages.ts';

const SECOND = 1_000;
const MINUTE = 60;
const HOUR = 3_600;

/** Returns elapsed time as h:mm:ss. Never negative: clocks may differ slightly. */
export function clockText(elapsedMs: number): string {
  const seconds = Math.max(0, Math.floor(elapsedMs / SECOND));
  const padTwo = (value: number) => String(value).padStart(2, '0');
  return `${Math.floor(seconds / HOUR)}:${padTwo(Math.floor(seconds / MINUTE) % 60)}:${padTwo(seconds % MINUTE)}`;
}

/** 85 → "1 h 25 min", 0.2 → "under 1 min" */
export function durationText(minutes: number): string {
  return minutes > 0 && minutes < 0.5 ? t('under 1 min') : unitsText(Math.round(minutes) * MINUTE, t('0 min'));
}

/** 2212 → "36 min 52 s", 7200 → "2 h". Nothing is rounded. */
export const exactDuration = (seconds: number): string => unitsText(seconds, t('0 s'));

function unitsText(total: number, none: string): string {
  const hours = Math.floor(total / HOUR);
  const minutes = Math.floor(total / MINUTE) % 60;
  const seconds = total % MINUTE;
  const parts = [
    hours > 0 && t('{hours} h', { hours: formatNumber(hours) }),
    minutes > 0 && t('{minutes} min', { minutes: formatNumber(minutes) }),
    seconds > 0 && t('{seconds} s', { seconds: formatNumber(seconds) }),
  ].filter((part) => part !== false);
  return parts.length === 0 ? none : listFormat({ type: 'unit', style: 'narrow' }).format(parts);
}

/** Adds the year to a date that isn't of this one. */
const yearIfOther = (instant: string, now: number): { year?: 'numeric' } =>
  new Date(instant).getFullYear() === new Date(now).getFullYear() ? {} : { year: 'numeric' };

const startOfDay = (instant: Date) => new Date(instant.getFullYear(), instant.getMonth(), instant.getDate()).getTime();

const TIME = { hour: 'numeric', minute: '2-digit' } as const;

const timeText = (when: Date) => dateFormat(TIME).format(when);

/** Returns "7:12 PM", in the viewer's time zone. */
export const timeOfDay = (instant: string): string => timeText(new Date(instant));

/** Returns "Saturday, November 21", with the year if it isn't this one, in the viewer's time zone. */
export const weekdayText = (instant: string, now = Date.now()): string =>
  dateFormat({ weekday: 'long', month: 'long', day: 'numeric', ...yearIfOther(instant, now) }).format(
    new Date(instant),
  );

/** Returns how many days ago an instant was, in the viewer's time zone; 0 is today. */
export const daysAgo = (instant: string, now = Date.now()): number =>
  Math.round((startOfDay(new Date(now)) - startOfDay(new Date(instant))) / 86_400_000);

/** Returns "today, 7:12 PM", "yesterday, 7:12 PM" or "Nov 3, 7:12 PM", in the page's language and the viewer's time zone. */
export function momentText(instant: string, now = Date.now()): string {
  const when = new Date(instant);
  const time = timeText(when);
  const days = daysAgo(instant, now);
  if (days === 0) return t('today, {time}', { time });
  if (days === 1) return t('yesterday, {time}', { time });
  return dateFormat({ month: 'short', day: 'numeric', ...yearIfOther(instant, now), ...TIME }).format(when);
}

/** Returns "Nov 3, 2026, 7:12 PM", which stays true on paper, in the viewer's time zone. */
export const dateTimeText = (instant: string): string =>
  dateFormat({ year: 'numeric', month: 'short', day: 'numeric', ...TIME }).format(new Date(instant));

/** Returns "December 4", in the viewer's time zone. */
export const dayText = (instant: string): string =>
  dateFormat({ month: 'long', day: 'numeric' }).format(new Date(instant));

/** Returns "Dec 4", in the viewer's time zone. */
export const dayShort = (instant: string): string =>
  dateFormat({ month: 'short', day: 'numeric' }).format(new Date(instant));

/** Returns "December 4", with the year if it isn't this one. */
export const pastDayText = (instant: string, now = Date.now()): string =>
  dateFormat({ month: 'long', day: 'numeric', ...yearIfOther(instant, now) }).format(new Date(instant));

/** Returns the end of something shown next to its start: only the time if both are on the same day. */
export function endText(start: string, end: string, now = Date.now()): string {
  const when = new Date(end);
  return startOfDay(new Date(start)) === startOfDay(when) ? timeText(when) : momentText(end, now);
}

/** Returns "2:40 AM GMT+2", which tells two of the same wall-clock time apart. */
export const zonedTimeText = (instant: number): string =>
  dateFormat({ ...TIME, timeZoneName: 'short' }).format(new Date(instant));

/** Says that the clocks didn't show a time. */
export const skippedText = (): string => t("The clocks were set forward, so this time didn't come.");

/** Returns every time zone the browser knows, plus the given ones. Some browsers leave out UTC. */
export const timeZones = (...always: string[]): string[] =>
  [...new Set([...Intl.supportedValuesOf('timeZone'), ...always, browserTimeZone(), 'UTC'])].toSorted();

/** "America/New_York" → "America/New York" */
export const zoneText = (zone: string): string => zone.replaceAll('_', ' ');
