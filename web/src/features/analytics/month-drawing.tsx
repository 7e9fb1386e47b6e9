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
import { serverNow } from '../../platform/http/server-clock.ts';
import type { DrawnChart, ReadColor } from '../../ui/chart.tsx';
import { Drawing } from '../../ui/drawing.tsx';
import { dailyChart, paceChart, utilizationChart, weeklyChart } from './chart-configs.ts';
import { dailySeries, utilizationSeries, weeklySeries } from './rules.ts';

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

export interface MonthDrawingProps {
  kind: 'pace' | 'utilization' | 'weekly' | 'daily';
  analytics: Analytics;
  /** Whether the month has ended. */
  past: boolean;
  /** When the sessions that are running now were started. */
  runningSince: readonly string[];
}

/** Returns the hours of the running sessions so far. */
const runningHours = (since: readonly string[]): number =>
  since.reduce((sum, instant) => sum + Math.max(0, serverNow() - Date.parse(instant)) / 3_600_000, 0);

function configured({ kind, analytics, past, runningSince }: MonthDrawingProps): (color: ReadColor) => DrawnChart {
  const running = runningHours(runningSince);
  if (kind === 'pace') return paceChart(dailySeries(analytics, past), analytics, running);
  if (kind === 'utilization') return utilizationChart(utilizationSeries(analytics), analytics, running);
  if (kind === 'weekly') return weeklyChart(weeklySeries(analytics), analytics, running);
  return dailyChart(dailySeries(analytics, past), analytics.total_allocation, running);
}

/** A chart of a month's use. */
export function MonthDrawing({ kind, analytics, past, runningSince }: MonthDrawingProps) {
  const configure = useMemo(
    () => configured({ kind, analytics, past, runningSince }),
    [kind, analytics, past, runningSince],
  );
  return <Drawing configure={configure} />;
}
