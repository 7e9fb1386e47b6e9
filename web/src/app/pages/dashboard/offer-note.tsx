import type { SharedAsset } from '@hourshare/contract/shares';
import { Link } from '@tanstack/react-router';
import { offerText } from '../../../features/shares/offer-text.ts';
import { t } from '../../../platform/i18n/messages.ts';
import { paths, shareDialog } from '../../../platform/paths.ts';
import { buttonClasses } from '../../../ui/button.tsx';
import { Tile } from '../../../ui/tile.tsx';

/** Open offers, in one line at the top: their cards come after what the user owns. */
export function OfferNote({ shares }: { shares: SharedAsset[] }) {
  const offers = shares.filter(({ accepted }) => !accepted);
  const [first] = offers;
  if (!first) return null;
  const { id, asset_name: asset, owner } = first;
  const isOne = offers.length === 1;
  return (
    <section
      aria-label={t('Open offers')}
      className="mb-3.5 flex items-center gap-3 rounded-card border border-accent bg-accent-soft py-2.5 ps-4 pe-3"
    >
      {isOne && <Tile name={asset} size="small" />}
      <div className="min-w-0 flex-1 [overflow-wrap:anywhere]">
        <p className="font-semibold">
          {isOne
            ? t('{owner} offers you {asset}', { owner, asset })
            : t('{count, plural, one {# asset is} other {# assets are}} offered to you', { count: offers.length })}
        </p>
        {isOne && <p className="figures text-small text-muted">{offerText(first)}</p>}
      </div>
      <Link
        to={paths.shared}
        search={isOne ? shareDialog(id, 'usage') : {}}
        className={buttonClasses('outline', 'small', 'shrink-0')}
      >
        {t('Review [[offer]]')}
      </Link>
    </section>
  );
}
