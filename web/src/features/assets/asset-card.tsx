import type { OwnedAsset } from '@hourshare/contract/assets';
import type { ReactNode } from 'react';
import { formatMoney } from '../../lib/formatting.ts';
import { rich, t } from '../../lib/messages.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Tile } from '../../ui/tile.tsx';
import { MemberStrip } from './member-strip.tsx';
import { sharedWithText } from './rules.ts';

const unit = (text: ReactNode) => <span className="ms-0.5 text-[14px] font-normal text-muted">{text}</span>;

export function AssetCard({ asset, onManage }: { asset: OwnedAsset; onManage: () => void }) {
  const headingId = `asset-${asset.id}`;
  return (
    <Card as="li" className="flex flex-col" labelledBy={headingId}>
      <div className="flex items-start gap-3">
        <Tile name={asset.name} />
        <div className="flex min-h-10 min-w-0 flex-1 flex-col justify-center">
          <h3
            id={headingId}
            className="line-clamp-3 leading-snug font-semibold hyphens-auto [overflow-wrap:anywhere]"
            dir="auto"
          >
            {asset.name}
          </h3>
          {asset.description && (
            <p className="truncate text-[13.5px] text-muted" dir="auto">
              {asset.description}
            </p>
          )}
        </div>
        <Badge tone="accent">{t('Owner')}</Badge>
      </div>
      <div className="mt-3.5 mb-4">
        <MemberStrip asset={asset} />
      </div>
      <div className="mt-auto flex items-end justify-between gap-3">
        <div className="min-w-0">
          <p className="figures text-[17px] font-bold">
            {rich('{price}<unit>/mo</unit>', {
              price: formatMoney(asset.subscription_cost, asset.currency),
              unit,
            })}
          </p>
          <p className="text-[13.5px] text-muted">{sharedWithText(asset)}</p>
        </div>
        <Button look="outline" size="small" onClick={onManage} aria-describedby={headingId}>
          {t('Manage')}
        </Button>
      </div>
    </Card>
  );
}
