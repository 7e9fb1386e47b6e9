import type { AssetHistory } from '@hourshare/contract/insights';
import { tableOf, type Table } from '../../platform/http/csv.ts';

/** Returns a row for each month and member, oldest first, and one for a month without members. */
export function historyTable({ asset_name, currency, months }: AssetHistory): Table {
  const rows = months.flatMap((month) =>
    (month.members.length > 0 ? month.members : [null]).map((member) => ({ ...month, member })),
  );
  return tableOf(['history', asset_name], rows, {
    asset_name: () => asset_name,
    month: ({ month }) => month,
    running: ({ running }) => running,
    whole: ({ whole }) => whole,
    username: ({ member }) => member?.username ?? null,
    used_hours: ({ member }) => member?.used_hours ?? null,
    allocated_hours: ({ member }) => member?.allocated_hours ?? null,
    available_hours: ({ member }) => member?.available_hours ?? null,
    month_used_hours: ({ used_hours }) => used_hours,
    month_offered_hours: ({ offered_hours }) => offered_hours,
    month_kept_hours: ({ kept_hours }) => kept_hours,
    month_idle_hours: ({ idle_hours }) => idle_hours,
    month_price: ({ price }) => price,
    month_price_per_used_hour: ({ price_per_used_hour }) => price_per_used_hour,
    currency: () => currency,
  });
}
