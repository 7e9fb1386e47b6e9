import type { Analytics } from '@hourshare/contract/analytics';
import type { SharedAsset } from '@hourshare/contract/shares';
import type { UseQueryResult } from '@tanstack/react-query';
import { lazy, Suspense, useId, useMemo, useState, type ReactNode } from 'react';
import type { NamedFile } from '../../platform/http/call.ts';
import { t } from '../../platform/i18n/messages.ts';
import { Banner } from '../../ui/banner.tsx';
import { Card } from '../../ui/card.tsx';
import { DownloadCsv } from '../../ui/download-csv.tsx';
import { MonthChooser } from '../../ui/month-chooser.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { analyticsFile, useAnalytics } from './api.ts';
import { answerText, type AnalyzedUser } from './rules.ts';
import { AnalyticsSummary, UsageStatistics } from './summary.tsx';

const AnalyticsCharts = lazy(async () => ({ default: (await import('./charts.tsx')).AnalyticsCharts }));
const PaceChart = lazy(async () => ({ default: (await import('./charts.tsx')).PaceChart }));

const NONE: readonly string[] = [];

/** Whose figures of a month are shown. */
export interface Shown {
  analytics: Analytics;
  user: AnalyzedUser;
}

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
      onMonth={setMonth}
      file={() => analyticsFile(shareId, month)}
      select={(analytics) => ({ analytics, user: 'you' })}
      runningSince={runningSince}
    />
  );
}

interface MonthViewProps<A extends Analytics> {
  month: string | undefined;
  /** The query without a month: its response says which month is current in the asset's time zone. */
  current: UseQueryResult<A | null>;
  shown: UseQueryResult<A | null>;
  onMonth: (month: string | undefined) => void;
  /** Fetches the CSV file of the days in the shown month. */
  file: () => Promise<NamedFile>;
  select: (analytics: A) => Shown;
  /** When the sessions that are running now were started. */
  runningSince: readonly string[];
  /** What follows the figures. */
  children?: (analytics: A) => ReactNode;
}

/** One month: the answer, how it came about, and a month chooser, which stays usable when a month fails to load. */
export function MonthView<A extends Analytics>({
  month,
  current,
  shown,
  onMonth,
  file,
  select,
  runningSince,
  children,
}: MonthViewProps<A>) {
  const headingId = useId();
  const last = current.data?.month;
  const past = month !== undefined;
  const of = shown.isError || !shown.data ? null : select(shown.data);
  const running = past ? NONE : runningSince;
  const look = shown.isPlaceholderData ? 'opacity-50 transition-opacity delay-200' : '';
  return (
    <div className="grid gap-3.5">
      <Card as="section" labelledBy={headingId}>
        <div className="flex flex-wrap items-center justify-between gap-x-6">
          <h2 id={headingId} className="title-2 min-w-0 py-2 [overflow-wrap:anywhere]">
            {of ? answerText(of.analytics, past, of.user) : t('Usage Analytics')}
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
        ) : of ? (
          <div aria-busy={shown.isPlaceholderData || undefined} className={look}>
            {of.analytics.total_usage > 0 && (
              <div className="min-h-60">
                <Suspense fallback={null}>
                  <PaceChart key={keyOf(of)} analytics={of.analytics} runningSince={running} />
                </Suspense>
              </div>
            )}
            <AnalyticsSummary analytics={of.analytics} past={past} />
          </div>
        ) : (
          <Spinner label={t('Loading analytics')} className="min-h-84 w-full justify-center" />
        )}
      </Card>
      {of && shown.data && (
        <div className={look}>
          <Suspense fallback={<Spinner label={t('Loading charts')} className="min-h-[316px] w-full justify-center" />}>
            <AnalyticsCharts key={keyOf(of)} analytics={of.analytics} runningSince={running}>
              <UsageStatistics analytics={of.analytics} />
            </AnalyticsCharts>
          </Suspense>
          {children?.(shown.data)}
          {of.analytics.total_usage > 0 && <DownloadCsv file={file} subject={t('daily usage')} className="mt-2" />}
        </div>
      )}
    </div>
  );
}

/** Forces new charts for another member. */
const keyOf = ({ user }: Shown): string => (typeof user === 'string' ? '' : user.username);
