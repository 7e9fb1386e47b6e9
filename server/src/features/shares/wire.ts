import type { NextTerms } from '@hourshare/contract/fields';
import { toAmount } from '@hourshare/contract/money';
import type { Pricing, SharedAsset } from '@hourshare/contract/shares';
import { hashToken } from '../../platform/tokens.ts';
import { costOfAll, toNextTerms, toWireTerms } from '../assets/terms/service.ts';
import { toNextPrice } from '../periods/prices/service.ts';
import type { StoredHandoverTerms } from './handovers/sql.ts';
import type { StoredJoining } from './agreements/sql.ts';
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
  next_terms: stored.next_terms && toNextTerms(stored.next_terms, currency),
  next_price: next_price && toNextPrice(next_price, currency),
});

/** Returns what someone who may join would pay. */
export const toJoining = ({ shown, starts_on, measured, members }: StoredJoining, currency: string) => ({
  measured,
  terms: toWireTerms(shown, currency),
  cost_of_all: toAmount(costOfAll(shown), currency),
  starts_on,
  members,
});

/** Returns what becoming the owner means for a member. Its version changes with everything that they should know when they accept. */
export function toHandover({
  accepted,
  expires_at: expiresAt,
  ...terms
}: StoredHandoverTerms): NonNullable<SharedAsset['handover']> {
  const { price_cents: cents, currency, next_price: next } = terms;
  const read = {
    from_month: terms.from_month,
    price: toAmount(cents, currency),
    currency,
    split_method: terms.split_method,
    base_percent: terms.base_percent,
    owner_hours: terms.owner_hours,
    max_session_hours: terms.max_session_hours,
    max_price_per_hour: terms.max_hour_cents === null ? null : toAmount(terms.max_hour_cents, currency),
    owner_takes_part: terms.owner_takes_part,
    measured: terms.measured,
    time_zone: terms.time_zone,
    next_price: next && toNextPrice(next, currency),
    members: terms.members,
    stay_hours: terms.stay_hours,
  };
  return {
    ...read,
    accepted,
    offered_at: new Date(terms.offered_at).toISOString(),
    expires_at: expiresAt && new Date(expiresAt).toISOString(),
    version: hashToken(JSON.stringify(read)),
  };
}
