import type { OwnedAsset } from '@hourshare/contract/assets';
import { useState, type ReactNode } from 'react';
import { announce } from '../../ui/toasts.ts';
import { t } from '../../platform/i18n/messages.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { useUpdateAsset } from './api.ts';
import { ArchiveQuestion, DeleteQuestion } from './ending-questions.tsx';

interface AssetEndingsProps {
  asset: OwnedAsset;
  onArchived: () => void;
  onDeleted: () => void;
}

/** The archive and delete actions; the reversible one comes first. A co-manager can only archive. */
export function AssetEndings({ asset, onArchived, onDeleted }: AssetEndingsProps) {
  const [asking, setAsking] = useState<'archive' | 'delete' | null>(null);
  const update = useUpdateAsset(asset.id);
  const isOwner = asset.your_role === 'owner';
  const restore = () =>
    update.mutate(
      { archived: false },
      { onSuccess: () => announce(t('{asset} has been restored.', { asset: asset.name })) },
    );

  return (
    <section aria-labelledby="endings" className="mt-8 border-t border-line pt-5">
      <h3 id="endings" className="font-semibold">
        {isOwner ? t('Archive or delete') : t('Archive [[verb]]')}
      </h3>
      {update.isError && <Banner className="mt-3">{t('Failed to update asset.')}</Banner>}
      <Ending text={archivingText(asset)}>
        {asset.archived ? (
          // Not disabled: it keeps the focus.
          <Button look="outline" busy={update.isPending} onClick={restore}>
            {update.isPending ? t('Restoring...') : t('Restore')}
          </Button>
        ) : (
          <Button look="outline" onClick={() => setAsking('archive')}>
            {t('Archive [[verb]]')}
          </Button>
        )}
      </Ending>
      {isOwner && (
        <Ending text={t('Permanently deletes this asset for you and all members.')}>
          <Button look="outline" className="text-over-text!" onClick={() => setAsking('delete')}>
            {t('Delete')}
          </Button>
        </Ending>
      )}
      {asking === 'archive' && <ArchiveQuestion asset={asset} onDone={onArchived} onCancel={() => setAsking(null)} />}
      {asking === 'delete' && <DeleteQuestion asset={asset} onDone={onDeleted} onCancel={() => setAsking(null)} />}
    </section>
  );
}

const archivingText = ({ archived, unbilled }: OwnedAsset): string => {
  if (!archived) return t('Ends active sessions and hides the asset from members. You can restore it anytime.');
  return unbilled
    ? t("Within 24 hours, members regain access. Later, they're asked again. This month isn't billed.")
    : t("Within 24 hours, members regain access. Later, they're asked again.");
};

const Ending = ({ text, children }: { text: string; children: ReactNode }) => (
  <div className="mt-3 flex items-center justify-between gap-5">
    <p className="min-w-0 text-[14px] text-muted">{text}</p>
    <span className="shrink-0">{children}</span>
  </div>
);
