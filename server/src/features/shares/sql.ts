import { sql, type RawBuilder } from 'kysely';
import { OFFER_DAYS } from '@hourshare/contract/limits';
import type { SplitMethod } from '@hourshare/contract/fields';
import {
  dateInPeriod,
  nextPrice,
  nextTerms,
  periodAt,
  sharedDuringPeriod,
  type StoredNextPrice,
  type StoredTerms,
} from '../periods/sql.ts';

// Expressions over shares that any store may join. Only this folder's stores write shares and allowances.

/** When an offer of share `sh` expires. */
export const offerExpiry = sql<Date>`(sh.created_at + make_interval(days => ${OFFER_DAYS}::int))`;

/** Condition: the member of share `sh` said yes, also to access that begins later. */
export const isAgreedShare = sql<boolean>`(sh.accepted_at is not null or sh.promised_at is not null)`;

/** Condition: share `sh` is an offer that nothing has recorded as ended, but that has expired. */
export const isExpiredOffer = (now: Date): RawBuilder<boolean> =>
  sql<boolean>`(not ${isAgreedShare} and sh.ended_at is null and ${offerExpiry} <= ${now}::timestamptz)`;

/** Condition: share `sh` gives access or offers it. */
export const isOpenShare = (now: Date): RawBuilder<boolean> =>
  sql<boolean>`(sh.ended_at is null and (${isAgreedShare} or ${offerExpiry} > ${now}::timestamptz))`;

/** When access that `row`, a share or an invitation, offers to asset `a` can begin at the earliest. */
export const accessFrom = (now: Date, row: 'sh' | 'i'): RawBuilder<Date> => sql<Date>`greatest(${now}::timestamptz, (
  select starts_at from periods where asset_id = a.id and month = ${sql.ref(`${row}.starts_on`)}))`;

/** A lateral table `p`: the period of asset `a` in which `row`, a share or an invitation, gives access now, or first does. */
export const periodOfAccess = (now: Date, row: 'sh' | 'i'): RawBuilder<unknown> => periodAt(accessFrom(now, row));

/** The first day of the access that `row`, a share or an invitation, offers to asset `a`, if it is still to come; null otherwise. */
export const startsLater = (now: Date, row: 'sh' | 'i'): RawBuilder<string | null> => sql<string | null>`(
  select month from periods
  where asset_id = a.id and month = ${sql.ref(`${row}.starts_on`)} and starts_at > ${now}::timestamptz)`;

/** What an asset costs now and later, and how it is split. */
export interface StoredPricing {
  price_cents: number;
  currency: string;
  split_method: SplitMethod;
  base_percent: number;
  owner_hours: number;
  next_terms: StoredTerms | null;
  next_price: StoredNextPrice | null;
}

/** Columns: what asset `a` costs in period `p`, and what differs in later ones. */
export const pricing = sql`
  p.price_cents, a.currency, p.split_method, p.base_percent, p.owner_hours, ${nextPrice} as next_price,
  (
    select ${nextTerms('next')} from periods next
    where next.asset_id = a.id and next.month = (p.month + interval '1 month')::date
  ) as next_terms`;

/** Condition: a co-manager added hours of open share `sh`, or its member, which don't count in the split yet. */
export const isUnconfirmed = sql<boolean>`(case when sh.accepted_at is null then not sh.counted else exists (
  select 1 from (select * from allowances where share_id = sh.id order by since desc limit 1) last
  where last.counted_hours < last.monthly_hours) end)`;

/** The number of members of asset `a` who have accepted. */
export const memberCount = sql<number>`(
  select count(*) from shares each
  where each.asset_id = a.id and not each.own and each.ended_at is null and each.accepted_at is not null
)::int`;

/** Condition: invitation `i` to asset `a` can be accepted: its maker is the owner, or has been a co-manager since before. */
export const isOpenInvitation = (
  now: Date,
): RawBuilder<boolean> => sql<boolean>`(i.expires_at > ${now}::timestamptz and (
  i.maker_id = a.owner_id or exists (
    select 1 from shares making
    where making.asset_id = a.id and making.member_id = i.maker_id and making.manager_since <= i.created_at
      and making.ended_at is null)))`;

/** The unarchived times of period `p` at which share `sh` gave access with row `held` of its allowances, as `piece`s. */
const piecesOfAccess = sql`
  cross join lateral (
    select monthly_hours, agreed_hours, counted_hours, tstzrange(since, lead(since) over (order by since)) as during
    from allowances where share_id = sh.id
  ) held
  cross join lateral unnest(
    tstzmultirange(held.during * tstzrange(sh.accepted_at, sh.ended_at) * tstzrange(p.starts_at, p.ends_at))
    - coalesce(
      (select range_agg(tstzrange(since, until)) from archivals where asset_id = sh.asset_id), '{}'::tstzmultirange
    )
  ) piece`;

/**
 * A lateral table `access` of one row: in period `p`, the `days` on which shares `sh` of one member gave access, and
 * their `summed_hours`: the largest allowance held and agreed to on each of those days, added up. A part of a day counts whole; a
 * day doesn't count if the asset was archived throughout. Source: docs/how-costs-are-split.md.
 */
export const accessInPeriod = (shares: RawBuilder<unknown>): RawBuilder<unknown> => sql`lateral (
  select count(*)::int as days, coalesce(sum(hours), 0)::int as summed_hours
  from (
    select day, max(agreed_hours) as hours
    from shares sh ${piecesOfAccess}
    cross join lateral generate_series(
      case when lower(piece) <= p.starts_at then p.month else ${dateInPeriod(sql`lower(piece)`)} end::timestamp,
      least((p.month + interval '1 month')::date - 1, ${dateInPeriod(sql`(upper(piece) - interval '1 microsecond')`)})::timestamp,
      interval '1 day'
    ) day
    where ${shares} and ${sharedDuringPeriod}
    group by day
  ) by_day
) access`;

/**
 * A lateral table `fullest` of one row: at the fullest moments of period `p` of asset `a`, the `total_hours` of its members and
 * reserved for the owner, and the `places` of its members and the owner. Counted after everything that happens at an instant.
 */
export const fullestMoment = sql`lateral (
  select p.owner_hours + coalesce(max(hours), 0)::int as total_hours, 1 + coalesce(max(members), 0)::int as places
  from (
    select sum(sum(hours)) over (order by at) as hours, sum(sum(members)) over (order by at) as members
    from shares sh ${piecesOfAccess}
    cross join lateral (values
      (lower(piece), counted_hours, sign(counted_hours)), (upper(piece), -counted_hours, -sign(counted_hours))
    ) change (at, hours, members)
    where sh.asset_id = a.id and not sh.own and ${sharedDuringPeriod}
    group by at
  ) levels
) fullest`;
