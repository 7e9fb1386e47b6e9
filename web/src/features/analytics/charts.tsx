import type { Analytics } from '@hourshare/contract/analytics';
import { lazy, useMemo } from 'react';
import { formatHours } from '../../platform/format/numbers.ts';
import { t } from '../../platform/i18n/messages.ts';
import { Chart, DrawingPlace } from '../../ui/chart.tsx';
import type { MonthDrawingProps } from './month-drawing.tsx';
import { dailySeries, utilizationSeries, weeklySeries, type Series } from './rules.ts';
import { UsageStatistics } from './summary.tsx';

const MonthDrawing = lazy(async () => ({ default: (await import('./month-drawing.tsx')).MonthDrawing }));

// The days to come have a label on the axis but no value.
const tableRows = ({ labels, values }: Series) =>
  values.map((hours, index) => [labels[index] ?? '', formatHours(hours)] as const);

/** With what meters recorded, if they did. */
function tableOf(title: string, hours: string, series: Series & { metered: number[] }) {
  const isMetered = series.metered.some((each) => each > 0);
  return {
    head: [title, hours, ...(isMetered ? [t('By meters')] : [])],
    rows: tableRows(series).map((row, index) => (isMetered ? [...row, formatHours(series.metered[index] ?? 0)] : row)),
  };
}

type ChartsProps = Omit<MonthDrawingProps, 'kind'>;

/** How the use grew, and where it leads. Its answer is in words beside it, and the days are in the chart of each day. */
export const PaceChart = (month: ChartsProps) => (
  <DrawingPlace>
    <MonthDrawing kind="pace" {...month} />
  </DrawingPlace>
);

/** The charts of a month, without those that have no data, around its statistics. */
export function AnalyticsCharts(month: ChartsProps) {
  const { analytics, past } = month;
  const { utilization, weekly, daily } = useMemo(() => seriesOf(analytics, past), [analytics, past]);
  return (
    <div className="flex flex-wrap gap-3.5 *:grow *:basis-54">
      {utilization.values.length > 0 && (
        <Chart
          title={t('Hours Utilization')}
          table={{ head: [t('Allowance'), t('Hours')], rows: tableRows(utilization) }}
        >
          <MonthDrawing kind="utilization" {...month} />
        </Chart>
      )}
      {weekly.values.length > 0 && (
        <Chart title={t('Weekly Usage')} table={tableOf(t('Week'), t('Hours Used'), weekly)}>
          <MonthDrawing kind="weekly" {...month} />
        </Chart>
      )}
      <UsageStatistics analytics={analytics} />
      {daily.values.length > 0 && (
        <div className="min-w-full">
          <Chart title={t('Daily Usage Trend')} table={tableOf(t('Date'), t('Daily Hours'), daily)}>
            <MonthDrawing kind="daily" {...month} />
          </Chart>
        </div>
      )}
    </div>
  );
}

const seriesOf = (analytics: Analytics, past: boolean) => ({
  utilization: utilizationSeries(analytics),
  weekly: weeklySeries(analytics),
  daily: dailySeries(analytics, past),
});
