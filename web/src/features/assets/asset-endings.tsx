import type { OwnedAsset } from '@hourshare/contract/assets';
import { useState, type ReactNode } from 'react';
import { announce } from '../../lib/announcements.ts';
import { rich, t } from '../../lib/messages.ts';
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

const nameSpan = (text: ReactNode) => <span dir="auto">{text}</span>;

/** The archive and delete actions; the reversible one comes first. */
export function AssetEndings({ asset, onArchived, onDeleted }: AssetEndingsProps) {
  const [asking, setAsking] = useState(false);
  const update = useUpdateAsset(asset.id);
  const remove = useDeleteAsset(asset.id, () => {
    announce(t('{asset} has been deleted.', { asset: asset.name }));
    onDeleted();
  });

  const setArchived = (archived: boolean) =>
    update.mutate(
      { archived },
      {
        onSuccess: () => {
          announce(
            archived
              ? t('{asset} has been archived.', { asset: asset.name })
              : t('{asset} has been restored.', { asset: asset.name }),
          );
          if (archived) onArchived();
        },
      },
    );

  return (
    <section aria-labelledby="endings" className="mt-8 border-t border-line pt-5">
      <h3 id="endings" className="font-semibold">
        {t('Archive or delete')}
      </h3>
      {update.isError && <Banner className="mt-3">{t('Failed to update asset.')}</Banner>}
      <Ending
        text={
          asset.archived
            ? t('Members regain access with the same hours.')
            : t('Ends active sessions and hides the asset from members. You can restore it anytime.')
        }
      >
        <Button
          look="outline"
          // Not disabled: it keeps the focus.
          busy={update.isPending}
          onClick={() => setArchived(!asset.archived)}
        >
          {asset.archived
            ? update.isPending
              ? t('Restoring...')
              : t('Restore')
            : update.isPending
              ? t('Archiving...')
              : t('Archive [[verb]]')}
        </Button>
      </Ending>
      <Ending text={t('Permanently deletes this asset for you and all members.')}>
        <Button look="outline" className="text-over-text!" onClick={() => setAsking(true)}>
          {t('Delete')}
        </Button>
      </Ending>
      {asking && (
        <ConfirmDialog
          title={rich('Delete <name>{asset}</name>?', {
            asset: asset.name,
            name: nameSpan,
          })}
          confirm={t('Delete asset')}
          busyText={t('Deleting...')}
          busy={remove.isPending}
          failure={remove.isError ? t('Failed to delete asset. Please try again.') : null}
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
