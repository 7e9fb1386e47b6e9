import { isDeepStrictEqual } from 'node:util';
import type { Claim } from '@hourshare/contract/shares';
import { toAmount } from '@hourshare/contract/money';
import { toNextPrice } from '../periods/service.ts';
import type { StoredPricing } from './sql.ts';

type Pricing = Omit<Claim['assets'][number], 'asset_name' | 'monthly_hours_allocated' | 'members'>;

/** Returns what an asset costs now and later, and how that is split. */
export const toPricing = ({ price_cents, currency, next_price, ...stored }: StoredPricing): Pricing => ({
  price: toAmount(price_cents, currency),
  currency,
  split_method: stored.split_method,
  base_percent: stored.base_percent,
  owner_hours: stored.owner_hours,
  next_terms: stored.next_terms,
  next_price: next_price && toNextPrice(next_price, currency),
});

/** Returns whether an offer still is what its member has seen; fields they don't name aren't compared. */
export function isAsSeen(offered: object, seen: Record<string, unknown>): boolean {
  const known = new Map<string, unknown>(Object.entries(offered));
  return Object.entries(seen).every(
    ([field, value]) => value === undefined || isDeepStrictEqual(known.get(field), value),
  );
}
