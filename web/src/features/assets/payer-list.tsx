import type { OwnedAsset } from '@hourshare/contract/assets';
import { listFormat } from '../../platform/i18n/language.ts';
import { rich, t } from '../../platform/i18n/messages.ts';
import { formatMoney } from '../../platform/format/numbers.ts';
import { placeCost } from '../periods/place-text.ts';
import { acceptedEntries } from './rules.ts';

/** How many members a card names. The dialog lists them all. */
const MAX_NAMED = 4;

const figure = (text: React.ReactNode) => (
  <b className="figures font-display text-[20px] leading-tight font-bold text-ink">{text}</b>
);

/** Who pays how much for an asset that isn't measured. */
export function PayerList({ asset }: { asset: OwnedAsset }) {
  const { price_per_month: price, currency, places } = asset;
  const names = acceptedEntries(asset).map(({ shared_with_username: name }) => name ?? t('User'));
  const unnamed = names.length - MAX_NAMED;
  const shown = unnamed > 0 ? [...names.slice(0, MAX_NAMED), t('{count, number} more', { count: unnamed })] : names;
  return (
    <>
      <p className="text-muted">
        {rich('<b>{amount}</b> each', {
          amount: formatMoney(placeCost({ price, currency, places }), currency),
          b: figure,
        })}
      </p>
      <p className="mt-1 text-[13.5px] text-muted [overflow-wrap:anywhere]">
        {t('{names}, and you', { names: listFormat({ type: 'unit' }).format(shown) })}
      </p>
    </>
  );
}
