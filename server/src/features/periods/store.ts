import { sql, type RawBuilder } from 'kysely';
import { CORRECTION_HOURS, LATE_EDIT_HOURS, LATE_EDIT_MAX_DAYS } from '@hourshare/contract/limits';
import { decimalsOf } from '@hourshare/contract/money';
import { dayStart, wallClock } from '../../platform/database/calendar.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { PeriodTerms } from './rules.ts';
import { actsFor, isKeptFor, isManagedBy } from '../assets/sql.ts';
import { dayOfPeriod } from '../usage/sql.ts';
import { archivedThroughout, canAnswer, closesAt, currentPeriod, hasOwned, isDue, isOfAccount, isOpenProposal, ownerDuring, priceInForce, sharedDuringPeriod } from './sql.ts';

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
    insert into periods (asset_id, month, time_zone, starts_at, ends_at, price_cents, price_since, split_method,
      base_percent, owner_hours, max_session_hours, owner_id, partial)
    select ${assetId}, month, ${zone}, ${dayStart(sql`month`, zone)},
      ${dayStart(sql`(month + interval '1 month')`, zone)}, ${priceCents}, first, ${terms.method}, ${terms.basePercent},
      ${terms.ownerHours}, ${terms.maxSessionHours}, ${ownerId}, month = first and ${wallClock(sql`${now}::timestamptz`, zone)}::date > first::date
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
  insert into periods (asset_id, month, time_zone, starts_at, ends_at, price_cents, price_since, split_method,
    base_percent, owner_hours, max_session_hours, owner_id)
  select last.asset_id, first_day, last.time_zone, ${nextStart},
    ${dayStart(sql`(first_day + interval '1 month')`, sql`last.time_zone`)}, last.price_cents, last.price_since,
    last.split_method, last.base_percent, last.owner_hours, last.max_session_hours, last.owner_id
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

/** The first day of the month of an instant, as SQL. */
const currentMonth = (assetId: number, now: Date) => sql<string>`(
  select p.month from assets a cross join ${currentPeriod(now)} where a.id = ${assetId})`;

/**
 * Sets the price of an asset from a month on (`YYYY-MM`; the current one by default), until a later month with its own
 * price, and records the change in the first of those months, and in the others that have begun. Closed periods keep theirs.
 * Returns what the first of those months cost before; undefined if it is closed or costs the same.
 */
export async function setPrice(
  db: Database,
  { assetId, fromMonth, priceCents, now }: { assetId: number; fromMonth?: string; priceCents: number; now: Date },
): Promise<PriceBefore | undefined> {
  const first = fromMonth === undefined ? currentMonth(assetId, now) : sql`${`${fromMonth}-01`}::date`;
  const { rows } = await sql<PriceBefore>`
    with first as materialized (select ${first} as month), changed as materialized (
      select p.asset_id, p.month, p.price_cents
      from periods p cross join first
      where p.asset_id = ${assetId} and p.month >= first.month and p.price_since <= first.month and p.closed_at is null
    ), recorded as (
      insert into price_changes (asset_id, month, changed_at, from_cents, from_currency, to_cents, to_currency)
      select p.asset_id, p.month, ${now}::timestamptz, changed.price_cents, a.currency, ${priceCents}, a.currency
      from changed
      join assets a on a.id = changed.asset_id
      join periods p on p.asset_id = changed.asset_id and p.month = changed.month
      cross join first
      where (p.starts_at <= ${now}::timestamptz or p.month = first.month) and changed.price_cents <> ${priceCents}
      order by p.month
    ), updated as (
      update periods p set price_cents = ${priceCents}, price_since = first.month
      from changed cross join first
      where p.asset_id = changed.asset_id and p.month = changed.month
    )
    select to_char(changed.month, 'YYYY-MM') as month, changed.price_cents as cents, a.currency
    from changed join first on first.month = changed.month join assets a on a.id = changed.asset_id
    where changed.price_cents <> ${priceCents}`.execute(db);
  return rows[0];
}

export interface PriceBefore {
  month: string;
  cents: number;
  currency: string;
}

