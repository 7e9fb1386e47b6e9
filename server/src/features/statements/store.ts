import { sql, type RawBuilder } from 'kysely';
import type { SplitMethod } from '@hourshare/contract/fields';
import type { Database } from '../../platform/database/database.ts';
import type { Names } from '../../events.ts';
import { renamedGuest } from '../accounts/sql.ts';
import { actsFor, isOwnedBy } from '../assets/sql.ts';
import {
  archivedThroughout,
  closesAt,
  hasOwned,
  isDue,
  nextPrice,
  priceChanges,
  sharedDuringPeriod,
  type StoredNextPrice,
  type StoredPriceChange,
} from '../periods/sql.ts';
import { editedSessions, type StoredEditedSession } from '../sessions/sql.ts';
import { accessInPeriod } from '../shares/sql.ts';
import { usedInPeriod } from '../usage/sql.ts';
import { lineSince, type StoredLine } from './sql.ts';
import type { MemberShare } from './rules.ts';

/** Means the current month in the asset's time zone, also if a deletion has ended it. */
export const CURRENT = 'current';

/** Returns whether a user is or was the owner or a member of an asset. */
export async function hasStatements(
  db: Database,
  { assetId, userId }: { assetId: number; userId: number },
): Promise<boolean> {
  const { rows } = await sql`
    select 1 from assets a
    where a.id = ${assetId} and (${hasOwned(userId)}
      or exists (
        select 1 from shares sh where sh.asset_id = a.id and sh.member_id = ${userId} and sh.accepted_at is not null))`.execute(
    db,
  );
  return rows.length > 0;
}

/** The owners of assets, now and in the months that aren't closed. */
const ownerIds = (assetIds: number[]) => sql`
  select owner_id as id from assets where id = any(${assetIds}::bigint[])
  union
  select owner_id from periods where asset_id = any(${assetIds}::bigint[]) and closed_at is null`;

/**
 * Locks assets until the transaction ends, so that only one transaction at a time closes, prices, or corrects their
 * periods; returns those found and, on request, not locked already. Owners are locked first, in the order in which
 * deleting an account does.
 */
export async function lockAssets(
  db: Database,
  assetIds: number[],
  { skipLocked = false }: { skipLocked?: boolean } = {},
): Promise<number[]> {
  await sql`
    select 1 from users where id in (${ownerIds(assetIds)})
    order by id for key share`.execute(db);
  const rows = await db
    .selectFrom('assets')
    .select('id')
    .where('id', '=', (builder) => builder.fn.any(builder.val(assetIds)))
    .orderBy('id')
    .forNoKeyUpdate()
    .$if(skipLocked, (query) => query.skipLocked())
    .execute();
  return rows.map(({ id }) => id);
}

