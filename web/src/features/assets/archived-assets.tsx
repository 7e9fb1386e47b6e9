import type { OwnedAsset } from '@hourshare/contract/assets';
import { announce } from '../../ui/toasts.ts';
import { keepFocusInPage } from '../../ui/focus.ts';
import { formatMoney } from '../../platform/format/numbers.ts';
import { t } from '../../platform/i18n/messages.ts';
import { Button } from '../../ui/button.tsx';
import { SectionHeading } from '../../ui/page-header.tsx';
import { Tile } from '../../ui/tile.tsx';
import { useUpdateAsset } from './api.ts';

interface ArchivedAssetsProps {
  assets: OwnedAsset[];
  onManage: (id: number) => void;
}

/** The archived assets, at the end of the page. */
export const ArchivedAssets = ({ assets, onManage }: ArchivedAssetsProps) => (
  <section aria-labelledby="archived">
    <SectionHeading id="archived">{t('Archived')}</SectionHeading>
    <ul role="list" className="divide-y divide-line rounded-card border border-line bg-surface px-4.5">
      {assets.map((asset) => (
        <ArchivedAsset key={asset.id} asset={asset} onManage={() => onManage(asset.id)} />
      ))}
    </ul>
  </section>
);

function ArchivedAsset({ asset, onManage }: { asset: OwnedAsset; onManage: () => void }) {
  const update = useUpdateAsset(asset.id);
  const nameId = `archived-${asset.id}`;
  const restore = () =>
    update.mutate(
      { archived: false },
      {
        onSuccess: () => {
          announce(t('{asset} has been restored.', { asset: asset.name }));
          keepFocusInPage();
        },
      },
    );
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 py-3">
      <Tile name={asset.name} />
      <div className="min-w-0 flex-1 basis-40">
        <h3 id={nameId} className="truncate font-semibold" dir="auto">
          {asset.name}
        </h3>
        <p className="figures text-[13.5px] text-muted">
          {t("{price}/mo · Members can't see this", {
            price: formatMoney(asset.price_per_month, asset.currency),
          })}
        </p>
        {asset.unbilled && <p className="text-[13.5px] text-muted">{t("This month isn't billed.")}</p>}
      </div>
      <div className="ms-auto flex gap-2">
        <Button look="outline" size="small" busy={update.isPending} onClick={restore} aria-describedby={nameId}>
          {update.isPending ? t('Restoring...') : t('Restore')}
        </Button>
        <Button look="outline" size="small" onClick={onManage} aria-describedby={nameId}>
          {t('Manage')}
        </Button>
      </div>
      {update.isError && (
        <p role="alert" className="basis-full text-[13.5px] font-medium text-over-text">
          {t('Failed to update asset.')}
        </p>
      )}
    </li>
  );
}
