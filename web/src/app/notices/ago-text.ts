import { currentLanguage, dateFormat } from '../../platform/i18n/language.ts';
import { daysAgo, pastDayText } from '../../platform/format/time.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Returns "now", "38 min. ago", "9:12 AM" or "November 12", in the page's language and the viewer's time zone. */
export function agoText(at: string, now: number): string {
  const elapsed = Math.max(0, now - Date.parse(at));
  const relative = new Intl.RelativeTimeFormat(currentLanguage(), { style: 'short', numeric: 'auto' });
  if (elapsed < MINUTE_MS) return relative.format(0, 'second');
  if (elapsed < HOUR_MS) return relative.format(-Math.floor(elapsed / MINUTE_MS), 'minute');
  if (daysAgo(at, now) > 1) return pastDayText(at, now);
  return dateFormat({ hour: 'numeric', minute: '2-digit' }).format(new Date(at));
}