/** Returns the lowest price that a co-manager may set for a month, by default the current one: its price, if it has begun. */
export async function lowestPriceOfManagers(
  db: Database,
  { assetId, month, now }: { assetId: number; month?: string; now: Date },
): Promise<number> {
  const first = month === undefined ? currentMonth(assetId, now) : sql`${`${month}-01`}::date`;
  const { rows } = await sql<{ price_cents: number }>`
    select price_cents from periods
    where asset_id = ${assetId} and month = ${first} and starts_at <= ${now}::timestamptz`.execute(db);
  return rows[0]?.price_cents ?? 0;
}

/** Returns the highest price that an asset's month may get: after its end it can only be lowered. Null before its end. */
export async function highestPrice(
  db: Database,
  { assetId, month, now }: { assetId: number; month: string; now: Date },
): Promise<number | null> {
  const period = await db
    .selectFrom('periods')
    .select('price_cents')
    .where('asset_id', '=', assetId)
    .where('month', '=', `${month}-01`)
    .where('ends_at', '<=', now)
    .executeTakeFirst();
  return period?.price_cents ?? null;
}

/**
 * Converts an asset's prices to another currency with the same digits; the one in force takes a new amount, if there is
 * one. No period is closed, and each amount is one that the currency allows.
 */
export async function convertPrices(
  db: Database,
  { assetId, from, to, priceCents, now }: { assetId: number; from: string; to: string; priceCents?: number; now: Date },
): Promise<void> {
  const factor = sql`power(10::numeric, ${decimalsOf(to) - decimalsOf(from)}::int)`;
  await sql`
    with converted as materialized (
      select p.month, p.price_since, p.starts_at, p.price_cents, case
        when p.price_since = ${priceInForce(assetId, now)} then coalesce(${priceCents ?? null}::bigint,
          (p.price_cents * ${factor})::bigint)
        else (p.price_cents * ${factor})::bigint end as new_cents
      from periods p where p.asset_id = ${assetId} and p.closed_at is null
    ), recorded as (
      insert into price_changes (asset_id, month, changed_at, from_cents, from_currency, to_cents, to_currency)
      select ${assetId}, month, ${now}::timestamptz, price_cents, ${from}::text, new_cents, ${to}::text
      from converted where starts_at <= ${now}::timestamptz or month = price_since
    )
    update periods p set price_cents = converted.new_cents
    from converted where p.asset_id = ${assetId} and p.month = converted.month`.execute(db);
}

interface KnownTerms {
  current: PeriodTerms;
  next: PeriodTerms;
  hasMembers: boolean;
  /** When the current period ends. */
  endsAt: Date;
  /** The month after the current one, YYYY-MM. */
  nextMonth: string;
}

/** A JSON object: the terms of a row. */
const termsOf = (row: string) => sql`json_build_object('method', ${sql.ref(`${row}.split_method`)},
  'basePercent', ${sql.ref(`${row}.base_percent`)}, 'ownerHours', ${sql.ref(`${row}.owner_hours`)},
  'maxSessionHours', ${sql.ref(`${row}.max_session_hours`)})`;

/** Returns the terms of an asset's current period and of the next, as an owner changes them. */
export async function readTerms(db: Database, assetId: number, now: Date): Promise<KnownTerms | undefined> {
  const { rows } = await sql<KnownTerms>`
    select ${termsOf('p')} as current, ${termsOf('following')} as next, exists (
        select 1 from shares sh where sh.asset_id = a.id and ${sharedDuringPeriod} and ${isOfAccount}
      ) as "hasMembers", p.ends_at as "endsAt", to_char(following.month, 'YYYY-MM') as "nextMonth"
    from assets a cross join ${currentPeriod(now)}
    join periods following on following.asset_id = a.id and following.month = (p.month + interval '1 month')::date
    where a.id = ${assetId}`.execute(db);
  return rows[0];
}

/** Changes an asset's terms from the current month on, or from the next. */
export async function setTerms(
  db: Database,
  { assetId, terms, from, now }: { assetId: number; terms: PeriodTerms; from: 'current' | 'next'; now: Date },
): Promise<void> {
  await db
    .updateTable('periods')
    .set({
      split_method: terms.method,
      base_percent: terms.basePercent,
      owner_hours: terms.ownerHours,
      max_session_hours: terms.maxSessionHours,
    })
    .where('asset_id', '=', assetId)
    .where('month', from === 'current' ? '>=' : '>', currentMonth(assetId, now))
    .where('closed_at', 'is', null)
    .execute();
}

