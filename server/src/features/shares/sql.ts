import { sql, type RawBuilder } from 'kysely';
import { OFFER_DAYS } from '@hourshare/contract/limits';
import type { SplitMethod } from '@hourshare/contract/fields';
import { belongsTo, isCoManagedBy } from '../assets/sql.ts';
import type { Plan } from '../assets/plans/sql.ts';
import {
  dateInPeriod,
  nextPrice,
  nextTerms,
  periodAt,
  pricePerCycle,
  sharedDuringPeriod,
  type StoredNextPrice,
  type StoredTerms,
} from '../periods/sql.ts';

// Expressions over shares that any store may join. Only this folder's stores write shares and allowances.

/** When an offer of share `sh` expires. */
export const offerExpiry = (sh: string) =>
  sql<Date>`(${sql.id(sh)}.created_at + make_interval(days => ${OFFER_DAYS}::int))`;

/** Condition: the member of share `sh` said yes, also to access that begins later. */
export const isAgreedShare = (sh: string) =>
  sql<boolean>`(${sql.id(sh)}.accepted_at is not null or ${sql.id(sh)}.promised_at is not null)`;

/** Condition: share `sh` is an offer that nothing has recorded as ended, but that has expired. */
export const isExpiredOffer = (sh: string, now: Date): RawBuilder<boolean> =>
  sql<boolean>`(not ${isAgreedShare(sh)} and ${sql.id(sh)}.ended_at is null and ${offerExpiry(sh)} <= ${now}::timestamptz)`;

/** Condition: share `sh` gives access or offers it. */
export const isOpenShare = (sh: string, now: Date): RawBuilder<boolean> =>
  sql<boolean>`(${sql.id(sh)}.ended_at is null and (${isAgreedShare(sh)} or ${offerExpiry(sh)} > ${now}::timestamptz))`;

/** When access that `row`, a share or an invitation, offers to asset `a` can begin at the earliest. */
export const accessFrom = (
  a: string,
  row: 'sh' | 'i',
  now: Date,
): RawBuilder<Date> => sql<Date>`greatest(${now}::timestamptz, (
  select starts_at from periods where asset_id = ${sql.id(a)}.id and month = ${sql.ref(`${row}.starts_on`)}))`;

/** A lateral table `p`: the period of asset `a` in which `row`, a share or an invitation, gives access now, or first does. */
export const periodOfAccess = (a: string, row: 'sh' | 'i', now: Date): RawBuilder<unknown> =>
  periodAt(a, accessFrom(a, row, now));

/** The first day of the access that `row`, a share or an invitation, offers to asset `a`, if it is still to come; null otherwise. */
export const startsLater = (a: string, row: 'sh' | 'i', now: Date): RawBuilder<string | null> => sql<string | null>`(
  select month from periods
  where asset_id = ${sql.id(a)}.id and month = ${sql.ref(`${row}.starts_on`)} and starts_at > ${now}::timestamptz)`;

/** What an asset costs now and later, and how it is split. */
export interface StoredPricing {
  /** Of a cycle of the plan, if there is one; otherwise of a month. */
  price_cents: number;
  plan: Plan | null;
  currency: string;
  split_method: SplitMethod;
  base_percent: number;
  owner_hours: number;
  next_terms: StoredTerms | null;
  next_price: StoredNextPrice | null;
}

/** Columns: what asset `a` costs in period `p`, and what differs in later ones. */
export const pricing = (a: string, p: string) => sql`
  ${pricePerCycle(p)} as price_cents, ${sql.id(p)}.plan, ${sql.id(a)}.currency, ${sql.id(p)}.split_method, ${sql.id(p)}.base_percent, ${sql.id(p)}.owner_hours, ${nextPrice(a, p)} as next_price,
  (
    select ${nextTerms(p, 'next')} from periods next
    where next.asset_id = ${sql.id(a)}.id and next.month = (${sql.id(p)}.month + interval '1 month')::date
  ) as next_terms`;

/** Condition: a co-manager added hours of open share `sh`, or its member, which don't count in the split yet. */
export const isUnconfirmed = (
  sh: string,
) => sql<boolean>`(case when ${sql.id(sh)}.accepted_at is null then not ${sql.id(sh)}.counted else exists (
  select 1 from (select * from allowances where share_id = ${sql.id(sh)}.id order by since desc limit 1) last
  where last.counted_hours < last.monthly_hours) end)`;

