import type { SplitMethod } from '@hourshare/contract/fields';
import { CORRECTION_HOURS } from '@hourshare/contract/limits';
import { sql, type RawBuilder } from 'kysely';
import { dayStart, latestDate, wallClock } from '../../platform/database/calendar.ts';
import { actsFor, belongsTo } from '../assets/sql.ts';

// Expressions over periods that any store may join. Only this folder's store writes periods.

/** The terms of a period, by their columns. */
interface TermColumns {
  split_method: SplitMethod;
  base_percent: number;
  owner_hours: number;
  max_session_hours: number;
  max_hour_cents: number | null;
  extra_cost_cents: number;
  owner_takes_part: boolean;
  measured: boolean;
}

/** Terms that differ from the current ones. */
export interface StoredTerms extends TermColumns {
  /** `YYYY-MM` */
  from_month: string;
}

const TERM_COLUMNS = [
  'split_method',
  'base_percent',
  'owner_hours',
  'max_session_hours',
  'max_hour_cents',
  'extra_cost_cents',
  'owner_takes_part',
  'measured',
] as const satisfies (keyof TermColumns)[];

/** With what members aren't told of. */
const ALL_TERM_COLUMNS = [...TERM_COLUMNS, 'max_hour_chosen'] as const;

const columnsOf = (columns: readonly string[], row?: string): RawBuilder<unknown> =>
  sql.join(columns.map((column) => sql.ref(row === undefined ? column : `${row}.${column}`)));

/** The names of the columns of terms. */
export const termColumnNames = columnsOf(ALL_TERM_COLUMNS);

/** The columns of a row of terms, in that order. */
export const termColumns = (row: string): RawBuilder<unknown> => columnsOf(ALL_TERM_COLUMNS, row);

/** Terms as values, in that order. */
export const termValues = (terms: TermColumns & { max_hour_chosen: boolean }): RawBuilder<unknown> =>
  sql.join(ALL_TERM_COLUMNS.map((column) => sql`${terms[column]}`));

/** A lateral table `p`: the period of asset `a` at an instant; the first one if the clock is before it. */
export const periodAt = (a: string, instant: RawBuilder<unknown>): RawBuilder<unknown> => sql`lateral (
  (select * from periods where asset_id = ${sql.id(a)}.id and starts_at <= ${instant} order by starts_at desc limit 1)
  union all
  (select * from periods where asset_id = ${sql.id(a)}.id order by starts_at limit 1)
  limit 1
)`;

/** A lateral table `p`: the current period of asset `a`. */
export const currentPeriod = (a: string, now: Date): RawBuilder<unknown> => periodAt(a, sql`${now}::timestamptz`);

/** Condition: a user owns asset `a`, or owned it in any of its months. */
export const hasOwned = (a: string, userId: number): RawBuilder<boolean> => sql<boolean>`
  (${belongsTo(a, userId)} or exists (select 1 from periods own where own.asset_id = ${sql.id(a)}.id and own.owner_id = ${userId}))`;

/**
 * The id of the owner of asset `a` in the month of the periods `own` that meet a condition, or of its current owner if none
 * does. Null if that account is gone. Decisions about a month belong to the asset's owner in that month.
 */
export const ownerDuring = (a: string, condition: RawBuilder<unknown>): RawBuilder<number | null> => sql<
  number | null
>`(
  select case when count(*) = 0 then ${sql.id(a)}.owner_id else max(own.owner_id) end
  from periods own where own.asset_id = ${sql.id(a)}.id and ${condition})`;

/** The id of the owner of asset `a` at an instant. */
export const ownerAt = (a: string, instant: RawBuilder<unknown>): RawBuilder<number | null> =>
  ownerDuring(a, sql`own.starts_at <= ${instant} and own.ends_at > ${instant}`);

/** The times in which a user acts for the owner of asset `a`. The owner of its first month also owns all time before it. */
export const ownedTimes = (a: string, userId: number): RawBuilder<unknown> => sql`(
  select coalesce(range_agg(tstzrange(
    nullif(own.starts_at, (select min(starts_at) from periods where asset_id = ${sql.id(a)}.id)), own.ends_at)), '{}')
  from periods own where own.asset_id = ${sql.id(a)}.id and ${actsFor(a, userId, sql`own.owner_id`)})`;

