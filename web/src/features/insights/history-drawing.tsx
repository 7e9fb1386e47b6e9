import type { HistoryMonth } from '@hourshare/contract/insights';
import { BarController, BarElement, CategoryScale, Chart as ChartJs, LinearScale, Tooltip } from 'chart.js';
import { useMemo } from 'react';
import { Drawing } from '../../ui/drawing.tsx';
import { historyChart } from './chart-config.ts';

// Register only what is used, so that the bundle leaves out the rest.
ChartJs.register(BarController, BarElement, CategoryScale, LinearScale, Tooltip);

export function HistoryDrawing({ months }: { months: HistoryMonth[] }) {
  const configure = useMemo(() => historyChart(months), [months]);
  return <Drawing configure={configure} />;
}
