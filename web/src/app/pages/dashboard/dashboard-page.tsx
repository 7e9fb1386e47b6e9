import { Link } from '@tanstack/react-router';
import { Plus, Users } from 'lucide-react';
import type { ReactNode } from 'react';
import { useAssets } from '../../../features/assets/api.ts';
import { AddTile } from '../../../features/assets/add-tile.tsx';
import { AssetCard } from '../../../features/assets/asset-card.tsx';
import { activeAssets } from '../../../features/assets/rules.ts';
import { runningShares, useSharedAssets } from '../../../features/shares/api.ts';
import { ShareCard } from '../../../features/shares/share-card.tsx';
import { rich, t } from '../../../lib/messages.ts';
import { daysLeft, monthName, thisMonth } from '../../../lib/months.ts';
import { usePageTitle } from '../../../lib/page-title.ts';
import { addAssetDialog, assetDialog, paths, shareDialog } from '../../../lib/paths.ts';
import { useUser } from '../../../lib/use-sign-in.ts';
import { Banner } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { CardGrid } from '../../../ui/card.tsx';
import { PageHeader, SectionHeading } from '../../../ui/page-header.tsx';
import { LoadingCards } from '../../../ui/skeleton.tsx';
import { useDialogAddress } from '../../dialog-address.ts';
import { AssetDialogs } from '../../dialogs/asset-dialogs.tsx';
import { StatCards } from './stat-cards.tsx';
import { textLink } from '../../../ui/text-link.ts';

const viewAll = `${textLink} inline-flex min-h-11 items-center text-[14.5px]`;

const more = (text: ReactNode) => <span className="sr-only">{text}</span>;

export function DashboardPage() {
  usePageTitle(t('Dashboard'));
  const user = useUser();
  const assets = useAssets();
  const shares = useSharedAssets();
  const dialog = useDialogAddress();
  const add = () => dialog.open(addAssetDialog);
  const reload = () => void Promise.all([assets.refetch(), shares.refetch()]);
  // If either list fails to load, show neither. A list that fails to reload keeps its old data.
  const emptied = assets.isLoadingError || shares.isLoadingError;
  const owned = emptied ? undefined : assets.data && activeAssets(assets.data);
  const shared = emptied ? undefined : shares.data;

  return (
    <>
      <PageHeader
        title={t('Welcome back, {name}!', { name: user?.username ?? '' })}
        action={
          <Button icon={<Plus aria-hidden size={18} />} onClick={add}>
            {t('Add New Asset')}
          </Button>
        }
      >
        {t('{month}: {days, plural, =0 {last day} one {# day left} other {# days left}}', {
          month: monthName(thisMonth()),
          days: daysLeft(),
        })}
      </PageHeader>
      {(assets.isError || shares.isError) && (
        <Banner className="mb-4" onRetry={reload}>
          {t('Failed to load dashboard data')}
        </Banner>
      )}
      <StatCards
        assets={owned?.length}
        assetsLoading={assets.isPending}
        shares={shared?.length}
        sharesLoading={shares.isPending}
        running={shared && runningShares(shared).length}
        refreshing={shares.isFetching}
        onRefresh={() => void shares.refetch()}
      />

      <section aria-labelledby="your-assets">
        <SectionHeading
          id="your-assets"
          aside={
            owned &&
            owned.length > 0 && (
              <Link to={paths.assets} className={viewAll}>
                {rich('View all<more> your assets</more>', { more })}
              </Link>
            )
          }
        >
          {t('Your Assets')}
        </SectionHeading>
        {assets.isPending ? (
          <LoadingCards label={t('Loading your assets')} />
        ) : (
          <CardGrid>
            {owned?.map((asset) => (
              <AssetCard key={asset.id} asset={asset} onManage={() => dialog.open(assetDialog(asset.id, 'details'))} />
            ))}
            <AddTile onAdd={add} />
          </CardGrid>
        )}
      </section>

      {/* Rendering this before the assets have loaded would shift the layout. */}
      {!assets.isPending && (
        <section aria-labelledby="your-shared-assets">
          <SectionHeading
            id="your-shared-assets"
            aside={
              shared &&
              shared.length > 0 && (
                <Link to={paths.shared} className={viewAll}>
                  {rich('View all<more> your shared assets</more>', { more })}
                </Link>
              )
            }
          >
            {t('Your Shared Assets')}
          </SectionHeading>
          {shares.isPending ? (
            <LoadingCards label={t('Loading your shared assets')} />
          ) : shared?.length === 0 ? (
            <p className="flex items-center gap-3 rounded-card border border-dashed border-line-strong px-4.5 py-6 text-muted">
              <Users aria-hidden size={20} className="shrink-0" />
              {t('Nothing shared with you yet. Give a friend your username to get access.')}
            </p>
          ) : (
            <CardGrid>
              {shared?.map((share) => (
                <ShareCard
                  key={share.id}
                  share={share}
                  action={t('Track Usage')}
                  hint={t('No session running')}
                  onAction={() => dialog.open(shareDialog(share.id, 'usage'))}
                />
              ))}
            </CardGrid>
          )}
        </section>
      )}
      <AssetDialogs />
    </>
  );
}
