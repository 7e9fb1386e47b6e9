import type { OwnedAsset } from '@hourshare/contract/assets';
import { AssetCard } from '../../features/assets/asset-card.tsx';
import { useOwnShares } from '../../features/shares/api.ts';
import { OwnSession } from '../../features/shares/own-session.tsx';
import { assetDialog } from '../../platform/paths.ts';
import { useDialogAddress } from '../dialog-address.ts';

/** The card of an owned asset, with the owner's own session if they take part. */
export function OwnedCard({ asset }: { asset: OwnedAsset }) {
  const dialog = useDialogAddress();
  const own = useOwnShares().find(({ id }) => id === asset.own_share_id);
  return (
    <AssetCard
      asset={asset}
      own={own}
      onManage={() => dialog.open(assetDialog(asset.id, 'details'))}
      onShare={() => dialog.open(assetDialog(asset.id, 'share'))}
    >
      {(headingId) => own && <OwnSession share={own} headingId={headingId} />}
    </AssetCard>
  );
}
