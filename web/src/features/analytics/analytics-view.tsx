import type { Analytics } from '@hourshare/contract/analytics';
import type { SharedAsset } from '@hourshare/contract/shares';
import type { UseQueryResult } from '@tanstack/react-query';
import { lazy, Suspense, useState, type ReactNode } from 'react';
import type { NamedFile } from '../../platform/http/call.ts';
import { t } from '../../platform/i18n/messages.ts';
import { Banner } from '../../ui/banner.tsx';
import { DownloadCsv } from '../../ui/download-csv.tsx';
import { MonthChooser } from '../../ui/month-chooser.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { analyticsFile, useAnalytics } from './api.ts';
import { MonthInsights } from './month-insights.tsx';
import { monthInsights, paceText, type AnalyzedUser } from './rules.ts';
import { AnalyticsSummary, UsageStatistics } from './summary.tsx';

const AnalyticsCharts = lazy(async () => ({ default: (await import('./charts.tsx')).AnalyticsCharts }));

/** Figures and charts of a share for one month, by default the current one. */
export function AnalyticsView({ share: { id: shareId, active_since } }: { share: SharedAsset }) {
  const [month, setMonth] = useState<string>();
  const current = useAnalytics(shareId);
  const shown = useAnalytics(shareId, month);
  return (
    <MonthView
      month={month}
      current={current}
      shown={shown}
      onMonth={setMonth}
      file={() => analyticsFile(shareId, month)}
    >
      {(analytics) => (
        <MonthFigures
          analytics={analytics}
          past={month !== undefined}
          user="you"
          activeSince={month === undefined ? active_since : null}
        />
      )}
    </MonthView>
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
  children: (analytics: A) => ReactNode;
}

/** One month with a month chooser, which stays usable when a month fails to load. */
export function MonthView<A extends Analytics>({ month, current, shown, onMonth, file, children }: MonthViewProps<A>) {
  const last = current.data?.month;
  return (
    <div className="grid gap-3.5">
      {last !== undefined && (
        <MonthChooser
          month={month ?? last}
          current={last}
          onChange={(chosen) => onMonth(chosen === last ? undefined : chosen)}
        />
      )}
      {shown.isError ? (
        <Banner onRetry={() => void shown.refetch()}>
          {t('Failed to load analytics data. Please try again later.')}
        </Banner>
      ) : shown.data ? (
        <div
          aria-busy={shown.isPlaceholderData || undefined}
          className={shown.isPlaceholderData ? 'opacity-50 transition-opacity delay-200' : undefined}
        >
          {children(shown.data)}
          {shown.data.total_usage > 0 && <DownloadCsv file={file} subject={t('daily usage')} className="mt-2" />}
        </div>
      ) : (
        <Spinner label={t('Loading analytics')} size={28} className="w-full justify-center py-16" />
      )}
    </div>
  );
}

interface MonthFiguresProps {
  analytics: Analytics;
  past: boolean;
  user: AnalyzedUser;
  /** When the session that is running in this month was started. */
  activeSince?: string | null;
}

/** The summary cards, the insights, the charts, and the statistics. */
export function MonthFigures({ analytics, past, user, activeSince = null }: MonthFiguresProps) {
  const insights = user === 'you' ? monthInsights(analytics) : [];
  const note = noteText(analytics, past, user);
  return (
    <div className="grid gap-3.5">
      <AnalyticsSummary analytics={analytics} past={past} />
      {insights.length > 0 && <MonthInsights insights={insights} />}
      {note && <p className="rounded-card bg-sunken px-3.5 py-3 text-[14px] text-muted">{note}</p>}
      <Suspense
        fallback={<Spinner label={t('Loading charts')} size={28} className="min-h-[316px] w-full justify-center" />}
      >
        <AnalyticsCharts analytics={analytics} activeSince={activeSince} />
      </Suspense>
      <UsageStatistics analytics={analytics} />
    </div>
  );
}

function noteText(analytics: Analytics, past: boolean, user: AnalyzedUser): string {
  if (analytics.total_usage === 0) return past ? t('No usage that month') : t('No usage yet this month');
  return user === 'you' ? '' : paceText(analytics, user);
}
