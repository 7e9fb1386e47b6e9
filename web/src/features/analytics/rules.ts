import type { Analytics } from '@hourshare/contract/analytics';

export interface Series {
  labels: string[];
  values: number[];
}

export const weeklySeries = (analytics: Pick<Analytics, 'weekly_usage'>): Series => ({
  labels: analytics.weekly_usage.map(({ week }) => `Week ${week}`),
  values: analytics.weekly_usage.map(({ hours }) => hours),
});

/** Dates ascending; a date key names a day of the asset's zone, so it is shown as that day wherever the viewer is. */
export function dailySeries(analytics: Pick<Analytics, 'daily_usage'>, locale?: string): Series {
  const days = Object.entries(analytics.daily_usage).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const format = new Intl.DateTimeFormat(locale, { month: 'short', day: 'numeric', timeZone: 'UTC' });
  return {
    labels: days.map(([day]) => format.format(new Date(`${day}T00:00:00Z`))),
    values: days.map(([, hours]) => hours),
  };
}

/** Used and remaining hours, or null when there is nothing to divide. */
export function utilizationSeries(analytics: Pick<Analytics, 'total_usage' | 'remaining_hours'>): Series | null {
  const values = [analytics.total_usage, analytics.remaining_hours];
  return values.some((hours) => hours > 0) ? { labels: ['Used', 'Remaining'], values } : null;
}
