import { lazy, Suspense } from 'react';
import { useOwnShares } from '../../features/shares/api.ts';
import { withMessages } from '../../platform/i18n/messages.ts';
import { useDialogAddress } from '../dialog-address.ts';

const importAdd = withMessages('details', () => import('./add-asset-dialog.tsx'));
const importAsset = withMessages('details', () => import('./manage-asset-dialog.tsx'));
const importShare = withMessages('details', () => import('./manage-share-dialog.tsx'));
const AddAssetDialog = lazy(async () => ({ default: (await importAdd()).AddAssetDialog }));
const ManageAssetDialog = lazy(async () => ({ default: (await importAsset()).ManageAssetDialog }));
const ManageShareDialog = lazy(async () => ({ default: (await importShare()).ManageShareDialog }));

/** The dialog named in the URL, if any. Each one loads when first opened. */
export function AssetDialogs() {
  const { search, close, showTab } = useDialogAddress();
  // The user's share of their own asset is a part of its dialog.
  const own = useOwnShares().find(({ id }) => id === search.share);
  const assetId = search.asset ?? own?.asset.id;
  return (
    <Suspense fallback={null}>
      {assetId !== undefined ? (
        <ManageAssetDialog
          key={assetId}
          id={assetId}
          tab={own && search.session !== undefined ? 'usage' : search.tab}
          part={search.part}
          session={search.session}
          onTab={showTab}
          onClose={close}
        />
      ) : search.share !== undefined ? (
        <ManageShareDialog
          key={search.share}
          id={search.share}
          tab={search.tab}
          session={search.session}
          onTab={showTab}
          onClose={close}
        />
      ) : search.add ? (
        <AddAssetDialog onClose={close} />
      ) : null}
    </Suspense>
  );
}
