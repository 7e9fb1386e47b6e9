import type { AssetHistory, Finding, HistoryMonth } from '@hourshare/contract/insights';
import { useId, useState, type ReactNode } from 'react';
import { formatHours, formatMoney, percentText } from '../../platform/format/numbers.ts';
import { rich, t } from '../../platform/i18n/messages.ts';
import { monthShort, monthText } from '../../platform/format/months.ts';
import { Banner } from '../../ui/banner.tsx';
import { Card } from '../../ui/card.tsx';
import { Disclosure } from '../../ui/disclosure.tsx';
import { DownloadCsv } from '../../ui/download-csv.tsx';
import { Figure, FiguresRow, FiguresTable } from '../../ui/figures-table.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { historyFile, useAssetHistory } from './api.ts';
import { HistoryChart } from './history-chart.tsx';
import { InsightList } from './insight-list.tsx';
import { trendText } from './rules.ts';

interface AssetHistoryViewProps {
  assetId: number;
  /** The most important insight, if there is one. */
  answer: string | undefined;
  action: ReactNode;
}

/** Insights about an owned asset, and its last twelve months: who used it, how much went unused, and the price of an hour. */
export function AssetHistoryView({ assetId, answer, action }: AssetHistoryViewProps) {
  const headingId = useId();
  return (
    <section aria-labelledby={headingId} className="grid min-w-0 gap-3.5">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <h2 id={headingId} className="title-2 max-w-[60ch] min-w-0 [overflow-wrap:anywhere]">
          {answer ?? t('Last 12 months')}
        </h2>
        {action}
      </div>
      <LoadedHistory assetId={assetId} />
    </section>
  );
}

/** The same as a part that opens, with all insights into the asset. */
export function AssetHistoryPart({ assetId }: { assetId: number }) {
  const [opened, setOpened] = useState(false);
  return (
    <Disclosure heading="h2" summary={t('Last 12 months')} className="mt-2" onOpen={() => setOpened(true)}>
      <div className="-ms-6.5 grid min-w-0 gap-3.5">{opened && <LoadedHistory assetId={assetId} insights />}</div>
    </Disclosure>
  );
}

function LoadedHistory({ assetId, insights = false }: { assetId: number; insights?: boolean }) {
  const history = useAssetHistory(assetId);
  if (history.isError)
    return (
      <Banner onRetry={() => void history.refetch()}>
        {t("Couldn't load the last 12 months. Please try again later.")}
      </Banner>
    );
  if (!history.data)
    return <Spinner label={t('Loading the last 12 months')} className="min-h-[418px] w-full justify-center" />;
  return <Months history={history.data} insights={insights ? history.data.findings : []} />;
}

const note = (text: ReactNode) => <span className="font-normal text-muted">{text}</span>;

const monthName = ({ running }: HistoryMonth, month: string): ReactNode =>
  running ? rich('{month}<note> so far</note>', { month, note }) : month;

function Months({ history, insights }: { history: AssetHistory; insights: Finding[] }) {
  const { months } = history;
  const trend = trendText(history);
  if (months.length === 0) return <p className="text-muted">{t('Archived for the last 12 months.')}</p>;
  if (!months.some(({ running }) => !running))
    return <p className="text-muted">{t('Trends appear after the first full month.')}</p>;
  return (
    <>
      {insights.length > 0 && <InsightList insights={insights} />}
      {months.some(({ used_hours: hours }) => hours > 0) && <HistoryChart months={months} />}
      <Card>
        <Disclosure heading="h3" summary={t('Usage and price by month')} className="-my-2">
          {trend && <p className="mb-2 text-[14px] text-muted">{trend}</p>}
          <FiguresTable
            caption={t('Usage and price by month')}
            titles={[t('Month'), t('Used'), t('Unused'), t('Per hour')]}
          >
            {months.toReversed().map((month) => (
              <FiguresRow
                key={month.month}
                name={
                  <>
                    <span className="sm:hidden">{monthName(month, monthShort(month.month))}</span>
                    <span className="hidden sm:inline">{monthName(month, monthText(month.month))}</span>
                  </>
                }
              >
                <Figure>{formatHours(month.used_hours)}</Figure>
                <Figure>{month.offered_hours === 0 ? '–' : percentText(month.idle_percentage)}</Figure>
                <Figure>
                  {month.price_per_used_hour === null ? '–' : formatMoney(month.price_per_used_hour, history.currency)}
                </Figure>
              </FiguresRow>
            ))}
          </FiguresTable>
          <DownloadCsv file={() => historyFile(history.asset_id)} subject={t('the last 12 months')} className="mt-2" />
        </Disclosure>
      </Card>
    </>
  );
}
