import { lazy, Suspense } from 'react';
import { useDialogAddress } from '../dialog-address.ts';

const AddAssetDialog = lazy(async () => ({ default: (await import('./add-asset-dialog.tsx')).AddAssetDialog }));
const ManageAssetDialog = lazy(async () => ({
  default: (await import('./manage-asset-dialog.tsx')).ManageAssetDialog,
}));
const ManageShareDialog = lazy(async () => ({
  default: (await import('./manage-share-dialog.tsx')).ManageShareDialog,
}));

/** The dialog named in the URL, if any. Each one loads when first opened. */
export function AssetDialogs() {
  const { search, close, showTab } = useDialogAddress();
  return (
    <Suspense fallback={null}>
      {search.asset !== undefined ? (
        <ManageAssetDialog
          key={search.asset}
          id={search.asset}
          tab={search.tab}
          part={search.part}
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
