import type { Analytics } from '@hourshare/contract/analytics';
import { formatHours } from '../../lib/formatting.ts';
import { formattingLocale } from '../../lib/language.ts';
import { dateText, monthName } from '../../lib/months.ts';

/** Returns the projection for the current month in a sentence or two; empty when there is none. */
export function paceText({
  pace,
  month,
  total_usage: used,
  total_allocation: hours,
  remaining_hours: remaining,
}: Pick<Analytics, 'pace' | 'month' | 'total_usage' | 'total_allocation' | 'remaining_hours'>): string {
  if (!pace || used === 0) return '';
  const projected = `At this pace, use comes to ${formatHours(pace.projected_hours)} by the end of ${monthName(month)}`;
  if (hours > 0 && remaining === 0) return `The ${formatHours(hours)} are used up. ${projected}.`;
  if (pace.runs_out_on === null) return `${projected}.`;
  return `${projected}, and the ${formatHours(hours)} run out on ${dateText(pace.runs_out_on)}.`;
}

export interface Series {
  labels: string[];
  values: number[];
}

export const weeklySeries = (analytics: Pick<Analytics, 'weekly_usage'>): Series => ({
  labels: analytics.weekly_usage.map(({ week }) => `Week ${week}`),
  values: analytics.weekly_usage.map(({ hours }) => hours),
});

/**
 * Returns hours by date, ascending. Dates are days in the asset's time zone, so they are formatted in UTC to stay the
 * same day everywhere.
 */
export function dailySeries(analytics: Pick<Analytics, 'daily_usage'>, locale = formattingLocale()): Series {
  const days = Object.entries(analytics.daily_usage).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const format = new Intl.DateTimeFormat(locale, { month: 'short', day: 'numeric', timeZone: 'UTC' });
  return {
    labels: days.map(([day]) => format.format(new Date(`${day}T00:00:00Z`))),
    values: days.map(([, hours]) => hours),
  };
}

/** Returns used and remaining hours, or null when both are zero. */
export function utilizationSeries(analytics: Pick<Analytics, 'total_usage' | 'remaining_hours'>): Series | null {
  const values = [analytics.total_usage, analytics.remaining_hours];
  return values.some((hours) => hours > 0) ? { labels: ['Used', 'Remaining'], values } : null;
}
