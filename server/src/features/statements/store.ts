import type { SplitMethod } from '@hourshare/contract/fields';
import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../../platform/database/database.ts';
import type { Plan, PricePart } from '../assets/plans/sql.ts';
import { actsFor } from '../assets/sql.ts';
import { costsOfPeriod, type StoredCost } from '../costs/sql.ts';
import {
  archivedThroughout,
  canAnswer,
  closesAt,
  hasOwned,
  nextPrice,
  priceChanges,
  pricePerCycle,
  renewalIn,
  sharedDuringPeriod,
  type StoredNextPrice,
  type StoredPriceChange,
  type StoredRenewal,
} from '../periods/sql.ts';
import { silencesInPeriod } from '../meters/sql.ts';
import { editedSessions, type StoredEditedSession } from '../sessions/sql.ts';
import { lastAgreement } from '../shares/agreements/sql.ts';
import { accessInPeriod, fullestMoment } from '../shares/sql.ts';
import { recordedInPeriod, usedInPeriod, type RecordedUse } from '../usage/sql.ts';
import type { MemberShare } from './rules.ts';
import { lineSince, userScope, type ClosedCost, type Scope, type StoredLine } from './sql.ts';

/** Means the current month in the asset's time zone, also if a deletion has ended it. */
export const CURRENT = 'current';

/** Returns whether a user is or was the owner or a member of an asset. */
export async function hasStatements(
  db: Database,
  { assetId, userId }: { assetId: number; userId: number },
): Promise<boolean> {
  const { rows } = await sql`
    select 1 from assets a
    where a.id = ${assetId} and (${hasOwned('a', userId)}
      or exists (
        select 1 from shares sh where sh.asset_id = a.id and sh.member_id = ${userId} and sh.accepted_at is not null))`.execute(
    db,
  );
  return rows.length > 0;
}

/** Returns the asset of a share with which a user has access as a member. */
export async function findSharedAsset(
  db: Database,
  { shareId, userId }: { shareId: number; userId: number },
): Promise<{ asset_id: number; currency: string } | undefined> {
  return db
    .selectFrom('shares as sh')
    .innerJoin('assets as a', 'a.id', 'sh.asset_id')
    .select(['sh.asset_id', 'a.currency'])
    .where('sh.id', '=', shareId)
    .where('sh.member_id', '=', userId)
    .where('sh.own', '=', false)
    .where('sh.accepted_at', 'is not', null)
    .where('sh.ended_at', 'is', null)
    .executeTakeFirst();
}

export interface StoredMember extends MemberShare {
  username: string;
  recorded: RecordedUse;
  /** Their last share in the period. */
  shareId: number;
  /** Whether they can agree to other terms now. */
  canAgree: boolean;
  /** When someone who joined objected to all that was recorded for them in the period, as JSON writes it. */
  objectedAt: string | null;
  /** When they said that they have nothing to edit, as JSON writes it; null if they haven't. */
  confirmedAt: string | null;
}

interface StoredPeriod {
  asset_name: string;
  owner: string;
  /** `YYYY-MM` */
  month: string;
  ends_at: Date;
  closes_at: Date;
  /** When deleting the asset ended it. */
  deleted_at: Date | null;
  /** Its price is 0 then. */
  unbilled: boolean;
  price_cents: number;
  /** What each cycle adds to the price; null for a price per calendar month. */
  price_parts: PricePart[] | null;
  renewal: StoredRenewal | null;
  price_changes: StoredPriceChange[];
  /** Null unless it is running. */
  next_price: StoredNextPrice | null;
  edited_sessions: StoredEditedSession[];
  /** Instants are as JSON writes them. */
  silences: { meter: string; since: string; until: string }[];
  currency: string;
  split_method: SplitMethod;
  base_percent: number;
  owner_hours: number;
  max_hour_cents: number | null;
  owner_takes_part: boolean;
  measured: boolean;
  /** The allowances at the fullest moment, with the reserved hours. */
  total_hours: number;
  /** The members at the fullest moment, and the owner. */
  places: number;
  ended: boolean;
  /** Whether the asset was added, archived or restored within it. */
  partial: boolean;
  /** Whether the user of the filter `seenBy` acts for its owner, and so sees all of it. */
  managed: boolean;
}

/** A period that is not closed, with everything needed to split it. */
export interface OpenPeriod extends StoredPeriod {
  id: null;
  asset_id: number;
  /** The price of a cycle of the plan, or else of the month. */
  cycle_cents: number;
  plan: Plan | null;
  /** Decides who bears an odd cent, with the ids of members; for a deleted account, its former id. */
  owner_id: number;
  /** The owner's own use, if they take part. */
  owner_seconds: number;
  owner_recorded: RecordedUse;
  members: StoredMember[];
  lines: null;
  costs: StoredCost[];
  /** How much of costs a member bears a month without being asked. */
  extra_cost_cents: number;
}

