import type { OwnedAsset } from '@hourshare/contract/assets';
import { AssetCard } from '../../features/assets/asset-card.tsx';
import { useOwnShares } from '../../features/shares/api.ts';
import { OwnSession } from '../../features/shares/own-session.tsx';
import { assetDialog } from '../../platform/paths.ts';
import { useDialogAddress } from '../dialog-address.ts';

interface OwnedCardProps {
  asset: OwnedAsset;
  /** On the dashboard, where the bar says how much each used. */
  brief?: boolean;
}

/** The card of an owned asset, with the owner's own session if they take part. */
export function OwnedCard({ asset, brief = false }: OwnedCardProps) {
  const dialog = useDialogAddress();
  const own = useOwnShares().find(({ id }) => id === asset.own_share_id);
  return (
    <AssetCard
      asset={asset}
      own={own}
      brief={brief}
      onManage={() => dialog.open(assetDialog(asset.id, 'details'))}
      onShare={() => dialog.open(assetDialog(asset.id, 'share'))}
    >
      {(headingId) => own && <OwnSession share={own} headingId={headingId} />}
    </AssetCard>
  );
}
