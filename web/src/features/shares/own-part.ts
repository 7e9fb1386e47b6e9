import type { OwnedAsset } from '@hourshare/contract/assets';
import { toAmount, toMinor } from '@hourshare/contract/money';
import { formatMoney } from '../../platform/format/numbers.ts';
import { t } from '../../platform/i18n/messages.ts';
import { firstTerms } from './first-terms.ts';

type Asset = Pick<
  OwnedAsset,
  | 'price_per_month'
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
 * Returns what each member pays, in unrounded cents, of a month in which everyone has their allowance all the time and uses all of it.
 * By share of use the owner, if they take part, uses as much as each of the others.
 */
function memberCents(asset: Asset, allowances: number[]): number[] {
  const { split_method: method, owner_hours: own, owner_takes_part: takesPart } = asset;
  const price = toMinor(asset.price_per_month, asset.currency);
  const given = allowances.reduce((sum, hours) => sum + hours, 0);
  const ofHours = (hours: number) => hours / (own + given);
  if (method === 'equal') return allowances.map(() => price / (allowances.length + 1));
  if (method !== 'share_of_use') return allowances.map((hours) => price * ofHours(hours));
  const base = Math.round((price * asset.base_percent) / 100);
  const rest = price - base;
  const hourPrice =
    asset.max_price_per_hour === null ? price / given : toMinor(asset.max_price_per_hour, asset.currency);
  return allowances.map((hours) => {
    const ofUse = takesPart ? rest / (allowances.length + 1) : (rest * hours) / given;
    return base * ofHours(hours) + Math.min(ofUse, hours * hourPrice);
  });
}

function ownPart(asset: Asset, allowances: number[]): number {
  const paid = memberCents(asset, allowances).reduce((sum, cents) => sum + cents, 0);
  return toAmount(Math.round(toMinor(asset.price_per_month, asset.currency) - paid), asset.currency);
}

/** Returns what the owner and each member would pay of a new asset that is shared with so many hours each. */
export function firstParts(
  asset: Pick<Asset, 'price_per_month' | 'currency' | 'split_method' | 'base_percent' | 'owner_takes_part'>,
  allowances: number[],
) {
  const isReserved = asset.split_method === 'usage' && asset.owner_takes_part;
  const shared = {
    ...asset,
    owner_hours: isReserved ? Math.max(0, ...allowances) : 0,
    max_price_per_hour: null,
    max_price_chosen: false,
    shared_with: [],
  };
  const price = toMinor(asset.price_per_month, asset.currency);
  const [own = 0, ...members] = wholeCents(price, memberCents(shared, allowances)).map((cents) =>
    toAmount(cents, asset.currency),
  );
  return { own, members };
}

/** Rounds the parts of a price, first the owner's, which is what the members leave, as a statement does: down, and the cents that remain go to the largest fractions. */
function wholeCents(price: number, members: number[]): number[] {
  // Less than any fraction that counts, and more than the noise of the sums.
  const noise = 1e-6;
  const exact = [price - members.reduce((sum, cents) => sum + cents, 0), ...members];
  const parts = exact.map((cents, index) => {
    const whole = Math.floor(cents + noise);
    return { index, whole, fraction: cents - whole };
  });
  const remaining = price - parts.reduce((sum, { whole }) => sum + whole, 0);
  const roundedUp = parts.toSorted((a, b) =>
    Math.abs(a.fraction - b.fraction) < noise ? a.index - b.index : b.fraction - a.fraction,
  );
  for (const part of roundedUp.slice(0, remaining)) part.whole += 1;
  return parts.map(({ whole }) => whole);
}

/**
 * Says what the owner pays a month before and after giving someone these hours; without hours, only before.
 * Offers count as accepted, as they do in the highest price of an hour.
 */
export function ownPartText(asset: Asset, hours: number | null): string {
  const { currency, shared_with: entries } = asset;
  const allowances = entries.map(({ monthly_hours_allocated: each }) => each ?? 0);
  const before = formatMoney(ownPart(asset, allowances), currency);
  const reserved = { ...asset, ...firstTerms(asset, hours ?? 0) };
  const after = hours === null ? before : formatMoney(ownPart(reserved, [...allowances, hours]), currency);
  return t(
    '{use, select, all {Your part if everyone uses all their hours} equal {Your part if everyone uses it equally} other {Your part}}: {amount} a month',
    {
      use: hours === null && allowances.length === 0 ? 'any' : assumedUse(asset),
      amount: after === before ? before : t('{before} → {after}', { before, after }).replaceAll(' ', '\u00a0'),
    },
  );
}

export function assumedUse({
  split_method: method,
  owner_takes_part: takesPart,
}: Pick<Asset, 'split_method' | 'owner_takes_part'>): 'all' | 'equal' | 'any' {
  if (method === 'share_of_use' && takesPart) return 'equal';
  return method === 'equal' || method === 'allocation' ? 'any' : 'all';
}
