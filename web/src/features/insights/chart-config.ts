import type { HistoryMonth } from '@hourshare/contract/insights';
import { formatHours } from '../../platform/format/numbers.ts';
import { t } from '../../platform/i18n/messages.ts';
import { monthShort } from '../../platform/format/months.ts';
import type { DrawnChart, ReadColor } from '../../ui/chart.tsx';
import { patternFill } from '../../ui/chart-pattern.ts';
import { axes, barLabels, barLimits, baseOptions } from '../../ui/chart-style.ts';
import { hueOf } from '../../ui/hue.ts';
import { allowedHours, memberHours, listMembers } from './rules.ts';

/** So that the line has room for its label. */
const ROOM_ABOVE = 1.15;

/** Returns the chart with one stacked bar per month, a segment per member, and a line at their allowances. */
export const historyChart =
  (months: readonly HistoryMonth[]) =>
  (color: ReadColor): DrawnChart => {
    const { layout, scales } = axes(color);
    const totals = months.map(({ used_hours }) => ({ text: formatHours(used_hours), color: color('--ink') }));
    const limits = months.map(allowedHours);
    const last = limits.at(-1) ?? 0;
    return {
      type: 'bar',
      data: {
        labels: months.map(({ month }) => monthShort(month)),
        datasets: listMembers(months).map(({ username, hue }) => ({
          label: username,
          data: months.map((month) => memberHours(month, username)),
          backgroundColor: patternFill(color, hueOf(hue)),
          // A gap between neighbors.
          borderColor: color('--surface'),
          borderWidth: { top: 2 },
          maxBarThickness: 44,
        })),
      },
      options: {
        ...baseOptions(color),
        layout,
        scales: {
          x: { ...scales.x, stacked: true },
          y: { ...scales.y, stacked: true, suggestedMax: Math.max(...limits) * ROOM_ABOVE },
        },
      },
      plugins: [
        ...(last > 0
          ? [barLimits({ limits, text: t('{hours} allowed', { hours: formatHours(last) }), color: color('--muted') })]
          : []),
        barLabels(totals, color('--surface')),
      ],
    };
  };
