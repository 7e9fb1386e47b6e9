import type { OwnedAsset } from '@hourshare/contract/assets';
import type { SharedAsset } from '@hourshare/contract/shares';
import { Hourglass, UserRoundPlus } from 'lucide-react';
import type { ReactNode } from 'react';
import { formatMoney } from '../../platform/format/numbers.ts';
import { dayShort } from '../../platform/format/time.ts';
import { rich, t } from '../../platform/i18n/messages.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { classes } from '../../ui/class-names.ts';
import { hidden } from '../../ui/hidden-text.tsx';
import { Tile } from '../../ui/tile.tsx';
import { MemberStrip } from './member-strip.tsx';
import { PayerList } from './payer-list.tsx';
import { cyclePriceText } from '../periods/cycle-text.ts';
import { acceptedEntries, offeredNames, sharedWithText } from './rules.ts';

const unit = (text: ReactNode) => <span className="ms-0.5 font-sans text-small font-normal text-muted">{text}</span>;

interface AssetCardProps {
  asset: OwnedAsset;
  onManage: () => void;
  onShare: () => void;
  /** The owner's share of it, if they take part. */
  own?: SharedAsset | undefined;
  /** Without the hours of each member, which are in the bar. */
  brief: boolean;
  /** With which they start and end a session. */
  children?: (headingId: string) => ReactNode;
}

/** An owned asset: whose hours, and what it costs. */
export function AssetCard({ asset, own, brief, onManage, onShare, children }: AssetCardProps) {
  const headingId = `asset-${asset.id}`;
  const members = acceptedEntries(asset).length;
  const pending = asset.shared_with.length - members;
  const notYet = notYetText(asset);
  return (
    <Card as="li" className="flex flex-col max-md:p-3.5" labelledBy={headingId}>
      <div className={classes('flex items-center gap-3', own && 'max-md:pe-17')}>
        <Tile name={asset.name} size="large" />
        <div className="min-w-0 flex-1">
          <h3 id={headingId} className="title-3 line-clamp-2 hyphens-auto [overflow-wrap:anywhere]" dir="auto">
            {asset.name}
          </h3>
          <p className="flex min-w-0 items-center gap-2 text-small text-muted">
            {asset.description && (
              <span className="truncate" dir="auto">
                {asset.description}
              </span>
            )}
            <Badge tone="accent">{t('Owner')}</Badge>
          </p>
        </div>
      </div>
      <div className="mt-3.5 mb-3.5">
        {members > 0 && !asset.measured ? (
          <PayerList asset={asset} />
        ) : (
          (members > 0 || own) && <MemberStrip asset={asset} own={own} brief={brief} />
        )}
        {members === 0 && (
          <div
            className={classes(
              'flex min-h-12 not-first:mt-3 items-center justify-between gap-3 text-small text-muted',
              notYet !== null && 'rounded-tile bg-sunken p-1.5',
            )}
          >
            {notYet !== null && <p className="min-w-0 ps-2 [overflow-wrap:anywhere]">{notYet}</p>}
            <Button
              look="outline"
              size="small"
              className={classes(notYet === null && 'grow')}
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
      <div className={classes('mt-auto flex items-end justify-between gap-3', own && 'md:min-h-14 md:pe-17')}>
        <div className="min-w-0">
          <p className="figures font-display text-[19px] leading-tight font-bold">
            {rich('{price}<unit>/mo</unit>', {
              price: formatMoney(asset.price_per_month, asset.currency),
              unit,
            })}
          </p>
          {asset.cycle && (
            <p className="figures text-small">{cyclePriceText({ ...asset, price: asset.subscription_cost })}</p>
          )}
          <p className="text-small text-muted">
            <span>{sharedWithText(asset)}</span>
            {pending > 0 && (
              <>
                {' '}
                <span className="inline-block whitespace-nowrap">
                  <Hourglass aria-hidden size={13} className="inline align-[-2px]" />{' '}
                  {rich('{count, number}<hidden> pending</hidden>', { count: pending, hidden })}
                </span>
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

/** Says who could join what no one uses yet; null if no one was asked. */
function notYetText(asset: OwnedAsset): string | null {
  const offered = offeredNames(asset);
  if (offered.length > 0)
    return t('Offered to {count, plural, one {{name}} other {# people}}', {
      count: offered.length,
      name: offered[0] ?? '',
    });
  const links = asset.shared_with.filter(({ invitation_id: id }) => id !== null);
  const [expires] = links.flatMap(({ expires_at: at }) => at ?? []).toSorted();
  if (expires === undefined) return null;
  return t('Invited: {count, plural, one {# link, expires {day}} other {# links}}', {
    count: links.length,
    day: dayShort(expires),
  });
}
