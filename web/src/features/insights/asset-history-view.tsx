import type { AssetHistory, Finding } from '@hourshare/contract/insights';
import { lazy, Suspense, useId } from 'react';
import { formatHours, formatMoney, formatPercent } from '../../lib/formatting.ts';
import { monthShort, monthText } from '../../lib/months.ts';
import { Banner } from '../../ui/banner.tsx';
import { Card } from '../../ui/card.tsx';
import { DownloadCsv } from '../../ui/download-csv.tsx';
import { Figure, FiguresRow, FiguresTable } from '../../ui/figures-table.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { historyFile, useAssetHistory } from './api.ts';
import { InsightList } from './insight-list.tsx';
import { trendText } from './rules.ts';

const HistoryChart = lazy(async () => ({ default: (await import('./history-chart.tsx')).HistoryChart }));

interface AssetHistoryViewProps {
  assetId: number;
  /** Whether to list the asset's insights; the page may list all insights elsewhere. */
  insights?: boolean;
}

/** The last twelve months of an owned asset: who used it, how much went unused, and the price of an hour. */
export function AssetHistoryView({ assetId, insights = true }: AssetHistoryViewProps) {
  const history = useAssetHistory(assetId);
  const headingId = useId();
  return (
    <section aria-labelledby={headingId} className="grid min-w-0 gap-3.5">
      <h2 id={headingId} className="font-display text-[19px] font-bold">
        The last 12 months
      </h2>
      {history.isError ? (
        <Banner onRetry={() => void history.refetch()}>Failed to load the last months. Please try again later.</Banner>
      ) : history.data ? (
        <Months history={history.data} insights={insights ? history.data.findings : []} />
      ) : (
        <Spinner label="Loading the last months" size={28} className="w-full justify-center py-16" />
      )}
    </section>
  );
}

function Months({ history, insights }: { history: AssetHistory; insights: Finding[] }) {
  const { months } = history;
  const trend = trendText(history);
  if (months.length === 0) return <p className="text-muted">It spent the last 12 months in the archive.</p>;
  if (!months.some(({ running }) => !running))
    return <p className="text-muted">No month has ended yet. What the first whole one shows will stand here.</p>;
  return (
    <>
      {insights.length > 0 && <InsightList insights={insights} />}
      {months.some(({ members }) => members.length > 0) && (
        <Suspense
          fallback={<Spinner label="Loading the chart" size={28} className="min-h-[316px] w-full justify-center" />}
        >
          <HistoryChart months={months} />
        </Suspense>
      )}
      <Card>
        {trend && <p className="mb-2 text-[14px] text-muted">{trend}</p>}
        <FiguresTable caption="Use and price by month" titles={['Month', 'Used', 'Idle', 'Per hour']}>
          {months.toReversed().map((month) => (
            <FiguresRow
              key={month.month}
              name={
                <>
                  <span className="sm:hidden">{monthShort(month.month)}</span>
                  <span className="hidden sm:inline">{monthText(month.month)}</span>
                  {month.running && <span className="font-normal text-muted"> so far</span>}
                </>
              }
            >
              <Figure>{formatHours(month.used_hours)}</Figure>
              <Figure>{month.offered_hours === 0 ? '–' : `${formatPercent(month.idle_percentage)}%`}</Figure>
              <Figure>
                {month.price_per_used_hour === null ? '–' : formatMoney(month.price_per_used_hour, history.currency)}
              </Figure>
            </FiguresRow>
          ))}
        </FiguresTable>
        <p className="mt-2 text-[13.5px] text-muted">
          Idle is what members could have used of their hours and did not. Per hour is the month's price divided by the
          hours used.
        </p>
        <DownloadCsv file={() => historyFile(history.asset_id)} subject="the last 12 months" className="mt-2" />
      </Card>
    </>
  );
}
