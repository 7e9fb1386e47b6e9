import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../../../platform/database/database.ts';
import { closesAt, isDue } from '../../periods/sql.ts';
import type { AgreedTerms } from '../../assets/terms/rules.ts';
import type { RecordedUse } from '../../usage/sql.ts';
import type { ClosedCost } from '../sql.ts';
import type { OpenPeriod } from '../store.ts';

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
    where ${isDue('p', now)} and p.asset_id > ${after} ${condition ? sql`and ${condition}` : sql``}
    order by p.asset_id limit ${limit}`.execute(db);
  return rows.map(({ id }) => id);
}

/** Returns the number of periods past their time for corrections. */
export async function countDue(db: Database, now: Date): Promise<number> {
  const { count } = await db
    .selectFrom('periods as p')
    .where(isDue('p', now))
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
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
    select p.asset_id, to_char(p.month, 'YYYY-MM') as month, ${closesAt('p')} as closes_at
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
  summedHours: number;
  agreed: AgreedTerms | null;
  lowestPriceCents: number | null;
  coveredCents: number;
  baseCents: number;
  oddCents: number;
  /** Their part of the price. What they owe has their parts of costs, too, and less what they paid. */
  amountCents: number;
  costCents: number;
  paidCents: number;
}

/** Returns what a line owes, negative if that is owed to its member. */
export const owedCents = ({ amountCents, costCents, paidCents }: NewLine): number =>
  amountCents + costCents - paidCents;

export interface NewStatement {
  period: OpenPeriod;
  /** With the members' last shares, and when someone objected to all that a line charges for, which counts as paid then. */
  lines: (NewLine & { shareId: number | null; recorded: RecordedUse; objectedAt: string | null; place: number })[];
  costs: ClosedCost[];
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
  const headers = statements.map(({ period, lines, costs }) => ({
    asset_id: period.asset_id,
    asset_name: period.asset_name,
    month: `${period.month}-01`,
    owner_id: lines[0]?.userId ?? null,
    owner_name: period.owner,
    price_cents: period.price_cents,
    price_parts: period.price_parts,
    renewal: period.renewal,
    price_changes: period.price_changes,
    edited_sessions: period.edited_sessions,
    costs,
    currency: period.currency,
    split_method: period.split_method,
    base_percent: period.base_percent,
    owner_hours: period.owner_hours,
    max_hour_cents: period.max_hour_cents,
    owner_takes_part: period.owner_takes_part,
    measured: period.measured,
    total_hours: period.total_hours,
    places: period.places,
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
      sources: line.recorded,
      days: line.days,
      summed_hours: line.summedHours,
      agreed: line.agreed,
      lowest_price_cents: line.lowestPriceCents,
      covered_cents: line.coveredCents,
      base_cents: line.baseCents,
      odd_cents: line.oddCents,
      cost_cents: line.costCents,
      paid_cents: line.paidCents,
      amount_cents: owedCents(line),
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
      insert into statements (asset_id, asset_name, month, owner_id, owner_name, price_cents, price_parts, renewal, price_changes,
        edited_sessions, costs, currency, split_method, base_percent, owner_hours, max_hour_cents, owner_takes_part, measured,
        total_hours, places, ends_at, closes_at,
        deleted_at, unbilled, closed_at)
      select h.*, ${now}::timestamptz
      from json_to_recordset(${JSON.stringify(headers)}::json) h (
        asset_id bigint, asset_name text, month date, owner_id bigint, owner_name text, price_cents bigint,
        price_parts jsonb, renewal jsonb, price_changes jsonb, edited_sessions jsonb, costs jsonb, currency text, split_method text, base_percent int, owner_hours int,
        max_hour_cents bigint, owner_takes_part boolean, measured boolean, total_hours int, places int, ends_at timestamptz, closes_at timestamptz, deleted_at timestamptz, unbilled boolean)
      returning id, asset_id, month, owner_id
    ), line as (
      insert into statement_lines (statement_id, owner_id, user_id, share_id, username, role, allocation_hours,
        used_seconds, sources, days, summed_hours, agreed, lowest_price_cents, covered_cents, base_cents, odd_cents, cost_cents, paid_cents, amount_cents, place, objected_at, paid_at)
      select header.id, header.owner_id, l.user_id, l.share_id, l.username, l.role, l.allocation_hours, l.used_seconds,
        l.sources, l.days, l.summed_hours, l.agreed, l.lowest_price_cents, l.covered_cents, l.base_cents, l.odd_cents, l.cost_cents, l.paid_cents, l.amount_cents, l.place, l.objected_at,
        case when l.objected_at is not null then ${now}::timestamptz end
      from json_to_recordset(${JSON.stringify(lines)}::json) l (
        asset_id bigint, month date, user_id bigint, share_id bigint, username text, role text, allocation_hours int,
        used_seconds bigint, sources jsonb, days int, summed_hours int, agreed jsonb, lowest_price_cents bigint, covered_cents bigint, base_cents bigint, odd_cents int, cost_cents bigint, paid_cents bigint, amount_cents bigint, place int,
        objected_at timestamptz)
      join header on header.asset_id = l.asset_id and header.month = l.month
      returning id, statement_id, username
    )
    select header.asset_id, to_char(header.month, 'YYYY-MM') as month, header.id as statement_id, line.id as line_id,
      line.username
    from header join line on line.statement_id = header.id`.execute(db);
  return rows;
}
