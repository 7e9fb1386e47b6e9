import { sql, type RawBuilder } from 'kysely';
import { dayStart, wallClock } from '../../../platform/database/calendar.ts';
import type { Database } from '../../../platform/database/database.ts';
import { toRow, type PeriodTerms } from '../rules.ts';
import {
  archivedThroughout,
  currentMonth,
  isDayOfPeriod,
  isDue,
  sharedDuringPeriod,
  termColumnNames,
  termColumns,
  termValues,
} from '../sql.ts';

const monthOf = (now: Date, zone: RawBuilder<unknown>) =>
  sql`date_trunc('month', ${wallClock(sql`${now}::timestamptz`, zone)})`;

/** How many months after the current one have periods already. */
const MONTHS_AHEAD = sql`interval '2 months'`;

/** Adds the period in which an asset is added, and the following ones. */
export async function insertPeriods(
  db: Database,
  {
    assetId,
    timeZone,
    priceCents,
    ownerId,
    terms,
    now,
  }: { assetId: number; ownerId: number; timeZone: string; priceCents: number; terms: PeriodTerms; now: Date },
): Promise<void> {
  const zone = sql`${timeZone}::text`;
  await sql`
    insert into periods (asset_id, month, time_zone, starts_at, ends_at, price_cents, price_since, ${termColumnNames}, owner_id,
      partial)
    select ${assetId}, month, ${zone}, ${dayStart(sql`month`, zone)},
      ${dayStart(sql`(month + interval '1 month')`, zone)}, ${priceCents}, first, ${termValues(toRow(terms))}, ${ownerId}, month = first and ${wallClock(sql`${now}::timestamptz`, zone)}::date > first::date
    from (select ${monthOf(now, zone)} as first) added
    cross join lateral generate_series(first, first + ${MONTHS_AHEAD}, interval '1 month') month`.execute(db);
}

/** The start of a period: the stored end of the previous one or, further ahead, the start by current time-zone data. */
const nextStart = sql`case when first_day = last.month + interval '1 month' then last.ends_at
  else ${dayStart(sql`first_day`, sql`last.time_zone`)} end`;

/**
 * Ignores conflicts, because several servers may add the same periods. The asset's lock keeps their copies identical.
 */
const copyPrevious = (from: RawBuilder<unknown>) => sql`
  insert into periods (asset_id, month, time_zone, starts_at, ends_at, price_cents, price_since, plan, cycle_cents, ${termColumnNames}, owner_id)
  select last.asset_id, first_day, last.time_zone, ${nextStart},
    ${dayStart(sql`(first_day + interval '1 month')`, sql`last.time_zone`)}, last.price_cents, last.price_since, last.plan, last.cycle_cents,
    ${termColumns('last')}, last.owner_id
  from ${from}
  on conflict do nothing`;

interface AssetBatch {
  /** The assets of the batch that lack a period, in order. */
  ids: number[];
  /** The last asset of the batch; null if it is empty. */
  last: number | null;
}

/**
 * Looks at up to `limit` assets after an id, and locks those that lack a period up to two months after the current one, until
 * the transaction ends.
 */
export async function lockAssetsToExtend(
  db: Database,
  { now, after, limit }: { now: Date; after: number; limit: number },
): Promise<AssetBatch> {
  const { rows } = await sql<AssetBatch>`
    with batch as materialized (
      select id from assets where id > ${after} order by id limit ${limit}
    ), locked as (
      select a.id from assets a
      where a.id in (select id from batch) and a.deleted_at is null and (
        select last.month < ${monthOf(now, sql`last.time_zone`)} + ${MONTHS_AHEAD}
        from periods last where last.asset_id = a.id order by last.month desc limit 1
      )
      order by a.id
      for share
    )
    select (select max(id) from batch) as last, coalesce((select array_agg(id order by id) from locked), '{}') as ids`.execute(
    db,
  );
  return rows[0] ?? { ids: [], last: null };
}

/**
 * Adds the periods that assets lack up to two months after the current one, each a copy of its predecessor. Runs after
 * the statement that locks them, because one that waits for a lock sees other tables as they were before the wait.
 */
export async function extendPeriods(db: Database, assetIds: number[], now: Date): Promise<void> {
  const lastOfEach = sql`unnest(${assetIds}::bigint[]) short (id)
    cross join lateral (select * from periods where asset_id = short.id order by month desc limit 1) last
    cross join lateral generate_series(
      last.month + interval '1 month', ${monthOf(now, sql`last.time_zone`)} + ${MONTHS_AHEAD}, interval '1 month'
    ) first_day`;
  await copyPrevious(lastOfEach).execute(db);
}

/** Adds an asset's periods up to a month, `YYYY-MM`. The asset's row must be locked. */
export async function extendPeriodsTo(db: Database, assetId: number, month: string): Promise<void> {
  const last = sql`(select * from periods where asset_id = ${assetId} order by month desc limit 1) last
    cross join lateral generate_series(
      last.month + interval '1 month', ${`${month}-01`}::timestamp, interval '1 month'
    ) first_day`;
  await copyPrevious(last).execute(db);
}

