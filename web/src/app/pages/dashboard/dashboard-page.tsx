import { Link } from '@tanstack/react-router';
import { Plus, Users } from 'lucide-react';
import { useAssets } from '../../../features/assets/api.ts';
import { AddTile } from '../../../features/assets/add-tile.tsx';
import { AssetCard } from '../../../features/assets/asset-card.tsx';
import { activeAssets } from '../../../features/assets/rules.ts';
import { runningShares, useSharedAssets } from '../../../features/shares/api.ts';
import { ShareCard } from '../../../features/shares/share-card.tsx';
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

export function DashboardPage() {
  usePageTitle('Dashboard');
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
        title={`Welcome back, ${user?.username ?? ''}!`}
        action={
          <Button icon={<Plus aria-hidden size={18} />} onClick={add}>
            Add New Asset
          </Button>
        }
      >
        What you share, and what others share with you.
      </PageHeader>
      {(assets.isError || shares.isError) && (
        <Banner className="mb-4" onRetry={reload}>
          Failed to load dashboard data
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
                View all
                <span className="sr-only"> your assets</span>
              </Link>
            )
          }
        >
          Your Assets
        </SectionHeading>
        {assets.isPending ? (
          <LoadingCards label="Loading your assets" />
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
                  View all
                  <span className="sr-only"> your shared assets</span>
                </Link>
              )
            }
          >
            Your Shared Assets
          </SectionHeading>
          {shares.isPending ? (
            <LoadingCards label="Loading your shared assets" />
          ) : shared?.length === 0 ? (
            <p className="flex items-center gap-3 rounded-card border border-dashed border-line-strong px-4.5 py-6 text-muted">
              <Users aria-hidden size={20} className="shrink-0" />
              Nothing is shared with you yet. Tell a friend your username, and they can share with you.
            </p>
          ) : (
            <CardGrid>
              {shared?.map((share) => (
                <ShareCard
                  key={share.id}
                  share={share}
                  action="Track Usage"
                  hint="No session running"
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
