import type { OwnedAsset } from '@hourshare/contract/assets';
import type { SharedAsset } from '@hourshare/contract/shares';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { ShareSelect } from '../../../features/analytics/share-select.tsx';
import { useAssets } from '../../../features/assets/api.ts';
import { useSharedAssets } from '../../../features/shares/api.ts';
import { t } from '../../../platform/i18n/messages.ts';
import { NotAList } from '../../../platform/http/lists.ts';
import { usePageTitle } from '../../../ui/page-title.ts';
import { paths } from '../../../platform/paths.ts';
import { Banner } from '../../../ui/banner.tsx';
import { buttonClasses } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { FacesRing } from '../../../ui/ring.tsx';
import { PageHeader, SectionHeading } from '../../../ui/page-header.tsx';
import { Tabs, type TabItem } from '../../../ui/tabs.tsx';
import { OwnedInsights } from './owned-insights.tsx';
import { SharedAnalytics } from './shared-analytics.tsx';

// Outside of the page: a function that returns elements inside of one counts as a separate component.
const tabsOf = (shared: SharedAsset[], selected: SharedAsset, owned: OwnedAsset[]): TabItem<'shared' | 'owned'>[] => [
  {
    name: 'shared',
    label: t('Shared with you'),
    content: () => <SharedAnalytics shares={shared} selected={selected} />,
  },
  { name: 'owned', label: t('Assets you own'), content: () => <OwnedInsights assets={owned} /> },
];

export function AnalyticsPage() {
  usePageTitle(t('Usage Analytics'));
  const shares = useSharedAssets();
  const assets = useAssets();
  const { view, share: chosen } = useSearch({ strict: false });
  const navigate = useNavigate();
  // Both lists decide whether there are tabs; adding them later would push the rest down.
  const isPending = shares.isPending || (!shares.isError && assets.isPending);
  // The product specification treats what isn't a list as empty here.
  const isNotAList = shares.error instanceof NotAList;
  const shared = (shares.data ?? []).filter(({ measured }) => measured);
  const selected = shared.find(({ id }) => id === chosen) ?? shared[0];
  const owned = (assets.data ?? []).filter(({ measured, used }) => measured || used);

  return (
    <>
      <PageHeader
        title={t('Usage Analytics')}
        loading={isPending ? t('Loading shared assets') : undefined}
        action={
          !isPending &&
          selected &&
          (view !== 'owned' || owned.length === 0) && (
            <ShareSelect
              shares={shared}
              selected={selected.id}
              onSelect={(share) =>
                void navigate({ to: paths.analytics, search: { share }, replace: true, resetScroll: false })
              }
            />
          )
        }
      >
        {t('Monitor your asset usage patterns and optimize your subscription sharing.')}
      </PageHeader>
      {shares.isError && !isNotAList && (
        <Banner className="mb-4" onRetry={() => void Promise.all([shares.refetch(), assets.refetch()])}>
          {t('Failed to load shared assets')}
        </Banner>
      )}
      {!isPending && (shares.data || isNotAList) && shared.length === 0 && (
        <EmptyState
          title={t('No Shared Assets Available')}
          art={<FacesRing faces={[]} />}
          action={
            <Link to={paths.dashboard} className={buttonClasses()}>
              {t('Go to Dashboard')}
            </Link>
          }
        >
          {t("You don't have any shared assets to analyze. When assets are shared with you, they'll appear here.")}
        </EmptyState>
      )}
      {!isPending && selected && owned.length > 0 && (
        <Tabs
          look="page"
          label={t('Usage Analytics')}
          current={view ?? 'shared'}
          onChange={(chosen) =>
            void navigate({
              to: paths.analytics,
              search: chosen === 'owned' ? { view: chosen } : {},
              replace: true,
              resetScroll: false,
            })
          }
          items={tabsOf(shared, selected, owned)}
        />
      )}
      {!isPending && selected && owned.length === 0 && <SharedAnalytics shares={shared} selected={selected} />}
      {!isPending && shared.length === 0 && owned.length > 0 && (
        <section aria-labelledby="owned-history">
          <SectionHeading id="owned-history">{t('Assets you own')}</SectionHeading>
          <OwnedInsights assets={owned} />
        </section>
      )}
      {assets.isError && !shares.isError && (
        <Banner className="mt-8" onRetry={() => void assets.refetch()}>
          {t('Failed to load assets data')}
        </Banner>
      )}
    </>
  );
}
