import { sql } from 'kysely';
import type { Database } from '../../../platform/database/database.ts';
import type { Plan, PricePart } from '../../assets/plans/rules.ts';
import { currentMonth, currentPeriod, pricePerCycle } from '../sql.ts';

/** A month of an asset and its price. */
export interface PricedMonth {
  asset_id: number;
  /** `YYYY-MM` */
  month: string;
  /** Whether it can still change. */
  open: boolean;
  ended: boolean;
  current: boolean;
  /** Of a cycle of the plan, if there is one; otherwise of the month. */
  cycle_cents: number;
  plan: Plan | null;
  calculated: boolean;
  /** When the cycles began that an ended month consists of; null for others. */
  charged: string[] | null;
  ends_on: string | null;
}

/** Returns all months of those assets that have a plan in some month, in order. */
export async function readPlannedMonths(
  db: Database,
  { assetIds, now }: { assetIds: number[]; now: Date },
): Promise<PricedMonth[]> {
  const { rows } = await sql<PricedMonth>`
    select p.asset_id, to_char(p.month, 'YYYY-MM') as month, p.closed_at is null as open,
      p.ends_at <= ${now}::timestamptz as ended, p.month = running.month as current,
      ${pricePerCycle('p')} as cycle_cents, p.plan, p.price_parts is not null as calculated, a.ends_on,
      case when p.ends_at <= ${now}::timestamptz and p.price_parts is not null
        then array(select part ->> 'cycle_from' from jsonb_array_elements(p.price_parts) part) end as charged
    from unnest(${assetIds}::bigint[]) asked (id)
    join assets a on a.id = asked.id
    cross join ${currentPeriod('a', now)} running
    join periods p on p.asset_id = a.id
    where exists (select 1 from periods each where each.asset_id = a.id and each.plan is not null)
    order by p.asset_id, p.month`.execute(db);
  return rows;
}

/** Records what open months cost, and with `changedAt` what those that have begun cost before. */
export async function writeCosts(
  db: Database,
  costs: { asset_id: number; month: string; price_cents: number; price_parts: PricePart[] }[],
  changedAt: Date | undefined,
): Promise<void> {
  if (costs.length === 0) return;
  const rows = sql`json_to_recordset(${JSON.stringify(costs.map((cost) => ({ ...cost, month: `${cost.month}-01` })))}::json) cost (
    asset_id bigint, month date, price_cents bigint, price_parts jsonb)`;
  if (changedAt)
    await sql`
      insert into price_changes (asset_id, month, changed_at, from_cents, to_cents)
      select p.asset_id, p.month, ${changedAt}::timestamptz, p.price_cents, cost.price_cents
      from ${rows} join periods p on p.asset_id = cost.asset_id and p.month = cost.month
      where p.starts_at <= ${changedAt}::timestamptz and p.price_cents <> cost.price_cents
      order by p.month`.execute(db);
  await sql`
    update periods p set price_cents = cost.price_cents, price_parts = cost.price_parts
    from ${rows} where p.asset_id = cost.asset_id and p.month = cost.month and p.closed_at is null`.execute(db);
}

/**
 * Sets the plan of an asset from its current month on. A price, if given, applies until the next month that has its own. If the
 * length of the cycle changes, it replaces later prices, too, because they were for the old length. The caller calculates what the
 * months cost. With `changedAt`, records what the running month cost before, unless that is recorded.
 */
export async function setPlan(
  db: Database,
  {
    assetId,
    plan,
    priceCents,
    isOtherLength,
    changedAt,
    now,
  }: {
    assetId: number;
    plan: Plan | null;
    priceCents: number | undefined;
    isOtherLength: boolean;
    changedAt?: Date;
    now: Date;
  },
): Promise<void> {
  const first = currentMonth(assetId, now);
  const isPlanned = sql`${plan !== null}::boolean`;
  await sql`
    with first as materialized (select ${first} as month), priced as materialized (
      select p.month, p.starts_at, p.price_cents as before, first.month as first, p.price_since, known.is_new,
        case when known.is_new then ${priceCents ?? null}::bigint else ${pricePerCycle('p')} end as cents
      from periods p cross join first
      cross join lateral (
        select ${priceCents !== undefined}::boolean and (${isOtherLength}::boolean or p.price_since <= first.month) as is_new
      ) known
      where p.asset_id = ${assetId} and p.month >= first.month and p.closed_at is null
    ), recorded as (
      insert into price_changes (asset_id, month, changed_at, from_cents, to_cents)
      select ${assetId}, month, ${changedAt ?? now}::timestamptz, before, cents from priced
      where not ${isPlanned} and ${changedAt !== undefined}::boolean and starts_at <= ${now}::timestamptz and before <> cents
      order by month
    )
    update periods p set
      plan = ${plan ? JSON.stringify(plan) : null}::jsonb, price_parts = null,
      cycle_cents = case when ${isPlanned} then priced.cents end,
      price_cents = case when ${isPlanned} then p.price_cents else priced.cents end,
      price_since = case when priced.is_new then priced.first else p.price_since end
    from priced where p.asset_id = ${assetId} and p.month = priced.month`.execute(db);
}

/** Sets the price of cycles that start from a month on, until a later month with its own price. */
export async function setCyclePrice(
  db: Database,
  { assetId, month, priceCents }: { assetId: number; month: string; priceCents: number },
): Promise<void> {
  const first = sql`${`${month}-01`}::date`;
  await sql`
    update periods set cycle_cents = ${priceCents}, price_since = ${first}
    where asset_id = ${assetId} and month >= ${first} and price_since <= ${first} and closed_at is null and plan is not null`.execute(
    db,
  );
}
