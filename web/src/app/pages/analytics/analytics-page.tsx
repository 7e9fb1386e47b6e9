import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { ChartColumn } from 'lucide-react';
import { useAnalytics } from '../../../features/analytics/api.ts';
import { AnalyticsView } from '../../../features/analytics/analytics-view.tsx';
import { ShareSelect } from '../../../features/analytics/share-select.tsx';
import { useSharedAssets } from '../../../features/shares/api.ts';
import { t } from '../../../lib/messages.ts';
import { usePageTitle } from '../../../lib/page-title.ts';
import { Banner } from '../../../ui/banner.tsx';
import { buttonClasses } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { PageHeader } from '../../../ui/page-header.tsx';
import { Spinner } from '../../../ui/spinner.tsx';
import { paths } from '../../../lib/paths.ts';
import { OwnedInsights } from './owned-insights.tsx';

export function AnalyticsPage() {
  usePageTitle(t('Usage Analytics'));
  const shares = useSharedAssets();
  const { share: requestedId } = useSearch({ strict: false });
  const navigate = useNavigate();
  const selected = shares.data?.find(({ id }) => id === requestedId) ?? shares.data?.[0];
  const figures = useAnalytics(selected?.id);

  return (
    <>
      <PageHeader title={t('Usage Analytics')}>
        {t('Monitor your asset usage patterns and optimize your subscription sharing.')}
      </PageHeader>
      {shares.isError && (
        <Banner className="mb-4" onRetry={() => void shares.refetch()}>
          {t('Failed to load shared assets')}
        </Banner>
      )}
      {shares.isPending && (
        <Spinner label={t('Loading shared assets')} size={28} className="w-full justify-center py-24" />
      )}
      {shares.data?.length === 0 && (
        <EmptyState
          title={t('No Shared Assets Available')}
          icon={<ChartColumn aria-hidden size={28} />}
          action={
            <Link to={paths.dashboard} className={buttonClasses()}>
              {t('Go to Dashboard')}
            </Link>
          }
        >
          {t("You don't have any shared assets to analyze. When assets are shared with you, they'll appear here.")}
        </EmptyState>
      )}
      {shares.data && selected && (
        <>
          <ShareSelect
            shares={shares.data}
            selected={selected.id}
            onSelect={(share) =>
              void navigate({ to: paths.analytics, search: { share }, replace: true, resetScroll: false })
            }
          />
          <AnalyticsView key={selected.id} shareId={selected.id} />
        </>
      )}
      {/* Rendering this before the section above has loaded would shift the layout. */}
      {shares.data && !(selected && figures.isPending) && <OwnedInsights />}
    </>
  );
}
