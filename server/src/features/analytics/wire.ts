import type { Analytics, AssetAnalytics } from '@hourshare/contract/analytics';
import { tableOf, type Table } from '../../platform/http/csv.ts';

/** Returns a row for each day with use. */
export const analyticsTable = ({ asset_name, month, daily_usage }: Analytics): Table =>
  tableOf(['analytics', asset_name, month], Object.entries(daily_usage), {
    asset_name: () => asset_name,
    date: ([date]) => date,
    hours: ([, hours]) => hours,
  });

/** Returns a row for each day and member with use, by date, then member. */
export function assetAnalyticsTable({ asset_name, month, members }: AssetAnalytics): Table {
  const days = members
    .flatMap(({ username, daily_usage }) =>
      Object.entries(daily_usage).map(([date, hours]) => ({ date, username, hours })),
    )
    .toSorted((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0));
  return tableOf(['analytics', asset_name, month], days, {
    asset_name: () => asset_name,
    date: ({ date }) => date,
    username: ({ username }) => username,
    hours: ({ hours }) => hours,
  });
}
