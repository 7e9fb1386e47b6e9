import type { OwnedAsset } from '@hourshare/contract/assets';
import { lazy, Suspense, useState } from 'react';
import { AssetAnalyticsView } from '../../features/analytics/asset-analytics-view.tsx';
import { useAssets } from '../../features/assets/api.ts';
import { AssetDetailsForm } from '../../features/assets/asset-details-form.tsx';
import { AssetEndings } from '../../features/assets/asset-endings.tsx';
import { sharedWithText } from '../../features/assets/rules.ts';
import { AssetHistoryView } from '../../features/insights/asset-history-view.tsx';
import { AssetSessionLog } from '../../features/sessions/session-log.tsx';
import { AccessList } from '../../features/shares/access-list.tsx';
import { ShareForm } from '../../features/shares/share-form.tsx';
import { formatMoney } from '../../lib/formatting.ts';
import { Banner } from '../../ui/banner.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { Tabs, type TabItem } from '../../ui/tabs.tsx';
import { Tile } from '../../ui/tile.tsx';
import type { TabName } from '../../lib/paths.ts';
import { CloseRow } from './close-row.tsx';
import { ManageTitle } from './manage-title.tsx';
import { Unavailable } from './unavailable.tsx';

const AssetCosts = lazy(async () => ({ default: (await import('./asset-costs.tsx')).AssetCosts }));

export interface ManageDialogProps {
  id: number;
  tab: TabName | undefined;
  onTab: (tab: TabName) => void;
  onClose: () => void;
}

export function ManageAssetDialog({ id, tab = 'details', onTab, onClose }: ManageDialogProps) {
  const assets = useAssets();
  const [deleted, setDeleted] = useState(false);
  const asset = assets.data?.find((known) => known.id === id);
  if (deleted) return null;
  if (!asset) {
    return (
      <Unavailable
        loading={assets.isPending}
        failure={assets.isError ? 'Failed to load assets data' : null}
        onRetry={() => void assets.refetch()}
        onClose={onClose}
      />
    );
  }
  // Close the dialog before the asset leaves the list; otherwise it briefly says the asset isn't available.
  const onDeleted = () => {
    setDeleted(true);
    onClose();
  };
  return (
    <Dialog
      title={<ManageTitle name={asset.name} />}
      description={`${formatMoney(asset.subscription_cost, asset.currency)} a month, ${lowerFirst(sharedWithText(asset))}`}
      emblem={<Tile name={asset.name} />}
      onClose={onClose}
    >
      <Tabs
        label={asset.name}
        items={buildTabs(asset, { onClose, onDeleted })}
        current={tab}
        onChange={onTab}
        notice={
          asset.archived && (
            <Banner tone="note" className="mb-4">
              This asset is archived: its members do not see it until you restore it.
            </Banner>
          )
        }
      />
    </Dialog>
  );
}

const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);

interface DialogActions {
  onClose: () => void;
  onDeleted: () => void;
}

const buildTabs = (asset: OwnedAsset, { onClose, onDeleted }: DialogActions): TabItem<TabName>[] => [
  {
    name: 'details',
    label: 'Details',
    content: () => (
      <>
        <AssetDetailsForm asset={asset} onSaved={onClose} onClose={onClose} />
        <AssetEndings asset={asset} onArchived={onClose} onDeleted={onDeleted} />
      </>
    ),
  },
  {
    name: 'share',
    label: 'Share',
    content: () => (
      <>
        <ShareForm asset={asset} />
        <AccessList asset={asset} />
        <CloseRow onClose={onClose} />
      </>
    ),
  },
  {
    name: 'sessions',
    label: 'Sessions',
    content: () => (
      <>
        <AssetSessionLog assetId={asset.id} />
        <CloseRow onClose={onClose} />
      </>
    ),
  },
  {
    name: 'analytics',
    label: 'Analytics',
    content: () => (
      <>
        <AssetAnalyticsView assetId={asset.id} />
        <div className="mt-8">
          <AssetHistoryView assetId={asset.id} />
        </div>
        <CloseRow onClose={onClose} />
      </>
    ),
  },
  {
    name: 'usage',
    label: 'Usage',
    content: () => (
      <>
        <p className="text-muted">Usage tracking not available for owned assets.</p>
        <CloseRow onClose={onClose} />
      </>
    ),
  },
  {
    name: 'costs',
    label: 'Costs',
    content: () => (
      <>
        <Suspense fallback={<Spinner label="Loading the costs" size={28} className="w-full justify-center py-16" />}>
          <AssetCosts asset={asset} />
        </Suspense>
        <CloseRow onClose={onClose} />
      </>
    ),
  },
];
