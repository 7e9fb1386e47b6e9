import type { HistoryMonth } from '@hourshare/contract/insights';
import { formatHours } from '../../lib/formatting.ts';
import { monthShort } from '../../lib/months.ts';
import type { DrawnChart, ReadColor } from '../../ui/chart.tsx';
import { patternFill } from '../../ui/chart-pattern.ts';
import { axes, barLabels, baseOptions } from '../../ui/chart-style.ts';
import { toneAt } from '../../ui/swatch.tsx';
import { memberHours, listMembers } from './rules.ts';

/** Returns the chart with one stacked bar per month and a segment per member. */
export const historyChart =
  (months: readonly HistoryMonth[]) =>
  (color: ReadColor): DrawnChart => {
    const { layout, scales } = axes(color);
    const totals = months.map(({ used_hours }) => ({ text: formatHours(used_hours), color: color('--ink') }));
    return {
      type: 'bar',
      data: {
        labels: months.map(({ month }) => monthShort(month)),
        datasets: listMembers(months).map((username, position) => ({
          label: username,
          data: months.map((month) => memberHours(month, username)),
          backgroundColor: patternFill(color, toneAt(position)),
          // A gap between neighbors.
          borderColor: color('--surface'),
          borderWidth: { top: 2 },
          maxBarThickness: 44,
        })),
      },
      options: {
        ...baseOptions(color),
        layout,
        scales: { x: { ...scales.x, stacked: true }, y: { ...scales.y, stacked: true } },
      },
      plugins: [barLabels(totals)],
    };
  };