/** The month since which an asset has the price that is in force at an instant. */
export const priceInForce = (assetId: number, now: Date): RawBuilder<string> => sql<string>`
  (select p.price_since from assets a cross join ${currentPeriod('a', now)} p where a.id = ${assetId})`;

/** Condition: share `sh` gave access at some time during period `p`. An offer gives none until it is accepted. */
export const sharedDuringPeriod = (sh: string, p: string) => sql<boolean>`
  (${sql.id(sh)}.accepted_at < ${sql.id(p)}.ends_at and (${sql.id(sh)}.ended_at is null or ${sql.id(sh)}.ended_at > ${sql.id(p)}.starts_at))`;

/** Condition: the member of share `sh` can be asked. No one waits for disabled accounts. */
export const canAnswer = (sh: string) => sql<boolean>`
  (not exists (select 1 from users where id = ${sql.id(sh)}.member_id and (email is null or disabled_at is not null)))`;

/** Condition: a date is in period `p`. */
export const isDayOfPeriod = (p: string, day: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql<boolean>`${day} >= ${sql.id(p)}.month and ${day} < ${sql.id(p)}.month + interval '1 month'`;

/**
 * The local date of an instant in period `p`. After a move to a zone further west, the clock may still show the
 * previous month, which counts as the first day.
 */
export const dateInPeriod = (p: string, instant: RawBuilder<unknown>): RawBuilder<string> =>
  sql<string>`greatest(${sql.id(p)}.month, ${wallClock(instant, sql`${sql.id(p)}.time_zone`)}::date)`;

/** When the time for corrections of period `p` ends. */
export const closesAt = (p: string) =>
  sql<Date>`(${sql.id(p)}.ends_at + make_interval(hours => ${CORRECTION_HOURS}::int))`;

/** Condition: period `p` is past its time for corrections and not closed yet. */
export const isDue = (p: string, now: Date): RawBuilder<boolean> => sql<boolean>`
  (${sql.id(p)}.closed_at is null and ${sql.id(p)}.ends_at <= ${now}::timestamptz - make_interval(hours => ${CORRECTION_HOURS}::int))`;

/** Condition: asset `a` spent all of period `p` archived. */
export const archivedThroughout = (a: string, p: string) => sql<boolean>`exists (
  select 1 from archivals each
  where each.asset_id = ${sql.id(a)}.id and each.since <= ${sql.id(p)}.starts_at and (each.until is null or each.until >= ${sql.id(p)}.ends_at)
)`;

/**
 * A JSON object: the terms of the period after `p`, from which month they apply, if they differ; null otherwise, also if the
 * asset is deleted and has no next one.
 */
export const nextTerms = (p: string, next: string): RawBuilder<unknown> => sql`
  case when ${sql.ref(`${next}.month`)} is not null and (${columnsOf(TERM_COLUMNS, p)}) is distinct from (${columnsOf(TERM_COLUMNS, next)})
    then json_build_object('from_month', to_char(${sql.ref(`${next}.month`)}, 'YYYY-MM'), ${sql.join(
      TERM_COLUMNS.map((column) => sql`${sql.lit(column)}, ${sql.ref(`${next}.${column}`)}`),
    )}) end`;

/** The price of a cycle that starts in period `p`, or of the month if it has no plan. */
export const pricePerCycle = (p: string) => sql<number>`coalesce(${sql.id(p)}.cycle_cents, ${sql.id(p)}.price_cents)`;

/** The price of a later period. */
export interface StoredNextPrice {
  /** `YYYY-MM` */
  from_month: string;
  price_cents: number;
}

/** A JSON object: the price of asset `a` from the first later period whose price isn't that of `p`; null without one. */
export const nextPrice = (a: string, p: string) => sql`(
  select json_build_object('from_month', to_char(later.month, 'YYYY-MM'), 'price_cents', ${pricePerCycle('later')})
  from periods later
  where later.asset_id = ${sql.id(a)}.id and later.month > ${sql.id(p)}.month and ${pricePerCycle('later')} <> ${pricePerCycle(p)}
  order by later.month limit 1
)`;

/** What members wanted and the owner decided about a renewal, as JSON. */
export interface StoredRenewal {
  /** YYYY-MM-DD */
  on: string;
  decision: 'renewed' | 'canceled' | null;
  votes: { username: string; choice: 'keep' | 'smaller' | 'cancel'; line: string }[];
}

/**
 * A JSON object: the renewal in period `p` that members voted on or its owner decided about, of several a decided one, the last; null
 * without one. One with which the asset ends is in the period before, if it is on the first of a month, because the next has no
 * statement.
 */
export const renewalIn = (p: string) => sql`(
  select json_build_object('on', known.renews_on, 'decision', known.decision,
    'votes', coalesce((
      select json_agg(json_build_object('username', u.username, 'choice', v.choice, 'line', v.line) order by v.voted_at, v.user_id)
      from renewal_votes v join users u on u.id = v.user_id
      where v.asset_id = ${sql.id(p)}.asset_id and v.renews_on = known.renews_on
    ), '[]'))
  from (
    select renews_on, d.decision,
      case when d.decision = 'canceled' or renews_on = ending.ends_on then renews_on - 1 else renews_on end as last_day
    from (
      select renews_on from renewal_votes where asset_id = ${sql.id(p)}.asset_id
      union select renews_on from renewal_decisions where asset_id = ${sql.id(p)}.asset_id
    ) named
    left join (select * from renewal_decisions where asset_id = ${sql.id(p)}.asset_id) d using (renews_on)
    join assets ending on ending.id = ${sql.id(p)}.asset_id
  ) known
  where ${isDayOfPeriod(p, sql`known.last_day`)}
  order by known.decision is null, known.renews_on desc limit 1
)`;

/** A change of a period's price; the instant is as JSON writes it. */
export interface StoredPriceChange {
  changed_at: string;
  from_cents: number;
  to_cents: number;
}

/** A JSON array: the changes of the price of period `p`, oldest first. */
export const priceChanges = (p: string) => sql`coalesce((
  select jsonb_agg(jsonb_build_object(
    'changed_at', each.changed_at, 'from_cents', each.from_cents, 'to_cents', each.to_cents
  ) order by each.id)
  from price_changes each where each.asset_id = ${sql.id(p)}.asset_id and each.month = ${sql.id(p)}.month
), '[]')`;

/** The first day of the month of an instant, as SQL. */
export const currentMonth = (assetId: number, now: Date) => sql<string>`(
  select p.month from assets a cross join ${currentPeriod('a', now)} p where a.id = ${assetId})`;

/** A JSON object: the terms of a row. */
export const termsOf = (row: string) => sql`json_build_object('method', ${sql.ref(`${row}.split_method`)},
  'basePercent', ${sql.ref(`${row}.base_percent`)}, 'ownerHours', ${sql.ref(`${row}.owner_hours`)},
  'maxSessionHours', ${sql.ref(`${row}.max_session_hours`)}, 'maxHourCents', ${sql.ref(`${row}.max_hour_cents`)},
  'maxHourChosen', ${sql.ref(`${row}.max_hour_chosen`)}, 'extraCostCents', ${sql.ref(`${row}.extra_cost_cents`)},
  'ownerTakesPart', ${sql.ref(`${row}.owner_takes_part`)}, 'measured', ${sql.ref(`${row}.measured`)})`;

/** Condition: the plan of asset `a` has ended at an instant, and it isn't archived. */
export const hasPlanEnded = (a: string, now: Date): RawBuilder<boolean> => sql<boolean>`(
  ${sql.id(a)}.ends_on <= ${latestDate(now)}::date and ${sql.id(a)}.archived_at is null and ${sql.id(a)}.deleted_at is null and (
    select ${dayStart(sql`${sql.id(a)}.ends_on::timestamp`, sql`p.time_zone`)} <= ${now}::timestamptz
    from ${currentPeriod(a, now)} p))`;
