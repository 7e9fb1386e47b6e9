import type { SeenOffer, Terms } from '@hourshare/contract/fields';
import { toMinor } from '@hourshare/contract/money';
import type { Deps } from '../../../deps.ts';
import { fromWireTerms, costsMore, type AgreedTerms } from '../../assets/terms/service.ts';
import type { StoredPricing } from '../sql.ts';
import * as store from './store.ts';

/**
 * Records that the member of an accepted share agrees to terms that were just checked, if given, because others may leave in the
 * meantime, or else to what it costs them now. A server that doesn't ask records nothing.
 */
export async function recordYes(deps: Deps, shareId: number, seen?: AgreedTerms | null): Promise<void> {
  if (deps.config.SHARE_CONSENT === 'ask')
    await store.insertAgreement(deps.db, { shareId, seen: seen ?? undefined, now: deps.clock() });
}

/** Records what a new offer shows, so that a start can accept that or better. */
export const recordOffer = (deps: Deps, shareId: number): Promise<void> =>
  store.insertAgreement(deps.db, { shareId, made: true, now: deps.clock() });

/** Returns whether terms are what someone has seen, or better. */
export const isAsShown = (terms: AgreedTerms, currency: string, seen: Terms): boolean =>
  seen.currency === currency && !costsMore(terms, fromWireTerms(seen));

/** What an offer or an invitation shows. */
export interface Offered extends StoredPricing {
  shown: AgreedTerms;
}

/**
 * Returns whether an offer costs more than what someone has seen of it, now or in later months. Omitted fields count as seen.
 */
export function costsMoreThanSeen(offered: Offered, seen: SeenOffer): boolean {
  const { shown, currency } = offered;
  if (seen.currency !== undefined && seen.currency !== currency) return true;
  if (seen.terms && !isAsShown(shown, currency, seen.terms)) return true;
  const { monthly_hours_allocated: hours = shown.monthlyHours, owner_hours: ownerHours = offered.owner_hours } = seen;
  const then: AgreedTerms = {
    ...shown,
    method: seen.split_method ?? shown.method,
    basePercent: seen.base_percent ?? shown.basePercent,
    priceCents: seen.price === undefined ? shown.priceCents : toMinor(seen.price, currency),
    monthlyHours: hours,
    totalHours: Math.max(0, shown.totalHours + hours - shown.monthlyHours + ownerHours - offered.owner_hours),
  };
  return costsMore(shown, then) || laterTermsCostMore(offered, seen, then) || isLaterPriceHigher(offered, seen);
}

function laterTermsCostMore(
  { shown, currency, ...offered }: Offered,
  { next_terms: seen, owner_hours: ownerHours = offered.owner_hours }: SeenOffer,
  then: AgreedTerms,
): boolean {
  if (seen === undefined) return false;
  const { next_terms: now } = offered;
  const price = { priceCents: shown.priceCents };
  return costsMore(
    now
      ? {
          ...shown,
          method: now.split_method,
          basePercent: now.base_percent,
          totalHours: shown.totalHours + now.owner_hours - offered.owner_hours,
          maxHourCents: now.max_hour_cents,
          extraCostCents: now.extra_cost_cents,
        }
      : shown,
    seen
      ? {
          ...then,
          ...price,
          method: seen.split_method,
          basePercent: seen.base_percent,
          totalHours: then.totalHours + seen.owner_hours - ownerHours,
          maxHourCents: seen.max_price_per_hour === null ? null : toMinor(seen.max_price_per_hour, currency),
          extraCostCents: toMinor(seen.extra_cost_limit, currency),
        }
      : { ...then, ...price },
  );
}

function isLaterPriceHigher({ next_price: now, price_cents: price, currency }: Offered, seen: SeenOffer): boolean {
  if (seen.next_price === undefined || !now) return false;
  const before = seen.price === undefined ? price : toMinor(seen.price, currency);
  const later = seen.next_price ? toMinor(seen.next_price.price, currency) : before;
  const isEarlier = seen.next_price !== null && now.from_month < seen.next_price.from_month && now.price_cents > before;
  return now.price_cents > later || isEarlier;
}
