import type { OwnedAsset } from '@hourshare/contract/assets';
import { toAmount, toMinor } from '@hourshare/contract/money';
import { formatMoney } from '../../platform/format/numbers.ts';
import { t } from '../../platform/i18n/messages.ts';
import { firstTerms } from './first-terms.ts';

type Asset = Pick<
  OwnedAsset,
  | 'subscription_cost'
  | 'currency'
  | 'split_method'
  | 'base_percent'
  | 'owner_hours'
  | 'max_price_per_hour'
  | 'max_price_chosen'
  | 'owner_takes_part'
  | 'shared_with'
>;

/**
 * Returns what is left to the owner of a month in which everyone has their allowance all the time and uses all of it. By share of use
 * the owner, if they take part, uses as much as each of the others.
 */
function ownPart(asset: Asset, allowances: number[]): number {
  const {
    subscription_cost: cost,
    currency,
    split_method: method,
    owner_hours: own,
    owner_takes_part: takesPart,
  } = asset;
  if (allowances.length === 0) return cost;
  const price = toMinor(cost, currency);
  const rounded = (cents: number) => toAmount(Math.round(cents), currency);
  const given = allowances.reduce((sum, hours) => sum + hours, 0);
  if (method === 'equal') return rounded(price / (allowances.length + 1));
  const ofHours = own / (own + given);
  if (method !== 'share_of_use') return rounded(price * ofHours);
  const base = Math.round((price * asset.base_percent) / 100);
  const rest = price - base;
  const hourPrice = asset.max_price_per_hour === null ? price / given : toMinor(asset.max_price_per_hour, currency);
  const paid = allowances.map((hours) =>
    Math.min(takesPart ? rest / (allowances.length + 1) : (rest * hours) / given, hours * hourPrice),
  );
  return rounded(base * ofHours + rest - paid.reduce((sum, cents) => sum + cents, 0));
}

/** Says what the owner pays a month before and after they give someone so many hours; only before, while these aren't typed. */
export function ownPartText(asset: Asset, hours: number | null): string {
  const { currency, shared_with: entries } = asset;
  const allowances = entries.flatMap(({ pending, monthly_hours_allocated: each }) => (pending ? [] : [each ?? 0]));
  const before = formatMoney(ownPart(asset, allowances), currency);
  const after = () => {
    const reserved = { ...asset, ...firstTerms(asset, hours ?? 0) };
    return formatMoney(ownPart(reserved, [...allowances, hours ?? 0]), currency);
  };
  return t(
    '{use, select, all {Your part if everyone uses all their hours} equal {Your part if everyone uses it equally} other {Your part}}: {amount} a month',
    {
      use: hours === null && allowances.length === 0 ? 'any' : assumedUse(asset),
      amount: hours === null ? before : t('{before} → {after}', { before, after: after() }).replaceAll(' ', '\u00a0'),
    },
  );
}

function assumedUse({ split_method: method, owner_takes_part: takesPart }: Asset): 'all' | 'equal' | 'any' {
  if (method === 'share_of_use' && takesPart) return 'equal';
  return method === 'equal' || method === 'allocation' ? 'any' : 'all';
}