/** Ends an asset's open proposal of terms. Returns whether there was one. */
export async function withdrawProposal(db: Database, assetId: number, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('term_proposals')
    .set({ withdrawn_at: now })
    .where('asset_id', '=', assetId)
    .where('applied_at', 'is', null)
    .where('withdrawn_at', 'is', null)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** Proposes terms for an asset's current month. No other proposal may be open. */
export async function insertProposal(
  db: Database,
  { assetId, terms, now }: { assetId: number; terms: PeriodTerms; now: Date },
): Promise<void> {
  await sql`
    insert into term_proposals (asset_id, month, split_method, base_percent, owner_hours, max_session_hours, proposed_at)
    values (${assetId}, ${currentMonth(assetId, now)}, ${terms.method}, ${terms.basePercent}, ${terms.ownerHours},
      ${terms.maxSessionHours}, ${now}::timestamptz)`.execute(db);
}

/**
 * Locks the asset of a proposal that a member of its month may still answer, through any of their shares, and returns its id;
 * undefined if there is no such proposal.
 */
export async function lockProposal(
  db: Database,
  { proposalId, shareId, memberId, clock }: { proposalId: number; shareId: number; memberId: number; clock: Clock },
): Promise<number | undefined> {
  const { rows: locked } = await sql<{ id: number }>`
    select a.id from assets a join shares sh on sh.asset_id = a.id
    where sh.id = ${shareId} and sh.member_id = ${memberId}
    for no key update of a`.execute(db);
  const [asset] = locked;
  if (!asset) return undefined;
  // A separate statement, because one that waits for a lock sees other tables as they were before the wait.
  const { rows } = await sql`
    select 1 from assets a cross join ${currentPeriod(clock())}
    join term_proposals t on t.asset_id = a.id and t.month = p.month and ${isOpenProposal}
    join shares sh on sh.asset_id = a.id and sh.id = ${shareId} and ${sharedDuringPeriod}
    where a.id = ${asset.id} and t.id = ${proposalId}`.execute(db);
  return rows.length > 0 ? asset.id : undefined;
}

/** Records a member's answer to a proposal; it replaces an earlier one. */
export async function answerProposal(
  db: Database,
  { proposalId, memberId, agreed, now }: { proposalId: number; memberId: number; agreed: boolean; now: Date },
): Promise<void> {
  await db
    .insertInto('term_answers')
    .values({ proposal_id: proposalId, member_id: memberId, agreed, answered_at: now })
    .onConflict((conflict) => conflict.columns(['proposal_id', 'member_id']).doUpdateSet({ agreed, answered_at: now }))
    .execute();
}

/** Applies a proposal to its month and the following ones if every member of that month has agreed. Its asset is locked. */
export const applyIfAgreed = (db: Database, proposalId: number, now: Date): Promise<AppliedTerms[]> =>
  applyAgreed(db, sql`t.id = ${proposalId}`, now);

/** Applies the proposals that all others have agreed to, in the assets to which a user who can't answer anymore had access. */
export async function applyAgreedWithout(db: Database, userId: number, now: Date): Promise<AppliedTerms[]> {
  const theirs = sql`(select asset_id from shares where member_id = ${userId})`;
  await sql`select 1 from assets where id in ${theirs} order by id for no key update`.execute(db);
  const isAgreed = sql`exists (select 1 from term_answers where proposal_id = t.id and agreed)`;
  return applyAgreed(db, sql`t.asset_id in ${theirs} and ${isAgreed}`, now);
}

export interface AppliedTerms {
  asset_id: number;
  /** The month from which on they apply, YYYY-MM. */
  month: string;
  before: PeriodTerms;
  after: PeriodTerms;
}

/** Applies the proposals that meet a condition and that every member of their month has agreed to. */
async function applyAgreed(db: Database, condition: RawBuilder<unknown>, now: Date): Promise<AppliedTerms[]> {
  const { rows } = await sql<AppliedTerms>`
    with agreed as (
      update term_proposals t set applied_at = ${now}::timestamptz
      where ${condition} and ${isOpenProposal} and not exists (
        select 1 from periods p join shares sh on sh.asset_id = p.asset_id
        where p.asset_id = t.asset_id and p.month = t.month and ${sharedDuringPeriod} and ${canAnswer} and not exists (
          select 1 from term_answers where proposal_id = t.id and member_id = sh.member_id and agreed)
      )
      returning *
    ), applied as (
      update periods p set split_method = agreed.split_method, base_percent = agreed.base_percent,
        owner_hours = agreed.owner_hours, max_session_hours = agreed.max_session_hours
      from agreed
      where p.asset_id = agreed.asset_id and p.month >= agreed.month and p.closed_at is null
    )
    select p.asset_id, to_char(p.month, 'YYYY-MM') as month, ${termsOf('p')} as before, ${termsOf('agreed')} as after
    from agreed join periods p on p.asset_id = agreed.asset_id and p.month = agreed.month
    order by p.asset_id`.execute(db);
  return rows;
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

/** Chooses whether an asset's period of an instant is billed; others stay as they are. */
export async function setUnbilled(
  db: Database,
  { assetId, unbilled, now }: { assetId: number; unbilled: boolean; now: Date },
): Promise<void> {
  await db
    .updateTable('periods')
    .set({ unbilled })
    .where('asset_id', '=', assetId)
    .where('starts_at', '<=', now)
    .where('ends_at', '>', now)
    .where('closed_at', 'is', null)
    .execute();
}

/**
 * Ends a deleted asset's running period now and removes those after it. Removes the running one, too, if there is nothing to
 * split: no member had access to it, or it is neither billed nor used.
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
        ${archivedThroughout}
        or not exists (select 1 from shares sh where sh.asset_id = p.asset_id and ${sharedDuringPeriod})
        or p.unbilled and not exists (
          select 1 from shares sh join usage_days d on d.share_id = sh.id
          where sh.asset_id = p.asset_id and ${dayOfPeriod} and d.seconds + d.sessions > 0)))`.execute(db);
}

/** Keeps an asset's old name for periods that are due to close before a rename. */
export async function keepNameOfDuePeriods(db: Database, assetId: number, now: Date): Promise<void> {
  await sql`
    update periods p set asset_name = a.name
    from assets a
    where a.id = p.asset_id and p.asset_id = ${assetId} and p.asset_name is null and ${isDue(now)}`.execute(db);
}

export interface OwnedPeriods {
  current_month: string;
  first_month: string;
  /** The first month that can still be changed; null if none can. All months here are `YYYY-MM`. */
  first_open_month: string | null;
  currency: string;
  /** Whether the current month has ended, as deleting the asset makes it. */
  ended: boolean;
}

/**
 * Locks an asset that a user manages or has owned until the transaction ends. Callers check afterwards whether the user still
 * manages it.
 */
export async function lockManagedAsset(
  db: Database,
  { assetId, userId }: { assetId: number; userId: number },
): Promise<void> {
  await sql`
    select 1 from assets a
    where a.id = ${assetId} and ${isKeptFor(userId)} and (${isManagedBy(userId)} or ${hasOwned(userId)})
    for no key update of a`.execute(db);
}

/** Returns the assets that a user owned in earlier months and another user owns now, by id. */
export async function formerAssets(
  db: Database,
  { userId, after, limit }: { userId: number; after: number | undefined; limit: number },
): Promise<{ id: number; name: string }[]> {
  return db
    .selectFrom('assets as a')
    .select(['a.id', 'a.name'])
    .where('a.id', 'in', (query) => query.selectFrom('periods').select('asset_id').where('owner_id', '=', userId))
    .where('a.owner_id', '!=', userId)
    .where('a.id', '>', after ?? 0)
    .orderBy('a.id')
    .limit(limit)
    .execute();
}

/** Returns as what a user acts on a month of an asset, `YYYY-MM`; undefined if it is none of their business. */
export async function roleInMonth(
  db: Database,
  { assetId, month, userId }: { assetId: number; month: string; userId: number },
): Promise<'owner' | 'manager' | undefined> {
  const owner = ownerDuring(sql`own.month = ${`${month}-01`}::date`);
  const { rows } = await sql<{ role: 'owner' | 'manager' }>`
    select case when ${owner} = ${userId} then 'owner' else 'manager' end as role
    from assets a where a.id = ${assetId} and ${actsFor(userId, owner)}`.execute(db);
  return rows[0]?.role;
}

/** Returns whether an earlier open month of an asset has a different owner than a month, `YYYY-MM`. */
export async function followsOthersMonth(
  db: Database,
  { assetId, month }: { assetId: number; month: string },
): Promise<boolean> {
  const { rows } = await sql`
    select 1 from periods p join periods earlier on earlier.asset_id = p.asset_id and earlier.month < p.month
    where p.asset_id = ${assetId} and p.month = ${`${month}-01`}::date
      and earlier.closed_at is null and earlier.owner_id is distinct from p.owner_id
    limit 1`.execute(db);
  return rows.length > 0;
}

/**
 * Returns the bounds of an asset's periods that a user owns, owned, or co-manages; undefined for anyone else. If the user deleted
 * the asset, only with `deleted`.
 */
export async function ownedPeriods(
  db: Database,
  { assetId, userId, now, deleted = false }: { assetId: number; userId: number; now: Date; deleted?: boolean },
): Promise<OwnedPeriods | undefined> {
  const { rows } = await sql<OwnedPeriods>`
    select a.currency, to_char(p.month, 'YYYY-MM') as current_month, p.ends_at <= ${now}::timestamptz as ended,
      own.first_month, own.first_open_month
    from assets a cross join ${currentPeriod(now)}
    cross join lateral (
      select to_char(min(p.month), 'YYYY-MM') as first_month,
        to_char(min(p.month) filter (where p.closed_at is null and ${closesAt} > ${now}::timestamptz), 'YYYY-MM')
          as first_open_month
      from periods p where p.asset_id = a.id and ${actsFor(userId, sql`p.owner_id`)}
    ) own
    where a.id = ${assetId} and own.first_month is not null ${deleted ? sql`` : sql`and ${isKeptFor(userId)}`}`.execute(
    db,
  );
  return rows[0];
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
    select to_char(p.month, 'YYYY-MM') as from_month, p.price_cents from periods p join assets a on a.id = p.asset_id
    where p.asset_id = ${assetId} and ${actsFor(userId, sql`p.owner_id`)} and p.price_since = p.month
      ${after === undefined ? sql`` : sql`and p.month > ${`${after}-01`}::date`}
    order by p.month
    limit ${limit ?? null}`.execute(db);
  return rows;
}

interface PeriodKey {
  asset_id: number;
  /** `YYYY-MM` */
  month: string;
}

interface Stretch {
  startedAt: Date;
  endedAt: Date;
}

/** Seconds of a period that a stretch of time covers; 0 without one. */
const overlap = (period: string, stretch: Stretch | undefined) =>
  stretch === undefined
    ? sql`0`
    : sql`greatest(0, extract(epoch from
        least(${sql.ref(`${period}.ends_at`)}, ${stretch.endedAt}::timestamptz)
        - greatest(${sql.ref(`${period}.starts_at`)}, ${stretch.startedAt}::timestamptz)))`;

interface SessionEdit {
  assetId: number;
  before: Stretch;
  /** Undefined if the session was removed. */
  after: Stretch | undefined;
  now: Date;
}

/** Condition: period `p` is an ended, open one of a session of which an edit leaves less in any open period. */
const losesUse = ({ assetId, before, after, now }: SessionEdit) => sql`
  p.asset_id = ${assetId} and p.closed_at is null and p.ends_at <= ${now}::timestamptz
  and ${closesAt} > ${now}::timestamptz and ${overlap('p', before)} + ${overlap('p', after)} > 0
  and exists (
    select 1 from periods each
    where each.asset_id = p.asset_id and each.closed_at is null
      and ${overlap('each', before)} > ${overlap('each', after)})`;

const dayAfter = (now: Date) => sql`${now}::timestamptz + make_interval(hours => ${LATE_EDIT_HOURS}::int)`;

/**
 * Keeps the ended periods of a session open for a day more if they close within a day and an edit leaves less of it in any
 * period, up to seven days in all. Returns whether there was one. Source: docs/how-costs-are-split.md.
 */
export async function extendWindows(db: Database, edit: SessionEdit): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update periods p set extended_until = least(
      ${dayAfter(edit.now)},
      p.ends_at + make_interval(hours => ${CORRECTION_HOURS}::int, days => ${LATE_EDIT_MAX_DAYS}::int)
    )
    where ${losesUse(edit)} and ${closesAt} <= ${dayAfter(edit.now)}`.execute(db);
  return (numAffectedRows ?? 0n) > 0n;
}

/** Returns whether an edit leaves less of a session in a period, and an ended one of the session closes within a day. */
export async function isTooLate(db: Database, edit: SessionEdit): Promise<boolean> {
  const { rows } = await sql`
    select 1 from periods p where ${losesUse(edit)} and ${closesAt} < ${dayAfter(edit.now)} limit 1`.execute(db);
  return rows.length > 0;
}

/** Records that a member has nothing to edit in an ended, open period; returns false if they had no access in it. */
export async function confirmPeriod(
  db: Database,
  { assetId, month, memberId, now }: { assetId: number; month: string; memberId: number; now: Date },
): Promise<boolean> {
  const { rows } = await sql`
    insert into confirmations as known (asset_id, month, member_id, confirmed_at)
    select p.asset_id, p.month, ${memberId}, ${now}::timestamptz
    from periods p
    where p.asset_id = ${assetId} and p.month = ${`${month}-01`}::date and p.closed_at is null
      and p.ends_at <= ${now}::timestamptz
      and exists (
        select 1 from shares sh where sh.asset_id = p.asset_id and sh.member_id = ${memberId} and ${sharedDuringPeriod})
    on conflict (asset_id, month, member_id) do update set confirmed_at = known.confirmed_at
    returning 1`.execute(db);
  return rows.length > 0;
}

/** Withdraws that a member has nothing to edit in the periods that a stretch of time overlaps. */
export async function unconfirmPeriods(
  db: Database,
  { assetId, memberId, startedAt, endedAt }: Stretch & { assetId: number; memberId: number },
): Promise<void> {
  await sql`
    delete from confirmations c using periods p
    where c.asset_id = ${assetId} and c.member_id = ${memberId} and p.asset_id = c.asset_id and p.month = c.month
      and p.starts_at < ${endedAt}::timestamptz and p.ends_at > ${startedAt}::timestamptz`.execute(db);
}

/** Returns whether every member of an asset's open periods up to a month has nothing to edit, or their time is over. */
export async function areConfirmed(
  db: Database,
  { assetId, month, now }: { assetId: number; month: string; now: Date },
): Promise<boolean> {
  const { rows } = await sql`
    select 1 from periods p join shares sh on sh.asset_id = p.asset_id and ${sharedDuringPeriod} and ${canAnswer}
    where p.asset_id = ${assetId} and p.month <= ${`${month}-01`}::date and p.closed_at is null
      and ${closesAt} > ${now}::timestamptz
      and not exists (
        select 1 from confirmations c
        where c.asset_id = p.asset_id and c.month = p.month and c.member_id = sh.member_id)
    limit 1`.execute(db);
  return rows.length === 0;
}

/**
 * Transfers the months of a locked asset from a given one on to another user. That month gets its own price, so that prices
 * set for earlier months don't apply to it.
 */
export async function setOwnerFrom(
  db: Database,
  { assetId, month, ownerId }: { assetId: number; month: string; ownerId: number },
): Promise<void> {
  await sql`
    update periods set owner_id = ${ownerId}, price_since = greatest(price_since, ${month}::date)
    where asset_id = ${assetId} and month >= ${month}::date`.execute(db);
}

/** Transfers a user's months that aren't closed to another user. The assets must be locked. */
export async function moveOwnedPeriods(db: Database, { from, to }: { from: number; to: number }): Promise<void> {
  await db
    .updateTable('periods')
    .set({ owner_id: to })
    .where('owner_id', '=', from)
    .where('closed_at', 'is', null)
    .execute();
}

/** Closes open periods; nothing in them changes afterwards. */
export async function markClosed(db: Database, periods: PeriodKey[], now: Date): Promise<void> {
  await sql`
    update periods p set closed_at = ${now}::timestamptz
    from unnest(
      ${periods.map((period) => period.asset_id)}::bigint[], ${periods.map(({ month }) => `${month}-01`)}::date[]
    ) closed (asset_id, month)
    where p.asset_id = closed.asset_id and p.month = closed.month and p.closed_at is null`.execute(db);
}

/** Returns gaps and overlaps in the periods of assets; each period must start where the previous one ends. */
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
    select id, '', 'has no months' from assets a where not exists (select 1 from periods where asset_id = a.id)
    order by asset_id, month`.execute(db);
  return rows.map(({ asset_id, month, problem }) => `asset ${asset_id}${month && `, ${month}`}: ${problem}`);
}
