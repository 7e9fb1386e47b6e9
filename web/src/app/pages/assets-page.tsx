import type { OwnedAsset } from '@hourshare/contract/assets';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { AddTile } from '../../features/assets/add-tile.tsx';
import { useAssets } from '../../features/assets/api.ts';
import { ArchivedAssets } from '../../features/assets/archived-assets.tsx';
import { activeAssets } from '../../features/assets/rules.ts';
import { formatMoney } from '../../platform/format/numbers.ts';
import { t } from '../../platform/i18n/messages.ts';
import { addAssetDialog, assetDialog } from '../../platform/paths.ts';
import { usePageTitle } from '../../ui/page-title.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { CardGrid } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { FacesRing } from '../../ui/ring.tsx';
import { useUser } from '../../platform/auth/use-user.ts';
import { FilteredList } from '../../ui/filtered-list.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { CardSkeletons } from '../../ui/skeleton.tsx';
import { OwnedCard } from './owned-card.tsx';
import { useDialogAddress } from '../dialog-address.ts';
import { AssetDialogs } from '../dialogs/asset-dialogs.tsx';

const searchedText = ({ name, description, shared_with: entries, ...asset }: OwnedAsset): string =>
  [
    name,
    description,
    formatMoney(asset.price_per_month, asset.currency),
    formatMoney(asset.subscription_cost, asset.currency),
    ...entries.map(({ shared_with_username: member }) => member),
  ].join(' ');

export function AssetsPage() {
  usePageTitle(t('My Assets'));
  const user = useUser();
  const assets = useAssets();
  const [openedLoading] = useState(assets.isPending);
  const dialog = useDialogAddress();
  const add = () => dialog.open(addAssetDialog);
  const manage = (asset: number) => dialog.open(assetDialog(asset, 'details'));
  const used = assets.data && activeAssets(assets.data);
  const archived = assets.data?.filter((asset) => asset.archived) ?? [];

  return (
    <>
      <PageHeader
        title={t('My Assets')}
        loading={assets.isPending ? t('Loading your assets') : undefined}
        action={
          <Button icon={<Plus aria-hidden size={18} />} onClick={add}>
            {t('Add New Asset')}
          </Button>
        }
      >
        {used
          ? t('{count, plural, one {# asset in total} other {# assets in total}}', { count: used.length })
          : t('Subscriptions you pay for')}
      </PageHeader>
      {assets.isError && (
        <Banner className="mb-4" onRetry={() => void assets.refetch()}>
          {t('Failed to load assets data')}
        </Banner>
      )}
      {assets.isPending && <CardSkeletons />}
      {used &&
        (used.length === 0 && archived.length === 0 ? (
          <EmptyState
            title={t('No Assets Yet')}
            art={
              <FacesRing faces={user ? [{ name: user.username, hue: user.id }] : []}>
                <Plus aria-hidden size={32} className="text-muted" />
              </FacesRing>
            }
            action={
              <Button size="large" onClick={add}>
                {t('Add Your First Asset')}
              </Button>
            }
          >
            {t('Add something you pay for, share it, and see who uses it.')}
          </EmptyState>
        ) : (
          <>
            <h2 className="sr-only">{t('All assets')}</h2>
            <FilteredList items={used} getText={searchedText} label={t('Filter by name, member or price')}>
              {(shown) => (
                <CardGrid gradual={openedLoading}>
                  {shown.map((asset) => (
                    <OwnedCard key={asset.id} asset={asset} />
                  ))}
                  <AddTile onAdd={add} />
                </CardGrid>
              )}
            </FilteredList>
            {archived.length > 0 && <ArchivedAssets assets={archived} onManage={manage} />}
          </>
        ))}
      <AssetDialogs />
    </>
  );
}
