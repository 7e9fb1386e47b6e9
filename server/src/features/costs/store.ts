import { sql, type RawBuilder } from 'kysely';
import { CORRECTION_HOURS } from '@hourshare/contract/limits';
import { beginOf, monthOf } from '../../platform/database/asset-months.ts';
import { lineSince } from '../../platform/database/line-since.ts';
import { membersOfMonth } from '../../platform/database/month-use.ts';
import type { ClosedLine, Database } from '../../platform/database/tables.ts';
import type { MemberShare, SplitMethod } from './rules.ts';

/** In place of a month: the one that runs in the asset's time zone. */
export const CURRENT = 'current';

const correctionTime = sql`make_interval(hours => ${CORRECTION_HOURS}::int)`;

export interface AssetOfCosts {
  id: number;
  owner_id: number;
  /** The first month that can still be changed, closed or not; `YYYY-MM`, as all months here. */
  first_open_month: string;
  current_month: string;
  created_month: string;
}

const assetColumns = (now: Date) => sql`
  a.id, a.owner_id,
  to_char(
    greatest(a.first_open_month, ${monthOf(sql`(${now}::timestamptz - ${correctionTime})`)}), 'YYYY-MM'
  ) as first_open_month,
  to_char(${monthOf(sql`${now}::timestamptz`)}, 'YYYY-MM') as current_month,
  to_char(${monthOf(sql`a.created_at`)}, 'YYYY-MM') as created_month`;

/** An asset that the user owns, or is or was a member of; undefined for anybody else. */
export async function assetFor(
  db: Database,
  { assetId, userId, now }: { assetId: number; userId: number; now: Date },
): Promise<AssetOfCosts | undefined> {
  const { rows } = await sql<AssetOfCosts>`
    select ${assetColumns(now)} from assets a
    where a.id = ${assetId} and (a.owner_id = ${userId}
      or exists (select 1 from shares sh where sh.asset_id = a.id and sh.member_id = ${userId}))`.execute(db);
  return rows[0];
}

/**
 * The asset with its row locked until the transaction ends: whoever closes, prices or corrects a month does so alone. The
 * owner's row is held first, in the order in which deleting an account takes them.
 */
export async function lockAsset(
  db: Database,
  assetId: number,
  { now, skipLocked = false }: { now: Date; skipLocked?: boolean },
): Promise<AssetOfCosts | undefined> {
  await sql`
    select 1 from users where id = (select owner_id from assets where id = ${assetId}) for key share`.execute(db);
  const { rows } = await sql<AssetOfCosts>`
    select ${assetColumns(now)} from assets a where a.id = ${assetId}
    for no key update ${skipLocked ? sql`skip locked` : sql``}`.execute(db);
  return rows[0];
}

const isDue = (now: Date) =>
  // The first comparison is what the index answers: no zone is further from UTC than 14 hours.
  sql<boolean>`a.first_open_month <= (${now}::timestamptz at time zone 'UTC' - interval '27 days')::date
    and ${beginOf(sql`(a.first_open_month + interval '1 month')`)} + ${correctionTime} <= ${now}::timestamptz`;

