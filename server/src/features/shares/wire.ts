import type { NextTerms } from '@hourshare/contract/fields';
import { toAmount } from '@hourshare/contract/money';
import type { Pricing } from '@hourshare/contract/shares';
import { toNextPrice } from '../periods/service.ts';
import type { StoredPricing } from './sql.ts';

/** Returns what an asset costs now and later, and how that is split. */
export const toPricing = ({
  price_cents,
  currency,
  next_price,
  ...stored
}: StoredPricing): Omit<Pricing, 'members'> & { next_terms: NextTerms | null } => ({
  price: toAmount(price_cents, currency),
  currency,
  split_method: stored.split_method,
  base_percent: stored.base_percent,
  owner_hours: stored.owner_hours,
  next_terms: stored.next_terms,
  next_price: next_price && toNextPrice(next_price, currency),
});
