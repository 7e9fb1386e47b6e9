import type { Analytics } from '@hourshare/contract/analytics';
import type { SharedAsset } from '@hourshare/contract/shares';
import type { UseQueryResult } from '@tanstack/react-query';
import { useId, useMemo, useState, type ReactNode } from 'react';
import type { NamedFile } from '../../platform/http/call.ts';
import { t } from '../../platform/i18n/messages.ts';
import { Banner } from '../../ui/banner.tsx';
import { Card } from '../../ui/card.tsx';
import { DownloadCsv } from '../../ui/download-csv.tsx';
import { MonthChooser } from '../../ui/month-chooser.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { analyticsFile, useAnalytics } from './api.ts';
import { AnalyticsCharts, PaceChart } from './charts.tsx';
import { answerText, type MonthFigures } from './rules.ts';
import { AnalyticsSummary } from './summary.tsx';

const NONE: readonly string[] = [];

/** Figures and charts of a share for one month, by default the current one. */
export function AnalyticsView({ share: { id: shareId, active_since: since } }: { share: SharedAsset }) {
  const [month, setMonth] = useState<string>();
  const current = useAnalytics(shareId);
  const shown = useAnalytics(shareId, month);
  const runningSince = useMemo(() => (since === null ? NONE : [since]), [since]);
  return (
    <MonthView
      month={month}
      current={current}
      shown={shown}
      figures={shown.data ? { analytics: shown.data, user: 'you' } : null}
      onMonth={setMonth}
      file={() => analyticsFile(shareId, month)}
      runningSince={runningSince}
    />
  );
}

type AnalyticsQuery = Pick<UseQueryResult<Analytics | null>, 'data' | 'isError' | 'isPlaceholderData' | 'refetch'>;

interface MonthViewProps {
  month: string | undefined;
  /** The query without a month: its response says which month is current in the asset's time zone. */
  current: AnalyticsQuery;
  /** The query of the month. While it loads, its data is of the month before. */
  shown: AnalyticsQuery;
  /** What is shown of its data. */
  figures: MonthFigures | null;
  onMonth: (month: string | undefined) => void;
  /** Fetches the CSV file of the days in the shown month. */
  file: () => Promise<NamedFile>;
  /** When the sessions that are running now were started. */
  runningSince: readonly string[];
  /** What follows the figures. */
  children?: ReactNode;
}

/** One month: the answer, how it came about, and a month chooser, which stays usable when a month fails to load. */
export function MonthView({ month, current, shown, figures, onMonth, file, runningSince, children }: MonthViewProps) {
  const headingId = useId();
  const last = current.data?.month;
  const loaded = shown.isError ? null : figures;
  const hasUse = loaded !== null && loaded.analytics.total_usage > 0;
  const past = last !== undefined && loaded !== null && loaded.analytics.month < last;
  const running = past ? NONE : runningSince;
  const look = shown.isPlaceholderData ? 'opacity-50 transition-opacity delay-200' : '';
  return (
    <div className="grid grid-cols-1 gap-3.5">
      <Card as="section" labelledBy={headingId}>
        <div className="flex flex-wrap items-center justify-between gap-x-6">
          <h2 id={headingId} className="title-2 min-w-0 py-2 [overflow-wrap:anywhere]">
            {loaded ? answerText(loaded, past) : t('Usage Analytics')}
          </h2>
          {last !== undefined && (
            <MonthChooser
              month={month ?? last}
              current={last}
              onChange={(chosen) => onMonth(chosen === last ? undefined : chosen)}
            />
          )}
        </div>
        {shown.isError ? (
          <Banner className="mt-2" onRetry={() => void shown.refetch()}>
            {t('Failed to load analytics data. Please try again later.')}
          </Banner>
        ) : loaded ? (
          <div aria-busy={shown.isPlaceholderData || undefined} className={look}>
            {hasUse && <PaceChart analytics={loaded.analytics} past={past} runningSince={running} />}
            <AnalyticsSummary analytics={loaded.analytics} past={past} />
          </div>
        ) : (
          <Spinner label={t('Loading analytics')} className="min-h-84 w-full justify-center" />
        )}
      </Card>
      {loaded && (
        <div className={look}>
          <AnalyticsCharts analytics={loaded.analytics} past={past} runningSince={running} />
          {children}
          {hasUse && <DownloadCsv file={file} subject={t('daily usage')} className="mt-2" />}
        </div>
      )}
    </div>
  );
}