/** The number of members of asset `a` who have accepted. */
export const memberCount = (a: string) => sql<number>`(
  select count(*) from shares each
  where each.asset_id = ${sql.id(a)}.id and not each.own and each.ended_at is null and each.accepted_at is not null
)::int`;

/** Condition: invitation `i` to asset `a` can be accepted: its maker is the owner, or has been a co-manager since before. */
export const isOpenInvitation = (
  a: string,
  i: string,
  now: Date,
): RawBuilder<boolean> => sql<boolean>`(${sql.id(i)}.expires_at > ${now}::timestamptz and (
  ${sql.id(i)}.maker_id = ${sql.id(a)}.owner_id or exists (
    select 1 from shares making
    where making.asset_id = ${sql.id(a)}.id and making.member_id = ${sql.id(i)}.maker_id and making.manager_since <= ${sql.id(i)}.created_at
      and making.ended_at is null)))`;

/** The unarchived times of period `p` at which share `sh` gave access with row `held` of its allowances, as `piece`s. */
const piecesOfAccess = (sh: string, p: string) => sql`
  cross join lateral (
    select monthly_hours, agreed_hours, counted_hours, tstzrange(since, lead(since) over (order by since)) as during
    from allowances where share_id = ${sql.id(sh)}.id
  ) held
  cross join lateral unnest(
    tstzmultirange(held.during * tstzrange(${sql.id(sh)}.accepted_at, ${sql.id(sh)}.ended_at) * tstzrange(${sql.id(p)}.starts_at, ${sql.id(p)}.ends_at))
    - coalesce(
      (select range_agg(tstzrange(since, until)) from archivals where asset_id = ${sql.id(sh)}.asset_id), '{}'::tstzmultirange
    )
  ) piece`;

/** The first and the last local day of period `p` that such a piece of access touches. */
const firstDayOfPiece = (p: string) =>
  sql`case when lower(piece) <= ${sql.id(p)}.starts_at then ${sql.id(p)}.month else ${dateInPeriod(p, sql`lower(piece)`)} end`;
const lastDayOfPiece = (p: string) =>
  sql`least((${sql.id(p)}.month + interval '1 month')::date - 1, ${dateInPeriod(p, sql`(upper(piece) - interval '1 microsecond')`)})`;

/** A table of who had access to asset `a` on a day of period `p`: `member_id`, and the largest allowance agreed to and held, `hours`. */
export const accessOnDay = (a: string, p: string, day: RawBuilder<unknown>): RawBuilder<unknown> => sql`(
  select sh.member_id, max(agreed_hours)::int as hours
  from shares sh ${piecesOfAccess('sh', p)}
  where sh.asset_id = ${sql.id(a)}.id and not sh.own and ${sharedDuringPeriod('sh', p)}
    and ${day} between ${firstDayOfPiece(p)} and ${lastDayOfPiece(p)}
  group by sh.member_id
)`;

/**
 * A lateral table `access` of one row: in period `p`, the `days` on which shares `sh` of one member gave access, and
 * their `summed_hours`: the largest allowance held and agreed to on each of those days, added up. A part of a day counts whole; a
 * day doesn't count if the asset was archived throughout. Source: docs/how-costs-are-split.md.
 */
export const accessInPeriod = (p: string, shares: RawBuilder<unknown>): RawBuilder<unknown> => sql`lateral (
  select count(*)::int as days, coalesce(sum(hours), 0)::int as summed_hours
  from (
    select day, max(agreed_hours) as hours
    from shares sh ${piecesOfAccess('sh', p)}
    cross join lateral generate_series(
      (${firstDayOfPiece(p)})::timestamp,
      (${lastDayOfPiece(p)})::timestamp,
      interval '1 day'
    ) day
    where ${shares} and ${sharedDuringPeriod('sh', p)}
    group by day
  ) by_day
)`;

/** What shares `sh` of period `p` add to its level and take from it, as `change`s. */
const changesOfLevel = (p: string) => sql`${piecesOfAccess('sh', p)}
    cross join lateral (values
      (lower(piece), counted_hours, sign(counted_hours)), (upper(piece), -counted_hours, -sign(counted_hours))
    ) change (at, hours, members)`;

/**
 * A lateral table `fullest` of one row: at the fullest moments of period `p` of asset `a`, the `total_hours` of its members and
 * reserved for the owner, and the `places` of its members and the owner. Counted after everything that happens at an instant.
 */
