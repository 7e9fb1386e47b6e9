import { formattingLocale } from './language.ts';

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
  if (minutes > 0 && minutes < 0.5) return 'under 1 min';
  const whole = Math.round(minutes);
  const hours = Math.floor(whole / 60);
  const rest = whole % 60;
  if (hours === 0) return `${rest} min`;
  return rest === 0 ? `${hours} h` : `${hours} h ${rest} min`;
}

/** 2212 → "36 min 52 s", 7200 → "2 h". Nothing is rounded. */
export function exactDuration(seconds: number): string {
  const parts = [
    [Math.floor(seconds / HOUR), 'h'],
    [Math.floor(seconds / MINUTE) % 60, 'min'],
    [seconds % MINUTE, 's'],
  ] as const;
  const shown = parts.filter(([value]) => value > 0).map(([value, unit]) => `${value} ${unit}`);
  return shown.length === 0 ? '0 s' : shown.join(' ');
}

const startOfDay = (instant: Date) => new Date(instant.getFullYear(), instant.getMonth(), instant.getDate()).getTime();

const timeText = (when: Date) => when.toLocaleTimeString(formattingLocale(), { hour: 'numeric', minute: '2-digit' });

/** Returns "today, 7:12 PM", "yesterday, 7:12 PM" or "Nov 3, 7:12 PM", in the page's language and the viewer's time zone. */
export function momentText(instant: string, now = Date.now()): string {
  const when = new Date(instant);
  const time = timeText(when);
  const daysAgo = Math.round((startOfDay(new Date(now)) - startOfDay(when)) / 86_400_000);
  if (daysAgo === 0) return `today, ${time}`;
  if (daysAgo === 1) return `yesterday, ${time}`;
  const sameYear = when.getFullYear() === new Date(now).getFullYear();
  const day = when.toLocaleDateString(formattingLocale(), {
    month: 'short',
    day: 'numeric',
    ...(!sameYear && { year: 'numeric' }),
  });
  return `${day}, ${time}`;
}

/** Returns "December 4", in the viewer's time zone. */
export const dayText = (instant: string): string =>
  new Date(instant).toLocaleDateString(formattingLocale(), { month: 'long', day: 'numeric' });

/** Returns the end of something shown next to its start: only the time if both are on the same day. */
export function endText(start: string, end: string, now = Date.now()): string {
  const when = new Date(end);
  return startOfDay(new Date(start)) === startOfDay(when) ? timeText(when) : momentText(end, now);
}

/** Returns the viewer's IANA time zone; UTC in hardened browsers that hide it. */
export function browserTimeZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';
}

/** Returns every time zone the browser knows, plus the given ones. Some browsers leave out UTC. */
export const timeZones = (...always: string[]): string[] =>
  [...new Set([...Intl.supportedValuesOf('timeZone'), ...always, browserTimeZone(), 'UTC'])].toSorted();

/** "America/New_York" → "America/New York" */
export const zoneText = (zone: string): string => zone.replaceAll('_', ' ');
