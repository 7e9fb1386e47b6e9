import type { OwnedAsset } from '@hourshare/contract/assets';
import { useState, type ReactNode } from 'react';
import { announce } from '../../lib/announcements.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { useDeleteAsset, useUpdateAsset } from './api.ts';
import { DeletionSummary } from './deletion-summary.tsx';

interface AssetEndingsProps {
  asset: OwnedAsset;
  onArchived: () => void;
  onDeleted: () => void;
}

/** The archive and delete actions; the reversible one comes first. */
export function AssetEndings({ asset, onArchived, onDeleted }: AssetEndingsProps) {
  const [asking, setAsking] = useState(false);
  const update = useUpdateAsset(asset.id);
  const remove = useDeleteAsset(asset.id, () => {
    announce(`${asset.name} has been deleted.`);
    onDeleted();
  });

  const setArchived = (archived: boolean) =>
    update.mutate(
      { archived },
      {
        onSuccess: () => {
          announce(`${asset.name} has been ${archived ? 'archived' : 'restored'}.`);
          if (archived) onArchived();
        },
      },
    );

  return (
    <section aria-labelledby="endings" className="mt-8 border-t border-line pt-5">
      <h3 id="endings" className="font-semibold">
        Archive or delete
      </h3>
      {update.isError && <Banner className="mt-3">Failed to update asset.</Banner>}
      <Ending
        text={
          asset.archived
            ? 'Restoring gives its members access again, with the hours they had.'
            : 'Archiving ends running sessions and hides it from its members until you restore it. Nothing is lost.'
        }
      >
        <Button
          look="outline"
          busy={update.isPending}
          busyText={asset.archived ? 'Restoring...' : 'Archiving...'}
          onClick={() => setArchived(!asset.archived)}
        >
          {asset.archived ? 'Restore' : 'Archive'}
        </Button>
      </Ending>
      <Ending text="Deleting removes it for good, for you and for everybody it is shared with.">
        <Button look="danger" onClick={() => setAsking(true)}>
          Delete
        </Button>
      </Ending>
      {asking && (
        <ConfirmDialog
          title={
            <>
              Delete <span dir="auto">{asset.name}</span>?
            </>
          }
          confirm="Delete asset"
          busyText="Deleting..."
          busy={remove.isPending}
          failure={remove.isError ? 'Failed to delete asset. Please try again.' : null}
          onConfirm={() => remove.mutate()}
          onCancel={() => setAsking(false)}
        >
          <DeletionSummary asset={asset} />
        </ConfirmDialog>
      )}
    </section>
  );
}

const Ending = ({ text, children }: { text: string; children: ReactNode }) => (
  <div className="mt-3 flex items-center justify-between gap-5">
    <p className="min-w-0 text-[14px] text-muted">{text}</p>
    <span className="shrink-0">{children}</span>
  </div>
);