export const fullestMoment = (a: string, p: string) => sql`lateral (
  select ${sql.id(p)}.owner_hours + coalesce(max(hours), 0)::int as total_hours, 1 + coalesce(max(members), 0)::int as places
  from (
    select sum(sum(hours)) over (order by at) as hours, sum(sum(members)) over (order by at) as members
    from shares sh ${changesOfLevel(p)}
    where sh.asset_id = ${sql.id(a)}.id and not sh.own and ${sharedDuringPeriod('sh', p)}
    group by at
  ) levels
)`;

/**
 * A lateral table `level` of one row: the `hours` and `members` that count in period `p` of asset `a`, which isn't archived, now, and
 * whether anything `changes` them in it. If nothing does, as in most months, they are those of the fullest moment, at a fifth of the cost.
 */
export const presentLevel = (a: string, p: string) => sql`lateral (
  select coalesce(sum(latest.counted_hours), 0)::int as hours,
    (count(*) filter (where latest.counted_hours > 0))::int as members,
    coalesce(bool_or(
      each.accepted_at > ${sql.id(p)}.starts_at or each.ended_at is not null or latest.since > ${sql.id(p)}.starts_at
    ), false) as changes
  from shares each
  cross join lateral (
    select since, counted_hours from allowances where share_id = each.id order by since desc limit 1
  ) latest
  where each.asset_id = ${sql.id(a)}.id and not each.own and ${sharedDuringPeriod('each', p)}
)`;

/**
 * Condition: a user may decide about the use and hours of share `sh` of asset `a` for its owner. Co-managers can't decide about shares of
 * co-managers, which would let them favor each other, of the owner, or of people without an account, as the owner vouches for them.
 * Source: docs/decisions/0059-consent.md.
 */
export const mayManageShare = (a: string, sh: string, userId: number): RawBuilder<boolean> => sql<boolean>`(
  ${belongsTo(a, userId)} or ${isCoManagedBy(a, userId)} and not ${sql.id(sh)}.own and not ${isCoManagedBy(a, sql`${sql.id(sh)}.member_id`)}
    and not exists (select 1 from users where id = ${sql.id(sh)}.member_id and host_id is not null))`;

export interface ShareOfMember {
  shareId: number;
  memberId: number;
}

/** Condition: share `sh` is this one of its member, and open. */
export const isShareOfMember = (
  sh: string,
  { shareId, memberId }: ShareOfMember,
  now: Date,
): RawBuilder<boolean> => sql<boolean>`
  ${sql.id(sh)}.id = ${shareId} and ${sql.id(sh)}.member_id = ${memberId} and ${isOpenShare(sh, now)}`;

export interface ManagedShare {
  /** The owner or a co-manager of the asset. */
  userId: number;
  assetId: number;
  shareId: number;
}

/** Condition: share `sh` is this one of an asset `a` that meets a condition, open, and not the owner's own. */
export const isOpenShareOf = (
  sh: string,
  { assetId, shareId }: ManagedShare,
  now: Date,
  manages: RawBuilder<boolean>,
): RawBuilder<boolean> => sql<boolean>`
  ${sql.id(sh)}.id = ${shareId} and not ${sql.id(sh)}.own and ${isOpenShare(sh, now)} and ${sql.id(sh)}.asset_id = ${assetId}
  and exists (select 1 from assets a where a.id = ${sql.id(sh)}.asset_id and ${manages})`;

/** Condition: share `sh` is this one, open, and one about which the user may decide. */
export const isManageableShare = (sh: string, share: ManagedShare, now: Date): RawBuilder<boolean> =>
  isOpenShareOf(sh, share, now, sql`a.deleted_at is null and ${mayManageShare('a', sh, share.userId)}`);

/** A JSON array: the meters of asset `a`. */
export const metersOf = (a: string): RawBuilder<unknown> => sql`(
  select coalesce(json_agg(json_build_object('id', m.id, 'name', m.name, 'kind', m.kind) order by m.id), '[]')
  from meters m where m.asset_id = ${sql.id(a)}.id
)`;

/** The name of a meter that counts what share `sh` uses, whose member agreed by an instant, so that there is nothing to start; null without one. */
export const countedBy = (sh: string, since: Date): RawBuilder<string | null> => sql<string | null>`(
  select m.name from meter_members member join meters m on m.id = member.meter_id
  where member.share_id = ${sql.id(sh)}.id and member.agreed and member.changed_at <= ${since}::timestamptz and m.kind = 'totals'
  order by m.id limit 1
)`;
