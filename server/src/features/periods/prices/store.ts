import type { Cycle } from '@hourshare/contract/cycles';
import { decimalsOf, PRICE_MAX_MINOR } from '@hourshare/contract/money';
import { sql } from 'kysely';
import type { Database } from '../../../platform/database/database.ts';
import { actsFor } from '../../assets/sql.ts';
import { currentMonth, priceInForce, pricePerCycle } from '../sql.ts';

/**
 * Sets the price of an asset's months without a plan from one on (`YYYY-MM`), until a later month with its own price, and records the
 * change in that month, and in the others that have begun. Closed periods keep theirs.
 */
export async function setPrice(
  db: Database,
  { assetId, month, priceCents, now }: { assetId: number; month: string; priceCents: number; now: Date },
): Promise<void> {
  const first = sql`${`${month}-01`}::date`;
  await sql`
    with changed as materialized (
      select p.month, p.starts_at, p.price_cents
      from periods p
      where p.asset_id = ${assetId} and p.month >= ${first} and p.price_since <= ${first} and p.closed_at is null and p.plan is null
    ), recorded as (
      insert into price_changes (asset_id, month, changed_at, from_cents, to_cents)
      select ${assetId}, month, ${now}::timestamptz, price_cents, ${priceCents}
      from changed
      where (starts_at <= ${now}::timestamptz or month = ${first}) and price_cents <> ${priceCents}
      order by month
    )
    update periods p set price_cents = ${priceCents}, price_since = ${first}
    from changed where p.asset_id = ${assetId} and p.month = changed.month`.execute(db);
}

export interface PriceBefore {
  month: string;
  cents: number;
  /** Of the price; null for a price per month. */
  cycle: Cycle | null;
  currency: string;
}

/** Returns the lowest price that a co-manager may set: the price that the month, by default the current one, has now. */
export async function lowestPriceOfManagers(
  db: Database,
  { assetId, month, now }: { assetId: number; month?: string; now: Date },
): Promise<number> {
  const first = month === undefined ? currentMonth(assetId, now) : sql`${`${month}-01`}::date`;
  const { rows } = await sql<{ price_cents: number }>`
    select ${pricePerCycle('p')} as price_cents from periods p
    where asset_id = ${assetId} and month <= ${first}
    order by month desc limit 1`.execute(db);
  return rows[0]?.price_cents ?? 0;
}

/** Returns what an asset costs in a month, by default the current one: a cycle, or the month if it has no plan. */
export async function priceBefore(
  db: Database,
  { assetId, ...at }: { assetId: number } & ({ month: string } | { now: Date }),
): Promise<PriceBefore | undefined> {
  const month = 'month' in at ? sql`${`${at.month}-01`}::date` : currentMonth(assetId, at.now);
  const { rows } = await sql<PriceBefore>`
    select to_char(p.month, 'YYYY-MM') as month, ${pricePerCycle('p')} as cents, a.currency, p.plan -> 'cycle' as cycle
    from periods p join assets a on a.id = p.asset_id
    where p.asset_id = ${assetId} and p.month = ${month}`.execute(db);
  return rows[0];
}

/** Returns the highest price that an asset's month may get: after its end it can only be lowered. Null before its end. */
export async function highestPrice(
  db: Database,
  { assetId, month, now }: { assetId: number; month: string; now: Date },
): Promise<number | null> {
  const period = await db
    .selectFrom('periods as p')
    .select(pricePerCycle('p').as('price_cents'))
    .where('asset_id', '=', assetId)
    .where('month', '=', `${month}-01`)
    .where('ends_at', '<=', now)
    .executeTakeFirst();
  return period?.price_cents ?? null;
}

/**
 * Converts the prices of an asset that no one has ever had access to: the one in force takes a new amount, if there is one; all
 * others keep their digits. Those of closed months are rounded to what the currency has, as their statements stay what they are.
 * Forgets the changes, which concern no one. What months with a plan cost is for the caller to calculate.
 */
export async function convertPrices(
  db: Database,
  { assetId, from, to, priceCents, now }: { assetId: number; from: string; to: string; priceCents?: number; now: Date },
): Promise<void> {
  const factor = sql`power(10::numeric, ${decimalsOf(to) - decimalsOf(from)}::int)`;
  await sql`
    with forgotten as (delete from price_changes where asset_id = ${assetId})
    update periods p set price_cents = coalesce(
      case when p.plan is null and p.price_since = ${priceInForce(assetId, now)} then ${priceCents ?? null}::bigint end,
      least(round(p.price_cents * ${factor}), ${PRICE_MAX_MINOR})::bigint),
      cycle_cents = case when p.cycle_cents is not null then coalesce(
        case when p.price_since = ${priceInForce(assetId, now)} then ${priceCents ?? null}::bigint end,
        least(round(p.cycle_cents * ${factor}), ${PRICE_MAX_MINOR})::bigint) end,
      max_hour_cents = case when p.max_hour_cents is not null
        then least(round(p.max_hour_cents * ${factor}), ${PRICE_MAX_MINOR})::bigint end,
      extra_cost_cents = least(round(p.extra_cost_cents * ${factor}), ${PRICE_MAX_MINOR})::bigint
    where p.asset_id = ${assetId}`.execute(db);
}

export interface StoredPrice {
  from_month: string;
  price_cents: number;
}

/** Returns up to `limit` prices of an asset in a user's months after a given month, by the month they were set for, oldest first. */
export async function readPrices(
  db: Database,
  { assetId, userId, after, limit }: { assetId: number; userId: number; after?: string | undefined; limit?: number },
): Promise<StoredPrice[]> {
  const { rows } = await sql<StoredPrice>`
    select to_char(p.month, 'YYYY-MM') as from_month, ${pricePerCycle('p')} as price_cents from periods p join assets a on a.id = p.asset_id
    where p.asset_id = ${assetId} and ${actsFor('a', userId, sql`p.owner_id`)} and p.price_since = p.month
      ${after === undefined ? sql`` : sql`and p.month > ${`${after}-01`}::date`}
    order by p.month
    limit ${limit ?? null}`.execute(db);
  return rows;
}
