import { hueOf, toHours, type NextTerms } from '@hourshare/contract/fields';
import { toAmount } from '@hourshare/contract/money';
import type { Pricing, SharedAsset } from '@hourshare/contract/shares';
import { hashToken } from '../../platform/tokens.ts';
import { costOfAll, costsMore, toNextTerms, toWirePlan, toWireTerms } from '../assets/terms/service.ts';
import { toNextPrice } from '../periods/prices/service.ts';
import type { StoredHandoverTerms } from './handovers/sql.ts';
import type { StoredJoining } from './agreements/sql.ts';
import type { StoredPricing } from './sql.ts';
import type { StoredShare } from './store.ts';

/** Returns what an asset costs now and later, and how that is split. */
export const toPricing = ({
  price_cents: cents,
  plan,
  currency,
  split_method,
  base_percent,
  owner_hours,
  next_terms: terms,
  next_price: next,
}: StoredPricing): Omit<Pricing, 'members'> & { next_terms: NextTerms | null } => ({
  price: toAmount(cents, currency),
  ...(plan && { plan: toWirePlan(plan, cents, currency) }),
  currency,
  split_method,
  base_percent,
  owner_hours,
  next_terms: terms && toNextTerms(terms, currency),
  next_price: next && toNextPrice(next, currency),
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
function toHandover({
  accepted,
  expires_at: expiresAt,
  ...terms
}: StoredHandoverTerms): NonNullable<SharedAsset['handover']> {
  const { price_cents: cents, currency, next_price: next } = terms;
  const read = {
    from_month: terms.from_month,
    price: toAmount(cents, currency),
    ...(terms.plan && { plan: toWirePlan(terms.plan, cents, currency) }),
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

/** Returns a share or offer as its member sees it. */
export function toSharedAsset(share: StoredShare, now: Date): SharedAsset {
  const usedHours = toHours(share.used_seconds);
  const { next_terms, ...current } = toPricing(share);
  return {
    id: share.id,
    asset_name: share.name,
    owner: share.owner,
    owner_hue: hueOf(share.owner_id),
    status: share.past ? 'past' : share.accepted_at === null ? 'offered' : 'accepted',
    accepted: share.accepted_at !== null || share.promised_at !== null,
    starts_on: share.starts_on,
    ends_on: share.ends_on,
    manager_since: share.past ? null : (share.manager_since?.toISOString() ?? null),
    offer:
      share.members === null
        ? null
        : {
            ...current,
            members: share.members,
            expires_at: share.expires_at.toISOString(),
            meters: share.meters ?? [],
          },
    next_terms,
    own: share.own,
    measured: share.measured,
    recorded_by: share.recorded_by,
    terms: share.shown && toWireTerms(share.shown, share.currency),
    cost_of_all: share.shown && toAmount(costOfAll(share.shown), share.currency),
    agreed: share.agreed && share.accepted_at !== null ? toWireTerms(share.agreed, share.currency) : null,
    asked:
      share.accepted_at !== null &&
      share.shown !== null &&
      share.agreed !== null &&
      costsMore(share.shown, share.agreed, now),
    handover: share.handover && toHandover(share.handover),
    next_owner: share.next_owner,
    shared_at: share.created_at.toISOString(),
    ended_at: share.ended_at?.toISOString() ?? null,
    monthly_hours_allocated: share.allocation_hours,
    current_usage: usedHours,
    usage_this_month: usedHours,
    active_session: share.active_since !== null,
    active_since: share.active_since?.toISOString() ?? null,
    last_used_at: share.last_used_at?.toISOString() ?? null,
    asset: { id: share.asset_id, name: share.name, description: share.description, owner: share.owner },
  };
}
