import type { Analytics } from '@hourshare/contract/analytics';
import {
  ArcElement,
  BarController,
  BarElement,
  CategoryScale,
  Chart as ChartJs,
  DoughnutController,
  Filler,
  Legend,
  LinearScale,
  LineController,
  LineElement,
  PointElement,
  Tooltip,
} from 'chart.js';
import { useMemo, type ReactNode } from 'react';
import { formatHours } from '../../platform/format/numbers.ts';
import { t } from '../../platform/i18n/messages.ts';
import { serverNow } from '../../platform/http/server-clock.ts';
import { Chart, Drawing } from '../../ui/chart.tsx';
import { dailyChart, paceChart, utilizationChart, weeklyChart } from './chart-configs.ts';
import { dailySeries, utilizationSeries, weeklySeries, type Series } from './rules.ts';

// Register only what is used, so that the bundle leaves out the rest.
ChartJs.register(
  ArcElement,
  BarController,
  BarElement,
  CategoryScale,
  DoughnutController,
  Filler,
  Legend,
  LinearScale,
  LineController,
  LineElement,
  PointElement,
  Tooltip,
);

// The days to come have a label on the axis but no value.
const tableRows = ({ labels, values }: Series) =>
  values.map((hours, index) => [labels[index] ?? '', formatHours(hours)] as const);

interface ChartsProps {
  analytics: Analytics;
  /** When the sessions that are running now were started. */
  runningSince: readonly string[];
}

/** Returns the hours of the running sessions so far. */
const runningHours = (since: readonly string[]): number =>
  since.reduce((sum, instant) => sum + Math.max(0, serverNow() - Date.parse(instant)) / 3_600_000, 0);

/** How the use grew, and where it leads. Its answer is in words beside it, and the days are in the chart of each day. */
export function PaceChart({ analytics, runningSince }: ChartsProps) {
  const configure = useMemo(
    () => paceChart(dailySeries(analytics), analytics, runningHours(runningSince)),
    [analytics, runningSince],
  );
  return <Drawing configure={configure} />;
}

/** The charts of a month, without those that have no data, around its figures. */
export function AnalyticsCharts({ analytics, runningSince, children }: ChartsProps & { children?: ReactNode }) {
  const utilization = useMemo(() => utilizationSeries(analytics), [analytics]);
  const weekly = useMemo(() => weeklySeries(analytics), [analytics]);
  const daily = useMemo(() => dailySeries(analytics), [analytics]);
  const configure = useMemo(() => {
    const running = runningHours(runningSince);
    return {
      utilization: utilization && utilizationChart(utilization, analytics, running),
      weekly: weeklyChart(weekly, analytics, running),
      daily: dailyChart(daily, analytics.total_allocation, running),
    };
  }, [analytics, runningSince, utilization, weekly, daily]);

  return (
    <div className="flex flex-wrap gap-3.5 *:grow *:basis-54">
      {utilization && configure.utilization && (
        <Chart
          title={t('Hours Utilization')}
          configure={configure.utilization}
          table={{ head: [t('Allowance'), t('Hours')], rows: tableRows(utilization) }}
        />
      )}
      {weekly.values.length > 0 && (
        <Chart
          title={t('Weekly Usage')}
          configure={configure.weekly}
          table={{ head: [t('Week'), t('Hours Used')], rows: tableRows(weekly) }}
        />
      )}
      {children}
      {daily.values.length > 0 && (
        <div className="min-w-full">
          <Chart
            title={t('Daily Usage Trend')}
            configure={configure.daily}
            table={{ head: [t('Date'), t('Daily Hours')], rows: tableRows(daily) }}
          />
        </div>
      )}
    </div>
  );
}
