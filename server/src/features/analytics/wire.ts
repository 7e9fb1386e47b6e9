import type { Analytics, AssetAnalytics } from '@hourshare/contract/analytics';
import { tableOf, type Table } from '../../platform/http/csv.ts';

/** Returns a row for each day with use. */
export const analyticsTable = ({ asset_name, month, daily_usage, metered_usage }: Analytics): Table =>
  tableOf(['analytics', asset_name, month], Object.entries(daily_usage), {
    asset_name: () => asset_name,
    date: ([date]) => date,
    hours: ([, hours]) => hours,
    metered_hours: ([date]) => metered_usage[date] ?? 0,
  });

/** Returns a row for each day and member with use, by date, then member. */
export function assetAnalyticsTable({ asset_name, month, members }: AssetAnalytics): Table {
  const days = members
    .flatMap(({ username, daily_usage, metered_usage }) =>
      Object.entries(daily_usage).map(([date, hours]) => ({
        date,
        username,
        hours,
        metered: metered_usage[date] ?? 0,
      })),
    )
    .toSorted((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0));
  return tableOf(['analytics', asset_name, month], days, {
    asset_name: () => asset_name,
    date: ({ date }) => date,
    username: ({ username }) => username,
    hours: ({ hours }) => hours,
    metered_hours: ({ metered }) => metered,
  });
}