/** Assets with a month whose time for corrections is over, of those after an id: all of them, or some. */
export async function dueAssets(
  db: Database,
  { now, which, after = 0, limit }: { now: Date; which?: RawBuilder<unknown>; after?: number; limit: number },
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select a.id from assets a
    where ${isDue(now)} and a.id > ${after} ${which ? sql`and ${which}` : sql``}
    order by a.id limit ${limit}`.execute(db);
  return rows.map(({ id }) => id);
}

export interface StoredMember extends MemberShare {
  username: string;
}

interface StoredMonth {
  asset_name: string;
  owner: string;
  month: string;
  closes_at: Date;
  price_cents: number;
  currency: string;
  split_method: SplitMethod;
  base_percent: number;
  owner_hours: number;
}

/** A month that is not closed, with everything its split is worked out from. */
export interface OpenMonth extends StoredMonth {
  asset_id: number;
  owner_id: number;
  ended: boolean;
  /** Archived before the month began: nobody could use it, nothing is split. */
  archived: boolean;
  members: StoredMember[];
}

/** Where an asset is in a list of one month: by id, then deleted ones by the ids of their statements. */
export type MonthKey = [assetId: number | null, statementId: number];

interface WhichMonths {
  which: RawBuilder<unknown>;
  month?: string | undefined;
  /** Only months of which this user may see a line. */
  seenBy?: number;
  /** Only months before this one. */
  before?: string | undefined;
  /** Only those after this one in a list of one month. */
  after?: MonthKey | undefined;
  limit?: number;
}

/**
 * Months of assets that are not closed, up to the current one, newest first: price, terms, and each member's allocation,
 * days and seconds up to now, all in one statement. A member with several shares is one: days and seconds add up, the
 * allocation is the latest share's. An open share counts to the month's end. `CURRENT` is each asset's own running month.
 */
export async function openMonths(
  db: Database,
  { which, month, seenBy, before, after, limit, now }: WhichMonths & { now: Date },
): Promise<OpenMonth[]> {
  const at = sql`${now}::timestamptz`;
  const inMonth =
    month === undefined
      ? sql``
      : month === CURRENT
        ? sql`and m.ends > ${at}`
        : sql`and m.first_day = ${`${month}-01`}::date::timestamp`;
  const toSee =
    seenBy === undefined
      ? sql``
      : sql`and (a.archived_at is null or a.archived_at > m.begins) and (a.owner_id = ${seenBy} or exists (
          select 1 from shares sh
          where sh.asset_id = a.id and sh.member_id = ${seenBy}
            and sh.created_at < m.ends and (sh.ended_at is null or sh.ended_at > m.begins)))`;
  const { rows } = await sql<OpenMonth>`
    with page as materialized (
      select a.id, m.*
      from assets a
      cross join lateral (
        select first_day, ${beginOf(sql`first_day`)} as begins,
          ${beginOf(sql`(first_day + interval '1 month')`)} as ends
        from generate_series(a.first_open_month::timestamp, ${monthOf(at)}, interval '1 month') first_day
        offset 0
      ) m
      where ${which} ${inMonth} ${toSee} ${after === undefined ? sql`` : sql`and a.id > ${after[0]}::bigint`}
        ${before === undefined ? sql`` : sql`and m.first_day < ${`${before}-01`}::date::timestamp`}
      order by a.id, m.first_day desc
      limit ${limit ?? null}
    )
    select a.id as asset_id, a.name as asset_name, a.owner_id, o.username as owner, a.currency,
      to_char(m.first_day, 'YYYY-MM') as month, m.ends <= ${at} as ended,
      m.ends + ${correctionTime} as closes_at,
      coalesce(a.archived_at <= m.begins, false) as archived,
      p.price_cents, t.split_method, t.base_percent, t.owner_hours,
      coalesce(members.list, '[]'::json) as members
    from page m
    join assets a on a.id = m.id
    join users o on o.id = a.owner_id
    cross join lateral (
      select price_cents from prices
      where asset_id = a.id
      order by from_month <= m.first_day::date desc, abs(from_month - m.first_day::date)
      limit 1
    ) p
    left join lateral (
      select * from past_split_terms where asset_id = a.id and before_month > m.first_day::date
      order by before_month limit 1
    ) past on true
    cross join lateral (
      select coalesce(past.split_method, a.split_method) as split_method,
        coalesce(past.base_percent, a.base_percent) as base_percent,
        coalesce(past.owner_hours, a.owner_hours) as owner_hours
    ) t
    left join ${membersOfMonth(now)} members on true
    order by a.id, m.first_day desc`.execute(db);
  return rows;
}

export const thisAsset = (assetId: number): RawBuilder<unknown> => sql`a.id = ${assetId}`;

/** What a user owns, or is or was a member of. */
export const assetsOf = (userId: number): RawBuilder<unknown> => sql`(a.owner_id = ${userId}
  or a.id in (select sh.asset_id from shares sh where sh.member_id = ${userId}))`;

export const ownedBy = (ownerId: number): RawBuilder<unknown> => sql`a.owner_id = ${ownerId}`;

export interface ClosedMonth extends StoredMonth {
  id: number;
  /** Null when the asset has been deleted. */
  asset_id: number | null;
  owner_id: number | null;
  offered_seconds: number;
  lines: ClosedLine[];
}

export const closedIn = (assetId: number): RawBuilder<unknown> => sql`st.asset_id = ${assetId}`;
export const closedOfOwner = (ownerId: number): RawBuilder<unknown> => sql`st.owner_id = ${ownerId}`;

/** What a user was billed for or has billed, also of assets that have been deleted since. */
export const closedOf = (userId: number): RawBuilder<unknown> => sql`st.id in (
  select id from statements where owner_id = ${userId}
  union select statement_id from statement_lines where user_id = ${userId})`;

const isAfter = ([assetId, statementId]: MonthKey) =>
  assetId === null
    ? sql`and st.asset_id is null and st.id > ${statementId}`
    : sql`and (st.asset_id > ${assetId} or st.asset_id is null)`;

interface WhichClosed extends WhichMonths {
  /** From this month on. */
  since?: string;
  withUse?: true;
}

/** Closed months of assets, newest first, with their lines: the owner's first, then members by username. */
export async function closedMonths(
  db: Database,
  { which, month, since, before, after, seenBy, withUse, limit }: WhichClosed,
): Promise<ClosedMonth[]> {
  const { rows } = await sql<ClosedMonth>`
    select st.id, st.asset_id, st.asset_name, st.owner_id, st.owner_name as owner, to_char(st.month, 'YYYY-MM') as month,
      st.closes_at, st.price_cents, st.currency, st.split_method, st.base_percent, st.owner_hours, st.offered_seconds,
      (select json_agg(json_build_object(
        'id', l.id, 'user_id', l.user_id, 'username', l.username, 'role', l.role,
        'allocation_hours', l.allocation_hours, 'used_seconds', l.used_seconds, 'days', l.days,
        'base_cents', l.base_cents, 'odd_cents', l.odd_cents, 'amount_cents', l.amount_cents,
        'sent', l.sent_at is not null, 'paid', l.paid_at is not null, 'settled', l.settlement_id is not null,
        'since', ${lineSince}
      ) order by l.role = 'member', lower(l.username)) from statement_lines l where l.statement_id = st.id) as lines
    from (
      select * from statements st
      where ${which}
        ${month === undefined ? sql`` : sql`and st.month = ${`${month}-01`}::date`}
        ${since === undefined ? sql`` : sql`and st.month >= ${`${since}-01`}::date`}
        ${before === undefined ? sql`` : sql`and st.month < ${`${before}-01`}::date`}
        ${after === undefined ? sql`` : isAfter(after)}
        ${seenBy === undefined ? sql`` : sql`and (st.owner_id = ${seenBy} or exists (select 1 from statement_lines l where l.statement_id = st.id and l.user_id = ${seenBy}))`}
        ${withUse ? sql`and exists (select 1 from statement_lines l where l.statement_id = st.id and l.used_seconds > 0)` : sql``}
      order by st.month desc, st.asset_id, st.id
      limit ${limit ?? null}
    ) st
    order by st.month desc, st.asset_id, st.id`.execute(db);
  return rows;
}

export interface NewLine {
  /** Null when the account is gone. */
  userId: number | null;
  username: string;
  role: 'owner' | 'member';
  allocationHours: number;
  usedSeconds: number;
  days: number;
  baseCents: number;
  oddCents: number;
  amountCents: number;
}

/** Writes a month down for good. The unique key of asset and month lets it through once. */
export async function insertStatement(
  db: Database,
  of: OpenMonth,
  { offeredSeconds, lines, now }: { offeredSeconds: number; lines: NewLine[]; now: Date },
): Promise<void> {
  const { id } = await db
    .insertInto('statements')
    .values({
      asset_id: of.asset_id,
      asset_name: of.asset_name,
      month: `${of.month}-01`,
      owner_id: of.owner_id,
      owner_name: of.owner,
      price_cents: of.price_cents,
      currency: of.currency,
      split_method: of.split_method,
      base_percent: of.base_percent,
      owner_hours: of.owner_hours,
      offered_seconds: offeredSeconds,
      closes_at: of.closes_at,
      closed_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db
    .insertInto('statement_lines')
    .values(
      lines.map((line) => ({
        statement_id: id,
        owner_id: of.owner_id,
        user_id: line.userId,
        username: line.username,
        role: line.role,
        allocation_hours: line.allocationHours,
        used_seconds: line.usedSeconds,
        days: line.days,
        base_cents: line.baseCents,
        odd_cents: line.oddCents,
        amount_cents: line.amountCents,
      })),
    )
    .execute();
}

/** From now on the month after this one is the first that is open. */
export async function monthIsOver(db: Database, assetId: number, month: string): Promise<void> {
  await sql`
    update assets set first_open_month = (${`${month}-01`}::date + interval '1 month')::date
    where id = ${assetId}`.execute(db);
}

export interface StoredPrice {
  from_month: string;
  price_cents: number;
}

/** Oldest first; all of an asset, or up to `limit` after a month. */
export async function pricesOf(
  db: Database,
  { assetId, after, limit }: { assetId: number; after?: string | undefined; limit?: number },
): Promise<StoredPrice[]> {
  const { rows } = await sql<StoredPrice>`
    select to_char(from_month, 'YYYY-MM') as from_month, price_cents from prices
    where asset_id = ${assetId} ${after === undefined ? sql`` : sql`and from_month > ${`${after}-01`}::date`}
    order by prices.from_month
    limit ${limit ?? null}`.execute(db);
  return rows;
}

export async function setPrice(
  db: Database,
  { assetId, fromMonth, priceCents }: { assetId: number; fromMonth: string; priceCents: number },
): Promise<void> {
  await db
    .insertInto('prices')
    .values({ asset_id: assetId, from_month: `${fromMonth}-01`, price_cents: priceCents })
    .onConflict((conflict) => conflict.columns(['asset_id', 'from_month']).doUpdateSet({ price_cents: priceCents }))
    .execute();
}
