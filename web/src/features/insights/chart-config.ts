import type { HistoryMonth } from '@hourshare/contract/insights';
import { monthShort } from '../../lib/months.ts';
import type { DrawnChart, ReadColor } from '../../ui/chart.tsx';
import { axes, baseOptions } from '../../ui/chart-style.ts';
import { toneAt } from '../../ui/progress.tsx';
import { memberHours, listMembers } from './rules.ts';

/** Returns the chart with one stacked bar per month and a segment per member. */
export const historyChart =
  (months: readonly HistoryMonth[]) =>
  (color: ReadColor): DrawnChart => {
    const { x, y } = axes(color);
    return {
      type: 'bar',
      data: {
        labels: months.map(({ month }) => monthShort(month)),
        datasets: listMembers(months).map((username, position) => ({
          label: username,
          data: months.map((month) => memberHours(month, username)),
          backgroundColor: color(`--${toneAt(position)}`),
          maxBarThickness: 44,
        })),
      },
      options: { ...baseOptions(color), scales: { x: { ...x, stacked: true }, y: { ...y, stacked: true } } },
    };
  };
