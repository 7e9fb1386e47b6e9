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
import { useMemo } from 'react';
import { formatHours } from '../../platform/format/numbers.ts';
import { t } from '../../platform/i18n/messages.ts';
import { serverNow } from '../../platform/http/server-clock.ts';
import { Chart } from '../../ui/chart.tsx';
import { dailyChart, utilizationChart, weeklyChart } from './chart-configs.ts';
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

/** Returns the hours since an instant. */
const hoursSince = (instant: string): number => Math.max(0, serverNow() - Date.parse(instant)) / 3_600_000;

interface AnalyticsChartsProps {
  analytics: Analytics;
  /** When the session that is running in this month was started. */
  activeSince?: string | null;
}

/** The charts of a month, without those that have no data. */
export function AnalyticsCharts({ analytics, activeSince = null }: AnalyticsChartsProps) {
  const utilization = useMemo(() => utilizationSeries(analytics), [analytics]);
  const weekly = useMemo(() => weeklySeries(analytics), [analytics]);
  const daily = useMemo(() => dailySeries(analytics), [analytics]);
  const configure = useMemo(() => {
    const running = activeSince === null ? 0 : hoursSince(activeSince);
    return {
      utilization: utilization && utilizationChart(utilization, analytics, running),
      weekly: weeklyChart(weekly, analytics, running),
      daily: dailyChart(daily, analytics.total_allocation),
    };
  }, [analytics, activeSince, utilization, weekly, daily]);

  return (
    <div className="grid gap-3.5 lg:grid-cols-2">
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
      {daily.values.length > 0 && (
        <div className="min-w-0 lg:col-span-2">
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
