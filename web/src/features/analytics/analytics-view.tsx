import { lazy, Suspense } from 'react';
import { Banner } from '../../ui/banner.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { useAnalytics } from './api.ts';
import { AnalyticsSummary, UsageStatistics } from './summary.tsx';

const AnalyticsCharts = lazy(async () => ({ default: (await import('./charts.tsx')).AnalyticsCharts }));

/** Figures and charts of one share's current month. */
export function AnalyticsView({ shareId }: { shareId: number }) {
  const analytics = useAnalytics(shareId);
  if (analytics.isError) {
    return (
      <Banner onRetry={() => void analytics.refetch()}>Failed to load analytics data. Please try again later.</Banner>
    );
  }
  if (!analytics.data) return <Spinner label="Loading analytics" size={28} className="w-full justify-center py-16" />;
  return (
    <div className="grid gap-3.5">
      <AnalyticsSummary analytics={analytics.data} />
      <Suspense fallback={<Spinner label="Loading charts" size={28} className="min-h-[316px] w-full justify-center" />}>
        <AnalyticsCharts analytics={analytics.data} />
      </Suspense>
      <UsageStatistics analytics={analytics.data} />
    </div>
  );
}