/** Returns the owners of assets, now and in open months, and everyone who has or had access to them. */
export async function participantIds(db: Database, assetIds: number[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    ${ownerIds(assetIds)}
    union
    select member_id from shares where asset_id = any(${assetIds}::bigint[]) and accepted_at is not null`.execute(db);
  return rows.map(({ id }) => id);
}

/** Returns assets after an id that have a period past its time for corrections: all of them, or some. */
export async function dueAssets(
  db: Database,
  { now, condition, after = 0, limit }: { now: Date; condition?: RawBuilder<unknown>; after?: number; limit: number },
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select distinct p.asset_id as id from periods p ${condition ? sql`join assets a on a.id = p.asset_id` : sql``}
    where ${isDue(now)} and p.asset_id > ${after} ${condition ? sql`and ${condition}` : sql``}
    order by p.asset_id limit ${limit}`.execute(db);
  return rows.map(({ id }) => id);
}

/** Returns the number of periods past their time for corrections. */
export async function countDue(db: Database, now: Date): Promise<number> {
  const { count } = await db
    .selectFrom('periods as p')
    .where(isDue(now))
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

export interface StoredMember extends MemberShare {
  username: string;
  /** Their last share in the period. */
  shareId: number;
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
  price_changes: StoredPriceChange[];
  /** Null unless it is running. */
  next_price: StoredNextPrice | null;
  edited_sessions: StoredEditedSession[];
  currency: string;
  split_method: SplitMethod;
  base_percent: number;
  owner_hours: number;
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
  /** Decides who bears an odd cent, with the ids of members; for a deleted account, its former id. */
  owner_id: number;
  offered_seconds: null;
  members: StoredMember[];
  lines: null;
}

/** A closed period, as recorded. */
export interface ClosedPeriod extends StoredPeriod {
  id: number;
  /** Null when the asset has been deleted. */
  asset_id: number | null;
  owner_id: number | null;
  offered_seconds: number;
  members: null;
  lines: StoredLine[];
}

export type AnyPeriod = OpenPeriod | ClosedPeriod;

/** The position of an asset in a list for one month: by id, then deleted ones by the ids of their statements. */
export type MonthKey = [assetId: number | null, statementId: number];

/** Selects periods by conditions on assets `a` and their periods `p` for open ones, and on statements `st` for closed ones. */
export interface Scope {
  open: RawBuilder<unknown>;
  closed: RawBuilder<unknown>;
}

export const assetScope = (assetId: number): Scope => ({
  open: sql`a.id = ${assetId}`,
  closed: sql`st.asset_id = ${assetId}`,
});

/** The periods of assets that are still to be closed. */
export const openScope = (assetIds: number[]): Scope => ({
  open: sql`a.id = any(${assetIds}::bigint[])`,
  closed: sql`false`,
});

/** The open periods of assets to which a user has or had access. */
export const openMemberScope = (userId: number): Scope => ({
  open: sql`a.id in (select asset_id from shares where member_id = ${userId} and accepted_at is not null)`,
  closed: sql`false`,
});

/** An owner's months of all assets that they own now, or of one that they own or owned. */
export function ownerScope(userId: number, assetId?: number): Scope {
  if (assetId === undefined)
    return {
      open: sql`${isOwnedBy(userId)} and p.owner_id = ${userId}`,
      closed: sql`st.owner_id = ${userId} and st.asset_id in (select a.id from assets a where ${isOwnedBy(userId)})`,
    };
  return {
    open: sql`a.id = ${assetId} and ${actsFor(userId, sql`p.owner_id`)}`,
    closed: sql`st.asset_id = ${assetId}
      and exists (select 1 from assets a where a.id = ${assetId} and ${actsFor(userId, sql`st.owner_id`)})`,
  };
}

/** What a user owns, is or was a member of, or either, including what was billed for assets deleted since. */
export function userScope(userId: number, role?: 'owner' | 'member'): Scope {
  const eitherOf = (owned: RawBuilder<unknown>, used: RawBuilder<unknown>) =>
    role === 'owner' ? owned : role === 'member' ? used : sql`${owned} union ${used}`;
  return {
    open: sql`a.id in (${eitherOf(
      sql`select asset_id from periods where owner_id = ${userId} and closed_at is null`,
      sql`select asset_id from shares where member_id = ${userId} and accepted_at is not null`,
    )}) ${role === undefined ? sql`` : sql`and p.owner_id ${role === 'owner' ? sql`=` : sql`<>`} ${userId}`}`,
    closed: sql`st.id in (${eitherOf(
      sql`select id from statements where owner_id = ${userId}`,
      sql`select statement_id from statement_lines where user_id = ${userId} and role = 'member'`,
    )})`,
  };
}

/** Closed statements by their ids. */
export const statementScope = (ids: number[]): Scope => ({
  open: sql`false`,
  closed: sql`st.id = any(${ids}::bigint[])`,
});

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

const isAfter = (after: MonthKey | undefined) => {
  if (after === undefined) return sql``;
  const [assetId, statementId] = after;
  return assetId === null
    ? sql`where asset_id is null and statement_id > ${statementId}`
    : sql`where asset_id > ${assetId} or asset_id is null`;
};

/**
 * Returns periods up to the current one by asset (deleted ones last), newest first: open ones with members' allowances,
 * days, hour-days, and seconds up to now, closed ones with their lines. One statement gives one snapshot, so a period closed
 * meanwhile appears once. Months spent archived are left out. Source: docs/how-costs-are-split.md.
 */
export async function readPeriods(db: Database, scope: Scope, filter: Filter): Promise<AnyPeriod[]> {
  const { now, month, seenBy, since, before, after, ended, lastUsed, limit } = filter;
  const instant = sql`${now}::timestamptz`;
  // In UTC, because the time zone of an asset that is gone is unknown.
  const isThisMonth = (column: RawBuilder<unknown>) =>
    sql`${column} >= date_trunc('month', ${instant} at time zone 'UTC')::date`;
  const months = (column: RawBuilder<unknown>) => sql`
    ${month === undefined || month === CURRENT ? sql`` : sql`and ${column} = ${firstDay(month)}`}
    ${since === undefined ? sql`` : sql`and ${column} >= ${firstDay(since)}`}
    ${before === undefined ? sql`` : sql`and ${column} < ${firstDay(before)}`}`;
  const { rows } = await sql<AnyPeriod>`
    with page as materialized (
      select * from (
        select a.id as asset_id, p.month, null::bigint as statement_id
        from assets a join periods p on p.asset_id = a.id
        where ${scope.open} and p.closed_at is null and p.starts_at <= ${instant}
          and not ${archivedThroughout} ${months(sql`p.month`)}
          ${month === CURRENT ? sql`and (p.ends_at > ${instant} or ${isCutShort} and ${isThisMonth(sql`p.month`)})` : sql``}
          ${ended ? sql`and p.ends_at <= ${instant}` : sql``}
          ${
            seenBy === undefined
              ? sql``
              : sql`and (${actsFor(seenBy, sql`p.owner_id`)} or exists (
                  select 1 from shares sh
                  where sh.asset_id = a.id and sh.member_id = ${seenBy} and ${sharedDuringPeriod}))`
          }
        union all
        (
          select st.asset_id, st.month, st.id
          from statements st
          where ${scope.closed} ${months(sql`st.month`)}
            ${month === CURRENT ? sql`and st.deleted_at is not null and ${isThisMonth(sql`st.month`)}` : sql``}
            ${
              seenBy === undefined
                ? sql``
                : sql`and (st.owner_id = ${seenBy}
                  or exists (select 1 from assets a where a.id = st.asset_id and ${actsFor(seenBy, sql`st.owner_id`)})
                  or exists (
                    select 1 from statement_lines l where l.statement_id = st.id and l.user_id = ${seenBy}))`
            }
            ${
              lastUsed === undefined
                ? sql``
                : sql`and exists (
                    select 1 from statement_lines l where l.statement_id = st.id and l.used_seconds > 0)
                  order by st.month desc limit ${lastUsed}`
            }
        )
      ) found
      ${isAfter(after)}
      order by asset_id, month desc, statement_id
      limit ${limit ?? null}
    )
    select page.statement_id as id, page.asset_id,
      coalesce(st.asset_name, p.asset_name, a.name) as asset_name,
      case when st.id is null then coalesce(o.former_id, p.owner_id) else st.owner_id end as owner_id,
      coalesce(st.owner_name, o.username) as owner,
      coalesce(st.currency, a.currency) as currency,
      to_char(page.month, 'YYYY-MM') as month,
      coalesce(p.ends_at <= ${instant}, true) as ended,
      coalesce(p.partial, false) as partial,
      ${
        seenBy === undefined
          ? sql`false`
          : sql`coalesce(${actsFor(seenBy, sql`case when st.id is null then p.owner_id else st.owner_id end`)}, false)`
      } as managed,
      coalesce(st.ends_at, p.ends_at) as ends_at,
      case when st.id is not null then st.deleted_at when ${isCutShort} then a.deleted_at end as deleted_at,
      coalesce(st.unbilled, p.unbilled) as unbilled,
      coalesce(st.closes_at, ${closesAt}) as closes_at,
      coalesce(st.price_cents, case when p.unbilled then 0 else p.price_cents end) as price_cents,
      coalesce(st.price_changes, ${priceChanges}) as price_changes,
      case when st.id is null and p.ends_at > ${instant} then ${nextPrice} end as next_price,
      coalesce(st.edited_sessions, ${editedSessions}) as edited_sessions,
      coalesce(st.split_method, p.split_method) as split_method,
      coalesce(st.base_percent, p.base_percent) as base_percent,
      coalesce(st.owner_hours, p.owner_hours) as owner_hours,
      st.offered_seconds,
      case when st.id is null then coalesce(members.list, '[]'::json) end as members,
      lines.list as lines
    from page
    left join statements st on st.id = page.statement_id
    left join assets a on a.id = page.asset_id
    left join periods p on p.asset_id = page.asset_id and p.month = page.month
    left join users o on o.id = p.owner_id
    left join lateral (
      select json_agg(json_build_object(
        'userId', coalesce(u.former_id, each.member_id), 'username', u.username, 'shareId', each.share_id,
        'allocationHours', each.hours,
        'usedSeconds', each.seconds, 'days', access.days, 'hourDays', access.hour_days,
        'objectedAt', each.objected_at, 'confirmedAt', confirmed.confirmed_at
      ) order by lower(u.username)) as list
      from (
        select sh.member_id, max(sh.id) as share_id, (array_agg(allowance.hours order by sh.id desc))[1] as hours,
          sum(used.seconds)::bigint as seconds,
          case when bool_and(sh.objected_at is not null) then max(sh.objected_at) end as objected_at
        from shares sh
        cross join ${usedInPeriod(now)}
        cross join lateral (
          select coalesce((
            select monthly_hours from allowances where share_id = sh.id and since < p.ends_at
            order by since desc limit 1
          ), sh.monthly_hours_allocated) as hours
        ) allowance
        where st.id is null and sh.asset_id = a.id and ${sharedDuringPeriod}
        group by sh.member_id
      ) each
      join users u on u.id = each.member_id
      left join confirmations confirmed on confirmed.asset_id = a.id and confirmed.month = p.month
        and confirmed.member_id = each.member_id
      cross join ${accessInPeriod(sql`sh.asset_id = a.id and sh.member_id = each.member_id`)}
    ) members on true
    left join lateral (
      select json_agg(json_build_object(
        'id', l.id, 'month', to_char(page.month, 'YYYY-MM'), 'user_id', l.user_id, 'username', l.username, 'role', l.role,
        'allocation_hours', l.allocation_hours, 'used_seconds', l.used_seconds, 'days', l.days,
        'hour_days', l.hour_days, 'base_cents', l.base_cents, 'odd_cents', l.odd_cents, 'amount_cents', l.amount_cents,
        'place', l.place,
        'sent_cents', l.sent_cents, 'settled_cents', l.settled_cents, 'marked_sent', l.sent_at is not null,
        'marked_paid', l.paid_at is not null, 'since', ${lineSince}, 'objected_at', l.objected_at
      ) order by l.role = 'member', lower(l.username)) as list
      from statement_lines l where l.statement_id = st.id
    ) lines on true
    order by page.asset_id, page.month desc, page.statement_id`.execute(db);
  return rows;
}

export interface EndedPeriod {
  asset_id: number;
  /** `YYYY-MM` */
  month: string;
  /** When its time for corrections ends. */
  closes_at: Date;
}

/** Returns the ended periods of assets that are still open, oldest first. */
export async function endedOpenPeriods(db: Database, assetIds: number[], now: Date): Promise<EndedPeriod[]> {
  const { rows } = await sql<EndedPeriod>`
    select p.asset_id, to_char(p.month, 'YYYY-MM') as month, ${closesAt} as closes_at
    from periods p
    where p.asset_id = any(${assetIds}::bigint[]) and p.closed_at is null and p.ends_at <= ${now}::timestamptz
    order by p.asset_id, p.month`.execute(db);
  return rows;
}

export interface NewLine {
  /** Null if the account was deleted. */
  userId: number | null;
  username: string;
  role: 'owner' | 'member';
  allocationHours: number;
  usedSeconds: number;
  days: number;
  hourDays: number;
  baseCents: number;
  oddCents: number;
  amountCents: number;
}

export interface NewStatement {
  period: OpenPeriod;
  offeredSeconds: number;
  /** With the members' last shares, and when someone objected to all that a line charges for, which counts as paid then. */
  lines: (NewLine & { shareId: number | null; objectedAt: string | null; place: number })[];
}

/**
 * Records statements for good; the unique key of asset and month lets each through once. Returns the ids of statements
 * and lines by asset, month, and username.
 */
export async function insertStatements(
  db: Database,
  statements: NewStatement[],
  now: Date,
): Promise<{ asset_id: number; month: string; statement_id: number; line_id: number; username: string }[]> {
  const headers = statements.map(({ period, offeredSeconds, lines }) => ({
    asset_id: period.asset_id,
    asset_name: period.asset_name,
    month: `${period.month}-01`,
    owner_id: lines[0]?.userId ?? null,
    owner_name: period.owner,
    price_cents: period.price_cents,
    price_changes: period.price_changes,
    edited_sessions: period.edited_sessions,
    currency: period.currency,
    split_method: period.split_method,
    base_percent: period.base_percent,
    owner_hours: period.owner_hours,
    offered_seconds: offeredSeconds,
    ends_at: period.ends_at,
    closes_at: period.closes_at,
    deleted_at: period.deleted_at,
    unbilled: period.unbilled,
  }));
  const lines = statements.flatMap(({ period, lines: each }) =>
    each.map((line) => ({
      asset_id: period.asset_id,
      month: `${period.month}-01`,
      user_id: line.userId,
      share_id: line.shareId,
      objected_at: line.objectedAt,
      username: line.username,
      role: line.role,
      allocation_hours: line.allocationHours,
      used_seconds: line.usedSeconds,
      days: line.days,
      hour_days: line.hourDays,
      base_cents: line.baseCents,
      odd_cents: line.oddCents,
      amount_cents: line.amountCents,
      place: line.place,
    })),
  );
  const { rows } = await sql<{
    asset_id: number;
    month: string;
    statement_id: number;
    line_id: number;
    username: string;
  }>`
    with header as (
      insert into statements (asset_id, asset_name, month, owner_id, owner_name, price_cents, price_changes,
        edited_sessions, currency, split_method, base_percent, owner_hours, offered_seconds, ends_at, closes_at,
        deleted_at, unbilled, closed_at)
      select h.*, ${now}::timestamptz
      from json_to_recordset(${JSON.stringify(headers)}::json) h (
        asset_id bigint, asset_name text, month date, owner_id bigint, owner_name text, price_cents bigint,
        price_changes jsonb, edited_sessions jsonb, currency text, split_method text, base_percent int, owner_hours int,
        offered_seconds bigint, ends_at timestamptz, closes_at timestamptz, deleted_at timestamptz, unbilled boolean)
      returning id, asset_id, month, owner_id
    ), line as (
      insert into statement_lines (statement_id, owner_id, user_id, share_id, username, role, allocation_hours,
        used_seconds, days, hour_days, base_cents, odd_cents, amount_cents, place, objected_at, paid_at)
      select header.id, header.owner_id, l.user_id, l.share_id, l.username, l.role, l.allocation_hours, l.used_seconds,
        l.days, l.hour_days, l.base_cents, l.odd_cents, l.amount_cents, l.place, l.objected_at,
        case when l.objected_at is not null then ${now}::timestamptz end
      from json_to_recordset(${JSON.stringify(lines)}::json) l (
        asset_id bigint, month date, user_id bigint, share_id bigint, username text, role text, allocation_hours int,
        used_seconds bigint, days int, hour_days int, base_cents bigint, odd_cents int, amount_cents bigint, place int,
        objected_at timestamptz)
      join header on header.asset_id = l.asset_id and header.month = l.month
      returning id, statement_id, username
    )
    select header.asset_id, to_char(header.month, 'YYYY-MM') as month, header.id as statement_id, line.id as line_id,
      line.username
    from header join line on line.statement_id = header.id`.execute(db);
  return rows;
}

/** Replaces a user's name on all statements, and in the names of people without an account that contain it. */
export async function hideName(db: Database, userId: number, { from, to }: Names): Promise<void> {
  const renamed = (name: RawBuilder<unknown>) => renamedGuest(name, { from, to });
  await sql`
    update statements st set edited_sessions = (
      select jsonb_agg(case
          when (each ->> 'member_id')::bigint = ${userId} and each ->> 'username' = ${from}::text
            then jsonb_set(each, '{username}', to_jsonb(${to}::text))
          when st.owner_id = ${userId}
            then jsonb_set(each, '{username}', to_jsonb(${renamed(sql`(each ->> 'username')`)}))
          else each
        end order by position)
      from jsonb_array_elements(st.edited_sessions) with ordinality listed (each, position)
    )
    where st.edited_sessions <> '[]' and st.id in (
      select id from statements where owner_id = ${userId}
      union all select statement_id from statement_lines where user_id = ${userId}
    )`.execute(db);
  await sql`update statements set owner_name = ${to} where owner_id = ${userId}`.execute(db);
  await sql`
    update statement_lines set username = ${to}
    where user_id = ${userId} and username = ${from}`.execute(db);
  const person = sql`username`;
  await sql`
    update statement_lines set username = ${renamed(person)}
    where owner_id = ${userId} and username <> ${renamed(person)}`.execute(db);
}
