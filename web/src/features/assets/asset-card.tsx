import type { OwnedAsset } from '@hourshare/contract/assets';
import type { SharedAsset } from '@hourshare/contract/shares';
import { UserRoundPlus } from 'lucide-react';
import type { ReactNode } from 'react';
import { formatMoney } from '../../platform/format/numbers.ts';
import { rich, t } from '../../platform/i18n/messages.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { classes } from '../../ui/class-names.ts';
import { Tile } from '../../ui/tile.tsx';
import { MemberStrip } from './member-strip.tsx';
import { PayerList } from './payer-list.tsx';
import { Presence } from './presence.tsx';
import { acceptedEntries, currentUsers, offeredNames, sharedWithText } from './rules.ts';

const unit = (text: ReactNode) => <span className="ms-0.5 text-[14px] font-normal text-muted">{text}</span>;

interface AssetCardProps {
  asset: OwnedAsset;
  onManage: () => void;
  onShare: () => void;
  /** The owner's share of it, if they take part. */
  own?: SharedAsset | undefined;
  /** With which they start and end a session. */
  children?: (headingId: string) => ReactNode;
}

/** An owned asset. In a narrow card, who uses it now is in the legend instead of beside the name. */
export function AssetCard({ asset, own, onManage, onShare, children }: AssetCardProps) {
  const headingId = `asset-${asset.id}`;
  // Every container costs another style recalculation, so only cards that need to know their width are one.
  const isInUse = currentUsers(asset).length > 0;
  const members = acceptedEntries(asset).length;
  const pending = asset.shared_with.length - members;
  const offered = offeredNames(asset);
  return (
    <Card as="li" className={classes('flex flex-col', isInUse && '@container')} labelledBy={headingId}>
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
        {isInUse && (
          <span className="hidden @min-[400px]:inline-flex">
            <Presence asset={asset} />
          </span>
        )}
        <Badge tone="accent">{t('Owner')}</Badge>
      </div>
      <div className="mt-3.5 mb-4">
        {members > 0 && !asset.measured ? (
          <PayerList asset={asset} />
        ) : members > 0 ? (
          <MemberStrip asset={asset} own={own}>
            {isInUse && (
              <li className="ms-auto @min-[400px]:hidden">
                <Presence asset={asset} />
              </li>
            )}
          </MemberStrip>
        ) : (
          <div className="flex items-center justify-between gap-3 rounded-control border border-dashed border-line-strong py-1.5 ps-3.5 pe-1.5 text-[14px] text-muted">
            <p className="min-w-0 [overflow-wrap:anywhere]">
              {offered.length > 0
                ? t('Offered to {count, plural, one {{name}} other {# people}}. You cover the full price.', {
                    count: offered.length,
                    name: offered[0] ?? '',
                  })
                : t('Not shared yet. You cover the full price.')}
            </p>
            <Button
              look="quiet"
              size="small"
              icon={<UserRoundPlus aria-hidden size={16} />}
              onClick={onShare}
              aria-describedby={headingId}
            >
              {t('Share [[verb]]')}
            </Button>
          </div>
        )}
      </div>
      {own && children?.(headingId)}
      <div className="mt-auto flex items-end justify-between gap-3">
        <div className="min-w-0">
          <p className="figures text-[17px] font-bold">
            {rich('{price}<unit>/mo</unit>', {
              price: formatMoney(asset.subscription_cost, asset.currency),
              unit,
            })}
          </p>
          <p className="text-[13.5px] text-muted">
            <span>{sharedWithText(asset)}</span>
            {pending > 0 && (
              <>
                {' '}
                <span aria-hidden>·</span> <span>{t('{count, number} pending', { count: pending })}</span>
              </>
            )}
          </p>
        </div>
        <Button look="outline" size="small" onClick={onManage} aria-describedby={headingId}>
          {t('Manage')}
        </Button>
      </div>
    </Card>
  );
}
