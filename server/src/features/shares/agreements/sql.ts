import { sql, type RawBuilder } from 'kysely';
import type { AgreedTerms } from '../../assets/terms/rules.ts';
import { pricePerCycle } from '../../periods/sql.ts';
import { fullestMoment } from '../sql.ts';

export type { AgreedTerms } from '../../assets/terms/rules.ts';

// Expressions over terms of members and what they agreed to. Only this folder's store writes agreements.

/** What someone who may join would pay. */
export interface StoredJoining {
  /** As if their access had begun. */
  shown: AgreedTerms;
  measured: boolean;
  /** First day of access if that is still to come. */
  starts_on: string | null;
  /** How many others have access. */
  members: number;
}

/** A JSON object: a row of terms, as the rules have them. */
export const termsAsJson = (row: string): RawBuilder<unknown> => {
  const column = (name: string) => sql.ref(`${row}.${name}`);
  return sql`json_build_object('method', ${column('split_method')}, 'basePercent', ${column('base_percent')},
    'priceCents', ${column('price_cents')}, 'totalHours', ${column('total_hours')}, 'places', ${column('places')},
    'monthlyHours', ${column('monthly_hours')}, 'maxHourCents', ${column('max_hour_cents')}, 'plan', ${column('plan')},
    'extraCostCents', ${column('extra_cost_cents')})`;
};

/** Columns: what period `p` costs the member of share `sh`, at its fullest moment. */
export const termsAt = (
  p: string,
  sh: string,
  fullest: { totalHours: RawBuilder<unknown>; places: RawBuilder<unknown> },
) => sql`
  ${sql.id(p)}.split_method, ${sql.id(p)}.base_percent, case when ${sql.id(p)}.unbilled then 0 else ${pricePerCycle(p)} end as price_cents, ${sql.id(p)}.plan,
  ${fullest.totalHours} as total_hours, ${fullest.places} as places, ${sql.id(sh)}.monthly_hours_allocated as monthly_hours, ${sql.id(p)}.max_hour_cents,
  ${sql.id(p)}.extra_cost_cents`;

/**
 * A lateral table `shown` of one row: what period `p` of asset `a` costs the member of share `sh`; of an offer, as if its access had
 * begun.
 */
export const shownTerms = (a: string, p: string, sh: string) => sql`lateral (
  select ${termsAt(p, sh, {
    totalHours: sql`case when offered.counts then greatest(fullest.total_hours, ${sql.id(p)}.owner_hours + others.hours + ${sql.id(sh)}.monthly_hours_allocated)
      else fullest.total_hours end`,
    places: sql`case when offered.counts then greatest(fullest.places, 2 + others.members) else fullest.places end`,
  })}
  from (select ${sql.id(sh)}.accepted_at is null and ${sql.id(sh)}.counted as counts) offered
  cross join ${fullestMoment(a, p)} fullest
  cross join lateral (
    select coalesce(sum(latest.counted_hours), 0)::int as hours, (count(*) filter (where latest.counted_hours > 0))::int as members
    from shares other cross join lateral (
      select counted_hours from allowances where share_id = other.id order by since desc limit 1
    ) latest
    where offered.counts and other.asset_id = ${sql.id(a)}.id and not other.own and other.accepted_at is not null and other.ended_at is null
  ) others
)`;

/** A lateral table `agreement` of at most one row: what a member `each` of asset `a` last said yes to before period `p` ended. */
export const lastAgreement = (a: string, p: string, each: string) => sql`lateral (
  select terms.agreed_at, ${termsAsJson('terms')} as terms
  from shares agreeing join agreements terms on terms.share_id = agreeing.id and terms.agreed_at < ${sql.id(p)}.ends_at
  where agreeing.asset_id = ${sql.id(a)}.id and agreeing.member_id = ${sql.id(each)}.member_id and agreeing.accepted_at is not null
  order by terms.agreed_at desc, terms.id desc
  limit 1
)`;

/**
 * A JSON object: what the member of share `sh` last said yes to, with fewer hours if the owner has cut them since; null for an offer,
 * and outside the promise.
 */
export const agreedOfShare = (sh: string) => sql`(
  select ${termsAsJson('known')} from (
    select terms.split_method, terms.base_percent, terms.price_cents, terms.plan, terms.total_hours, terms.places, terms.max_hour_cents, terms.extra_cost_cents,
      (select agreed_hours from allowances where share_id = ${sql.id(sh)}.id order by since desc limit 1) as monthly_hours
    from agreements terms where terms.share_id = ${sql.id(sh)}.id and terms.agreed_at is not null
    order by terms.agreed_at desc, terms.id desc limit 1
  ) known)`;

/** A JSON object: what the offer of share `sh` of asset `a` showed when it was made; null if that was in another currency. */
export const shownByOffer = (a: string, sh: string) => sql`(
  select ${termsAsJson('terms')} from agreements terms
  where terms.share_id = ${sql.id(sh)}.id and terms.agreed_at is null and terms.currency = ${sql.id(a)}.currency)`;
