import type { OwnedAsset } from '@hourshare/contract/assets';
import { useAssets } from '../../features/assets/api.ts';
import { AssetDetailsForm } from '../../features/assets/asset-details-form.tsx';
import { MemberStrip } from '../../features/assets/member-strip.tsx';
import { sharedWithText } from '../../features/assets/rules.ts';
import { AccessList } from '../../features/shares/access-list.tsx';
import { ShareForm } from '../../features/shares/share-form.tsx';
import { formatMoney } from '../../lib/formatting.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Tabs, type TabItem } from '../../ui/tabs.tsx';
import { Tile } from '../../ui/tile.tsx';
import type { TabName } from '../dialog-address.ts';
import { CloseRow } from './close-row.tsx';
import { ManageTitle } from './manage-title.tsx';
import { Unavailable } from './unavailable.tsx';

export interface ManageDialogProps {
  id: number;
  tab: TabName | undefined;
  onTab: (tab: TabName) => void;
  onClose: () => void;
}

export function ManageAssetDialog({ id, tab = 'details', onTab, onClose }: ManageDialogProps) {
  const assets = useAssets();
  const asset = assets.data?.find((known) => known.id === id);
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
  return (
    <Dialog
      title={<ManageTitle name={asset.name} />}
      description={`${formatMoney(asset.subscription_cost, asset.currency)} a month, ${lowerFirst(sharedWithText(asset))}`}
      emblem={<Tile name={asset.name} />}
      onClose={onClose}
    >
      <Tabs label={asset.name} items={tabsOf(asset, onClose)} current={tab} onChange={onTab} />
    </Dialog>
  );
}

const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);

const tabsOf = (asset: OwnedAsset, onClose: () => void): TabItem<TabName>[] => [
  {
    name: 'details',
    label: 'Details',
    content: () => <AssetDetailsForm asset={asset} onSaved={onClose} onClose={onClose} />,
  },
  {
    name: 'share',
    label: 'Share',
    content: () => (
      <>
        <ShareForm asset={asset} />
        <AccessList entries={asset.shared_with} />
        <CloseRow onClose={onClose} />
      </>
    ),
  },
  {
    name: 'sessions',
    label: 'Sessions',
    content: () => (
      <>
        <p className="text-muted">Sessions of an owned asset are not available yet.</p>
        <CloseRow onClose={onClose} />
      </>
    ),
  },
  {
    name: 'analytics',
    label: 'Analytics',
    content: () => (
      <>
        <h3 className="mb-3 font-semibold">This month</h3>
        <MemberStrip asset={asset} />
        <p className="mt-4 text-muted">Analytics of an owned asset are not available yet.</p>
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
];