/**
 * Moves an asset's months after the current one to another zone; the first of them still starts where the current one
 * ends, so that months neither overlap nor leave a gap. Returns the first month changed, `YYYY-MM-DD`.
 */
export async function setTimeZone(
  db: Database,
  { assetId, timeZone, now }: { assetId: number; timeZone: string; now: Date },
): Promise<string | undefined> {
  const zone = sql`${timeZone}::text`;
  const { rows } = await sql<{ month: string }>`
    update periods set
      time_zone = ${zone},
      starts_at = case when periods.month = changed.first then starts_at
        else ${dayStart(sql`periods.month::timestamp`, zone)} end,
      ends_at = ${dayStart(sql`(periods.month + interval '1 month')`, zone)}
    from (
      select min(month) as first from periods
      where asset_id = ${assetId} and closed_at is null and month > ${currentMonth(assetId, now)}
    ) changed
    where asset_id = ${assetId} and periods.month >= changed.first and time_zone <> ${zone}
    returning periods.month`.execute(db);
  return rows.map(({ month }) => month).toSorted()[0];
}

/** Marks the period of an instant as one during part of which the asset was absent or archived. */
export async function markPartial(
  db: Database,
  { assetId, now, exceptFirstDay }: { assetId: number; now: Date; exceptFirstDay: boolean },
): Promise<void> {
  await sql`
    update periods set partial = true
    where asset_id = ${assetId} and starts_at <= ${now}::timestamptz and ends_at > ${now}::timestamptz
      and closed_at is null
      ${exceptFirstDay ? sql`and ${wallClock(sql`${now}::timestamptz`, sql`time_zone`)}::date > month` : sql``}
  `.execute(db);
}

/** Marks an asset's period of an instant as unbilled. It stays so, because members may rely on paying nothing for it. */
export async function setUnbilled(db: Database, { assetId, now }: { assetId: number; now: Date }): Promise<void> {
  await db
    .updateTable('periods')
    .set({ unbilled: true })
    .where('asset_id', '=', assetId)
    .where('starts_at', '<=', now)
    .where('ends_at', '>', now)
    .where('closed_at', 'is', null)
    .execute();
}

/**
 * Ends a deleted asset's running period now and removes those after it. Removes the running one, too, if there is nothing to
 * split: no member had access to it, or it is neither billed nor used, and no cost counts in it.
 */
export async function endPeriods(db: Database, assetId: number, now: Date): Promise<void> {
  const instant = sql`${now}::timestamptz`;
  await sql`
    update periods set ends_at = ${instant}, partial = true
    where asset_id = ${assetId} and closed_at is null and starts_at < ${instant} and ends_at > ${instant}`.execute(db);
  await sql`
    delete from periods p using assets a
    where a.id = p.asset_id and p.asset_id = ${assetId} and p.closed_at is null
      and (p.starts_at >= ${instant} or p.ends_at = ${instant} and (
        ${archivedThroughout('a', 'p')}
        or not exists (select 1 from shares sh where sh.asset_id = p.asset_id and not sh.own and ${sharedDuringPeriod('sh', 'p')})
        or p.unbilled and not exists (
          select 1 from costs c where c.asset_id = p.asset_id and c.month = p.month and c.status = 'counted'
        ) and not exists (
          select 1 from shares sh join usage_days d on d.share_id = sh.id
          where sh.asset_id = p.asset_id and not sh.own and ${isDayOfPeriod('p', sql`d.day`)} and d.seconds + d.sessions > 0)))`.execute(
    db,
  );
}

/** Keeps an asset's old name for periods that are due to close before a rename. */
export async function keepNameOfDuePeriods(db: Database, assetId: number, now: Date): Promise<void> {
  await sql`
    update periods p set asset_name = a.name
    from assets a
    where a.id = p.asset_id and p.asset_id = ${assetId} and p.asset_name is null and ${isDue('p', now)}`.execute(db);
}

/**
 * Returns gaps and overlaps in the periods of assets; each period must start where the previous one ends. A deleted asset that is
 * kept because of its offers may have none.
 */
export async function brokenPeriods(db: Database): Promise<string[]> {
  const { rows } = await sql<{ asset_id: number; month: string; problem: string }>`
    select asset_id, to_char(month, 'YYYY-MM') as month, problem
    from (
      select asset_id, month, case
        when month <> (lag(month) over neighbors + interval '1 month')::date then 'the previous month is missing'
        when starts_at <> lag(ends_at) over neighbors then 'starts at a different time than the previous month ends'
        when closed_at is not null and lag(closed_at) over neighbors is null and lag(month) over neighbors is not null
          then 'closed, but the previous month is open'
      end as problem
      from periods
      window neighbors as (partition by asset_id order by month)
    ) checked
    where problem is not null
    union all
    select id, '', 'has no months' from assets a
    where a.deleted_at is null and not exists (select 1 from periods where asset_id = a.id)
    order by asset_id, month`.execute(db);
  return rows.map(({ asset_id, month, problem }) => `asset ${asset_id}${month && `, ${month}`}: ${problem}`);
}