/** A closed period, as recorded. */
export interface ClosedPeriod extends StoredPeriod {
  id: number;
  /** Null when the asset has been deleted. */
  asset_id: number | null;
  owner_id: number | null;
  cycle_cents: null;
  plan: null;
  next_price: null;
  owner_seconds: null;
  owner_recorded: null;
  members: null;
  lines: StoredLine[];
  costs: ClosedCost[];
}

export type AnyPeriod = OpenPeriod | ClosedPeriod;

/** The position of an asset in a list for one month: by id, then deleted ones by the ids of their statements. */
export type MonthKey = [assetId: number | null, statementId: number];

/** Returns the ids after one of the closed statements in which a user has a line. */
export async function closedStatementIds(
  db: Database,
  { userId, limit, after = 0 }: { userId: number; limit: number; after?: number | undefined },
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select st.id from statements st where ${userScope(userId).closed} and st.id > ${after}
    order by st.id limit ${limit}`.execute(db);
  return rows.map(({ id }) => id);
}

interface Filter {
  now: Date;
  /** `YYYY-MM`, or `CURRENT`. */
  month?: string | undefined;
  /** Only periods in which this user has a line. */
  seenBy?: number;
  /** Only months from this one on. */
  since?: string;
  /** Only months before this one. */
  before?: string | undefined;
  /** Only those after this position in a list for one month. */
  after?: MonthKey | undefined;
  /** Only periods that have ended. */
  ended?: true;
  /** Of the closed periods, only the last so many that were used. */
  lastUsed?: number;
  limit?: number;
}

/** Condition: deleting asset `a` ended its period `p`. */
const isCutShort = sql`(a.deleted_at is not null and p.ends_at = a.deleted_at)`;

const firstDay = (month: string) => sql`${`${month}-01`}::date`;

/** Condition: a month is among those that a filter asks for. */
const isAsked = (column: RawBuilder<unknown>, { month, since, before }: Filter) => sql`(true
  ${month === undefined || month === CURRENT ? sql`` : sql`and ${column} = ${firstDay(month)}`}
  ${since === undefined ? sql`` : sql`and ${column} >= ${firstDay(since)}`}
  ${before === undefined ? sql`` : sql`and ${column} < ${firstDay(before)}`})`;

/** Condition: the month of a deletion is the current one. In UTC, because the time zone of an asset that is gone is unknown. */
const isThisMonth = (column: RawBuilder<unknown>, now: Date) =>
  sql`${column} >= date_trunc('month', ${now}::timestamptz at time zone 'UTC')::date`;

/** Condition: the user of the filter, if any, acts for an owner. */
const isManaged = (owner: RawBuilder<unknown>, { seenBy }: Filter) =>
  seenBy === undefined ? sql`false` : sql`coalesce(${actsFor('a', seenBy, owner)}, false)`;

/**
 * Returns periods up to the current one by asset (deleted ones last), newest first: open ones with members' allowances,
 * days, and seconds up to now, closed ones with their lines. Months spent archived are left out.
 * Source: docs/how-costs-are-split.md.
 */
export async function readPeriods(db: Database, scope: Scope, filter: Filter): Promise<AnyPeriod[]> {
  // In this order, so that a period closed meanwhile is read twice rather than never.
  const open = await readOpenPeriods(db, scope.open, filter);
  const closed = await readClosedPeriods(db, scope.closed, filter);
  const known = new Set(closed.map(({ asset_id: assetId, month }) => `${assetId} ${month}`));
  return [...open.filter((period) => !known.has(`${period.asset_id} ${period.month}`)), ...closed]
    .toSorted(inOrder)
    .slice(0, filter.limit);
}

const inOrder = (one: AnyPeriod, other: AnyPeriod): number =>
  Number(one.asset_id === null) - Number(other.asset_id === null) ||
  (one.asset_id ?? 0) - (other.asset_id ?? 0) ||
  (other.month < one.month ? -1 : other.month > one.month ? 1 : 0) ||
  (one.id ?? 0) - (other.id ?? 0);

/** Returns periods that are not closed, by a condition on assets `a` and their periods `p`, in the order of `readPeriods`. */
export async function readOpenPeriods(
  db: Database,
  condition: RawBuilder<unknown>,
  filter: Filter,
): Promise<OpenPeriod[]> {
  const { now, month, seenBy, after, ended, limit } = filter;
  // Deleted assets have no open periods left.
  if (after?.[0] === null) return [];
  const instant = sql`${now}::timestamptz`;
  const { rows } = await sql<OpenPeriod>`
    with page as materialized (
      select a.id as asset_id, p.month
      from assets a join periods p on p.asset_id = a.id
      where ${condition} and p.closed_at is null and p.starts_at <= ${instant}
        and not ${archivedThroughout('a', 'p')} and ${isAsked(sql`p.month`, filter)}
        ${month === CURRENT ? sql`and (p.ends_at > ${instant} or ${isCutShort} and ${isThisMonth(sql`p.month`, now)})` : sql``}
        ${ended ? sql`and p.ends_at <= ${instant}` : sql``}
        ${after === undefined ? sql`` : sql`and a.id > ${after[0]}`}
        ${
          seenBy === undefined
            ? sql``
            : sql`and (${actsFor('a', seenBy, sql`p.owner_id`)} or exists (
                select 1 from shares sh
                where sh.asset_id = a.id and sh.member_id = ${seenBy} and ${sharedDuringPeriod('sh', 'p')}))`
        }
      order by a.id, p.month desc
      limit ${limit ?? null}
    )
    select null as id, a.id as asset_id, coalesce(p.asset_name, a.name) as asset_name,
      coalesce(o.former_id, p.owner_id) as owner_id, o.username as owner, a.currency,
      to_char(p.month, 'YYYY-MM') as month, p.ends_at <= ${instant} as ended, p.partial,
      ${isManaged(sql`p.owner_id`, filter)} as managed, p.ends_at,
      case when ${isCutShort} then a.deleted_at end as deleted_at, p.unbilled, ${closesAt('p')} as closes_at,
      case when p.unbilled then 0 else p.price_cents end as price_cents,
      case when p.unbilled then 0 else ${pricePerCycle('p')} end as cycle_cents, p.plan,
      case when not p.unbilled then p.price_parts end as price_parts, ${renewalIn('p')} as renewal,
      ${priceChanges('p')} as price_changes,
      case when p.ends_at > ${instant} then ${nextPrice('a', 'p')} end as next_price, ${editedSessions('p', now)} as edited_sessions, ${silencesInPeriod('p', now)} as silences,
      p.split_method, p.base_percent, p.owner_hours, p.max_hour_cents, p.owner_takes_part, p.measured,
      fullest.total_hours, fullest.places,
      coalesce((
        select sum(used.seconds) from shares sh cross join ${usedInPeriod('sh', 'p', now)} used
        where sh.asset_id = a.id and sh.own and sh.member_id = p.owner_id and p.owner_takes_part
          and ${sharedDuringPeriod('sh', 'p')}
      ), 0)::bigint as owner_seconds, recorded.list as owner_recorded,
      coalesce(members.list, '[]'::json) as members, null as lines, extra.list as costs, p.extra_cost_cents
    from page
    join assets a on a.id = page.asset_id
    join periods p on p.asset_id = page.asset_id and p.month = page.month
    left join users o on o.id = p.owner_id
    cross join ${fullestMoment('a', 'p')} fullest
    cross join ${recordedInPeriod(sql`sh.asset_id = a.id and sh.own and sh.member_id = p.owner_id and p.owner_takes_part`, 'p', now)} recorded
    cross join ${membersOfPeriod(now)}
    cross join ${costsOfPeriod('a', 'p')} extra
    order by page.asset_id, page.month desc`.execute(db);
  return rows;
}

/** A lateral table `members` of one row: what the members of asset `a` had and used in period `p`, as a `list`; null without any. */
const membersOfPeriod = (now: Date) => sql`lateral (
  select json_agg(json_build_object(
    'userId', coalesce(u.former_id, each.member_id), 'username', u.username, 'shareId', each.share_id,
    'allocationHours', each.hours,
    'usedSeconds', each.seconds, 'recorded', recorded.list, 'days', access.days, 'summedHours', access.summed_hours,
    'agreed', agreement.terms, 'lowestPriceCents', lowest.cents,
    'canAgree', each.open and a.archived_at is null and ${canAnswer('each')},
    'objectedAt', each.objected_at, 'confirmedAt', confirmed.confirmed_at
  ) order by lower(u.username)) as list
  from (
    select sh.member_id, max(sh.id) as share_id, (array_agg(allowance.hours order by sh.id desc))[1] as hours,
      sum(used.seconds)::bigint as seconds, bool_or(sh.ended_at is null) as open,
      case when bool_and(sh.objected_at is not null) then max(sh.objected_at) end as objected_at
    from shares sh
    cross join ${usedInPeriod('sh', 'p', now)} used
    cross join lateral (
      select coalesce((
        select monthly_hours from allowances where share_id = sh.id and since < p.ends_at
        order by since desc limit 1
      ), sh.monthly_hours_allocated) as hours
    ) allowance
    where sh.asset_id = a.id and not sh.own and ${sharedDuringPeriod('sh', 'p')}
    group by sh.member_id
  ) each
  join users u on u.id = each.member_id
  left join confirmations confirmed on confirmed.asset_id = a.id and confirmed.month = p.month
    and confirmed.member_id = each.member_id
  cross join ${recordedInPeriod(sql`sh.asset_id = a.id and sh.member_id = each.member_id and not sh.own`, 'p', now)} recorded
  cross join ${accessInPeriod('p', sql`sh.asset_id = a.id and sh.member_id = each.member_id and not sh.own`)} access
  left join ${lastAgreement('a', 'p', 'each')} agreement on true
  left join lateral (
    -- the price up to each change of the running month that came after their yes
    select min(from_cents) as cents from price_changes
    where asset_id = a.id and month = p.month and from_cents < p.price_cents
      and changed_at > greatest(agreement.agreed_at, p.starts_at) and changed_at < p.ends_at
  ) lowest on agreement.agreed_at is not null
  where access.days > 0
) members`;

/** Returns closed periods, by a condition on statements `st`, in the order of `readPeriods`. */
export async function readClosedPeriods(
  db: Database,
  condition: RawBuilder<unknown>,
  filter: Filter,
): Promise<ClosedPeriod[]> {
  const { now, month, seenBy, after, lastUsed, limit } = filter;
  const { rows } = await sql<ClosedPeriod>`
    select st.id, st.asset_id, st.asset_name, st.owner_id, st.owner_name as owner, st.currency,
      to_char(st.month, 'YYYY-MM') as month, coalesce(p.ends_at <= ${now}::timestamptz, true) as ended,
      coalesce(p.partial, false) as partial, ${isManaged(sql`st.owner_id`, filter)} as managed, st.ends_at,
      st.deleted_at, st.unbilled, st.closes_at, st.price_cents, st.price_parts, st.renewal, null as cycle_cents, null as plan, st.price_changes, null as next_price,
      st.edited_sessions, ${silencesInPeriod('p', now)} as silences, st.split_method, st.base_percent, st.owner_hours, st.max_hour_cents, st.owner_takes_part,
      st.measured, st.total_hours, st.places, null as owner_seconds, null as owner_recorded, null as members, lines.list as lines,
      st.costs
    from (
      select st.* from statements st
      where ${condition} and ${isAsked(sql`st.month`, filter)}
        ${month === CURRENT ? sql`and st.deleted_at is not null and ${isThisMonth(sql`st.month`, now)}` : sql``}
        ${
          seenBy === undefined
            ? sql``
            : sql`and (st.owner_id = ${seenBy}
              or exists (select 1 from assets a where a.id = st.asset_id and ${actsFor('a', seenBy, sql`st.owner_id`)})
              or exists (
                select 1 from statement_lines l where l.statement_id = st.id and l.user_id = ${seenBy}))`
        }
        ${isAfter(after)}
        ${
          lastUsed === undefined
            ? sql`order by st.asset_id, st.month desc, st.id limit ${limit ?? null}`
            : sql`and exists (
                select 1 from statement_lines l where l.statement_id = st.id and l.used_seconds > 0)
              order by st.month desc limit ${lastUsed}`
        }
    ) st
    left join assets a on a.id = st.asset_id
    left join periods p on p.asset_id = st.asset_id and p.month = st.month
    left join lateral (
      select json_agg(json_build_object(
        'id', l.id, 'month', to_char(st.month, 'YYYY-MM'), 'user_id', l.user_id, 'username', l.username, 'role', l.role,
        'allocation_hours', l.allocation_hours, 'used_seconds', l.used_seconds, 'sources', l.sources, 'days', l.days,
        'summed_hours', l.summed_hours, 'agreed', l.agreed, 'lowest_price_cents', l.lowest_price_cents,
        'covered_cents', l.covered_cents, 'base_cents', l.base_cents, 'odd_cents', l.odd_cents, 'amount_cents', l.amount_cents,
        'cost_cents', l.cost_cents, 'paid_cents', l.paid_cents, 'place', l.place,
        'sent_cents', l.sent_cents, 'settled_cents', l.settled_cents, 'marked_sent', l.sent_at is not null,
        'marked_paid', l.paid_at is not null, 'since', ${lineSince('l')}, 'objected_at', l.objected_at
      ) order by l.role = 'member', lower(l.username)) as list
      from statement_lines l where l.statement_id = st.id
    ) lines on true
    order by st.asset_id, st.month desc, st.id`.execute(db);
  return rows;
}

const isAfter = (after: MonthKey | undefined) => {
  if (after === undefined) return sql``;
  const [assetId, statementId] = after;
  return assetId === null
    ? sql`and st.asset_id is null and st.id > ${statementId}`
    : sql`and (st.asset_id > ${assetId} or st.asset_id is null)`;
};
