import { Inbox, Plus } from 'lucide-react';
import { AddTile } from '../../features/assets/add-tile.tsx';
import { useAssets } from '../../features/assets/api.ts';
import { ArchivedAssets } from '../../features/assets/archived-assets.tsx';
import { AssetCard } from '../../features/assets/asset-card.tsx';
import { activeAssets } from '../../features/assets/rules.ts';
import { formatCount } from '../../lib/formatting.ts';
import { addAssetDialog, assetDialog } from '../../lib/paths.ts';
import { usePageTitle } from '../../lib/page-title.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { CardGrid } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { LoadingCards } from '../../ui/skeleton.tsx';
import { useDialogAddress } from '../dialog-address.ts';
import { AssetDialogs } from '../dialogs/asset-dialogs.tsx';

export function AssetsPage() {
  usePageTitle('My Assets');
  const assets = useAssets();
  const dialog = useDialogAddress();
  const add = () => dialog.open(addAssetDialog);
  const manage = (asset: number) => dialog.open(assetDialog(asset, 'details'));
  const used = assets.data && activeAssets(assets.data);
  const archived = assets.data?.filter((asset) => asset.archived) ?? [];

  return (
    <>
      <PageHeader
        title="My Assets"
        action={
          <Button icon={<Plus aria-hidden size={18} />} onClick={add}>
            Add New Asset
          </Button>
        }
      >
        {used ? `${formatCount(used.length, 'asset')} in total` : 'What you own and pay for'}
      </PageHeader>
      {assets.isError && (
        <Banner className="mb-4" onRetry={() => void assets.refetch()}>
          Failed to load assets data
        </Banner>
      )}
      {assets.isPending && <LoadingCards label="Loading your assets" />}
      {used &&
        (used.length === 0 && archived.length === 0 ? (
          <EmptyState
            title="No Assets Yet"
            icon={<Inbox aria-hidden size={28} />}
            action={<Button onClick={add}>Add Your First Asset</Button>}
          >
            Add a subscription you pay for. Then share it, and see who uses it how much.
          </EmptyState>
        ) : (
          <>
            <h2 className="sr-only">All assets</h2>
            <CardGrid>
              {used.map((asset) => (
                <AssetCard key={asset.id} asset={asset} onManage={() => manage(asset.id)} />
              ))}
              <AddTile onAdd={add} />
            </CardGrid>
            {archived.length > 0 && <ArchivedAssets assets={archived} onManage={manage} />}
          </>
        ))}
      <AssetDialogs />
    </>
  );
}
