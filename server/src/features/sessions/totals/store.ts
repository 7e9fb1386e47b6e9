import { MAX_SESSION_HOURS_MAX } from '@hourshare/contract/limits';
import { sql, type RawBuilder } from 'kysely';
import { dayStart } from '../../../platform/database/calendar.ts';
import type { Database } from '../../../platform/database/database.ts';
import { lockThenRead } from '../../../platform/database/lock-then-read.ts';
import { isDayOfPeriod } from '../../periods/sql.ts';
import { changeDay, cutIntoDays, usedInPeriod } from '../../usage/sql.ts';
import type { Interval } from '../rules.ts';
import type { Span } from './rules.ts';
import { anyOwnShare, objectionsEnd, type ShareOfMember } from '../sql.ts';

const firstInstant = (day: string) => sql`
  case when ${sql.ref(day)}::date = p.month then p.starts_at else ${dayStart(sql`${sql.ref(day)}::date::timestamp`, sql`p.time_zone`)} end`;

const lastInstant = (day: string) => sql`
  case when ${sql.ref(day)}::date + 1 = (p.month + interval '1 month')::date then p.ends_at
    else ${dayStart(sql`(${sql.ref(day)}::date + 1)::timestamp`, sql`p.time_zone`)} end`;

/** A local day of an asset. Days are those of its zone in their month, as days of use are. */
export interface LocalDay {
  /** `YYYY-MM-DD` */
  day: string;
  from: Date;
  to: Date;
  measured: boolean;
  /** Whether it is too late for a meter to record something. */
  closed: boolean;
}

/** Returns the last local days of an asset up to now, in order, and one more than `count` of them. */
export async function readDays(
  db: Database,
  { assetId, count, now }: { assetId: number; count: number; now: Date },
): Promise<LocalDay[]> {
  const { rows } = await sql<LocalDay>`
    select to_char(local.day, 'YYYY-MM-DD') as day, bounds.since as "from", bounds.until as "to", p.measured,
      p.closed_at is not null or ${objectionsEnd('p')} <= ${now}::timestamptz as closed
    from periods p
    cross join lateral generate_series(p.month, p.month + interval '1 month' - interval '1 day', interval '1 day') local (day)
    cross join lateral (
      select ${firstInstant('local.day')} as since, ${lastInstant('local.day')} as until offset 0
    ) bounds
    where p.asset_id = ${assetId} and p.ends_at > ${now}::timestamptz - make_interval(days => ${count + 2}::int)
      and p.starts_at <= ${now}::timestamptz and bounds.since <= ${now}::timestamptz and bounds.until > bounds.since
    order by 1 desc limit ${count + 1}`.execute(db);
  return rows.toReversed();
}

export interface StoredDay {
  id: number;
  day: string;
  told_seconds: number;
  seconds: number;
  cost_micros: number | null;
  last_at: Date;
  refused_at: Date | null;
}

interface DaysOfMeter {
  shareId: number;
  meterId: number;
  /** `YYYY-MM-DD`, the first one. */
  from: string;
}

/** Returns what a meter counted of a share, from a day on. */
export async function readMeteredDays(db: Database, { shareId, meterId, from }: DaysOfMeter): Promise<StoredDay[]> {
  const { rows } = await sql<StoredDay>`
    select id, day::text as day, told_seconds, seconds, cost_micros, last_at, refused_at from metered_days
    where meter_id = ${meterId} and share_id = ${shareId} and day >= ${from}::date
    order by day`.execute(db);
  return rows;
}

/** Returns what other meters counted of a share on each day, from a day on. */
export async function readOtherMeters(
  db: Database,
  { shareId, meterId, from }: DaysOfMeter,
): Promise<Map<string, number>> {
  const { rows } = await sql<{ day: string; seconds: number }>`
    select day::text as day, sum(seconds)::int as seconds from metered_days
    where share_id = ${shareId} and meter_id is distinct from ${meterId} and day >= ${from}::date
    group by day`.execute(db);
  return new Map(rows.map(({ day, seconds }) => [day, seconds]));
}

/** Returns what a share used in each month, `YYYY-MM`, from that of a day on, apart from what a meter counted from the day on. */
export async function readOtherSeconds(
  db: Database,
  { shareId, meterId, from }: DaysOfMeter,
  now: Date,
): Promise<Map<string, number>> {
  const { rows } = await sql<{ month: string; seconds: number }>`
    select to_char(p.month, 'YYYY-MM') as month, (used.seconds - coalesce((
        select sum(d.seconds) from metered_days d
        where d.share_id = sh.id and d.meter_id = ${meterId} and d.day >= ${from}::date and ${isDayOfPeriod('p', sql`d.day`)}
      ), 0))::bigint as seconds
    from shares sh join periods p on p.asset_id = sh.asset_id
    cross join ${usedInPeriod('sh', 'p', now)} used
    where sh.id = ${shareId} and p.month + interval '1 month' > ${from}::date and p.starts_at <= ${now}::timestamptz`.execute(
    db,
  );
  return new Map(rows.map(({ month, seconds }) => [month, seconds]));
}

/** A table `span` of the times of a share in a stretch of time that sessions have, or had when they were recorded; what runs has no end. */
const spansOf = (shareId: RawBuilder<unknown>, since: RawBuilder<unknown>) => sql`(
  select started_at, ended_at from (
    select started_at, coalesce(ended_at, 'infinity') as ended_at from sessions where share_id = ${shareId}
    union all
    select was_started_at, was_ended_at from sessions where share_id = ${shareId} and edited_at is not null
    union all
    select started_at, ended_at from removed_sessions where share_id = ${shareId}
  ) each
  where ended_at > ${since} and started_at > ${since} - make_interval(hours => ${MAX_SESSION_HOURS_MAX}::int)
) span`;

/** Returns the times of a share beyond an instant that sessions have, or had when they were recorded; what runs has no end. */
export async function readSpans(db: Database, shareId: number, since: Date): Promise<Span[]> {
  const { rows } = await sql<{ started_at: Date; ended_at: Date | null }>`
    select started_at, nullif(ended_at, 'infinity') as ended_at from ${spansOf(sql`${shareId}`, sql`${since}::timestamptz`)}`.execute(
    db,
  );
  return rows.map(({ started_at: from, ended_at: to }) => ({ from: from.getTime(), to: to?.getTime() ?? Infinity }));
}

/** Returns the days of a locked share that count something, from that of an instant on, in months that are open. */
export async function readCounting(
  db: Database,
  { shareId, since }: { shareId: number; since: Date },
): Promise<(Pick<StoredDay, 'id' | 'day' | 'told_seconds' | 'seconds'> & Pick<LocalDay, 'from' | 'to'>)[]> {
  const { rows } = await sql<
    Pick<StoredDay, 'id' | 'day' | 'told_seconds' | 'seconds'> & Pick<LocalDay, 'from' | 'to'>
  >`
    select * from (
      select d.id, d.day::text as day, d.told_seconds, d.seconds, ${firstInstant('d.day')} as "from", ${lastInstant('d.day')} as "to"
      from metered_days d join shares sh on sh.id = d.share_id
      join periods p on p.asset_id = sh.asset_id and p.closed_at is null and ${isDayOfPeriod('p', sql`d.day`)}
      where d.share_id = ${shareId} and d.seconds > 0
    ) each
    where "to" > ${since}::timestamptz
    order by "from", id`.execute(db);
  return rows;
}

export async function lowerDay(
  db: Database,
  { id, ...change }: { id: number; shareId: number; day: string; before: number; after: number },
): Promise<void> {
  await db.updateTable('metered_days').set({ seconds: change.after }).where('id', '=', id).execute();
  await changeDay(change).execute(db);
}

/** Returns the meters and shares of which more can count on days since an instant: less is covered, and their allowance has more. */
export async function readUncovered(
  db: Database,
  { since, now }: { since: Date; now: Date },
): Promise<{ meter_id: number; share_id: number }[]> {
  const { rows } = await sql<{ meter_id: number; share_id: number }>`
    select distinct d.meter_id, d.share_id
    from metered_days d
    join meter_members member on member.meter_id = d.meter_id and member.share_id = d.share_id and member.agreed
    join shares sh on sh.id = d.share_id
    join periods p on p.asset_id = sh.asset_id and p.closed_at is null and ${isDayOfPeriod('p', sql`d.day`)}
      and ${objectionsEnd('p')} > ${now}::timestamptz
    cross join ${usedInPeriod('sh', 'p', now)} used
    cross join lateral (
      select ${firstInstant('d.day')} as since, ${lastInstant('d.day')} as until offset 0
    ) bounds
    cross join lateral (
      select range_agg(tstzrange(span.started_at, span.ended_at)) * tstzmultirange(tstzrange(bounds.since, bounds.until)) as times
      from ${spansOf(sql`d.share_id`, sql`bounds.since`)}
    ) covered
    cross join lateral (
      select coalesce(sum(other.seconds), 0) as seconds from metered_days other
      where other.share_id = d.share_id and other.day = d.day and other.id <> d.id
    ) others
    where d.day > ${since}::timestamptz::date and d.refused_at is null and d.seconds < d.told_seconds
      and (sh.own or member.beyond_allowance or used.seconds < sh.monthly_hours_allocated * 3600)
      and least(d.told_seconds, extract(epoch from bounds.until - bounds.since) - others.seconds) - d.seconds > ceil(coalesce((
        select sum(extract(epoch from upper(part) - lower(part))) from unnest(covered.times) part
      ), 0))
    order by 1, 2`.execute(db);
  return rows;
}

/**
 * Returns the meter that has counted some use of a locked share in a stretch of time, or that its member lets count it then, unless
 * they have removed what it counted; its name is null once it is deleted.
 */
export async function findCounting(
  db: Database,
  shareId: number,
  { startedAt, endedAt }: Interval,
): Promise<{ meter: string | null } | undefined> {
  const [start, end] = [sql`${startedAt}::timestamptz`, sql`${endedAt}::timestamptz`];
  const daysSince = (since: RawBuilder<unknown>) =>
    cutIntoDays(
      sql`(select asset_id, id as share_id, ${since} as started_at, ${end} as ended_at from shares where id = ${shareId})`,
    );
  const { rows } = await sql<{ meter: string | null }>`
    select m.name as meter
    from metered_days d join ${daysSince(start)} cut on cut.day = d.day left join meters m on m.id = d.meter_id
    where d.share_id = ${shareId} and d.seconds > 0 and cut.seconds > 0 and not exists (
      -- what may have happened then doesn't count
      select 1 from meter_refusals r
      where r.meter_id = d.meter_id and r.share_id = d.share_id and r.since <= ${start} and coalesce(r.until, 'infinity') >= ${end})
    union all
    select m.name
    from meter_members member join meters m on m.id = member.meter_id
    where member.share_id = ${shareId} and member.agreed and m.kind = 'totals' and member.changed_at < ${end} and exists (
      select 1 from ${daysSince(sql`greatest(${start}, member.changed_at)`)} cut
      where cut.seconds > 0 and not exists (
        select 1 from metered_days d
        where d.meter_id = m.id and d.share_id = ${shareId} and d.day = cut.day and d.refused_at is not null))
    limit 1`.execute(db);
  return rows[0];
}

/** Writes what a meter counts of a locked share on a day, and what that adds to its use. Returns the id of the day. */
export async function writeDay(
  db: Database,
  { shareId, meterId }: Omit<DaysOfMeter, 'from'>,
  {
    day,
    told_seconds,
    seconds,
    cost_micros,
    last_at,
    before,
  }: Omit<StoredDay, 'id' | 'refused_at'> & { before: number },
): Promise<number> {
  const values = { told_seconds, seconds, cost_micros, last_at };
  const { id } = await db
    .insertInto('metered_days')
    // Lists show both sessions and days, by one id.
    .values({ ...values, id: sql`nextval('sessions_id_seq')`, share_id: shareId, meter_id: meterId, day })
    .onConflict((conflict) => conflict.columns(['meter_id', 'share_id', 'day']).doUpdateSet(values))
    .returning('id')
    .executeTakeFirstOrThrow();
  if (before !== seconds) await changeDay({ shareId, day, before, after: seconds }).execute(db);
  return id;
}

export interface DayOfMember extends Pick<StoredDay, 'day' | 'seconds' | 'refused_at'> {
  asset_id: number;
  from: Date;
  to: Date;
  closed: boolean;
}

/** Returns a day that a meter counted of a member's own share, with its row, its share's, and first its asset's locked. */
export async function lockMeteredDay(
  db: Database,
  share: ShareOfMember & { sessionId: number },
  now: Date,
): Promise<DayOfMember | undefined> {
  const tables = sql`metered_days d join shares sh on sh.id = d.share_id join assets a on a.id = sh.asset_id`;
  const isWanted = sql`${anyOwnShare('sh', share)} and d.id = ${share.sessionId}`;
  const [found] = await lockThenRead(
    db,
    sql`select 1 from ${tables} where ${isWanted} for share of a for no key update of sh for update of d`,
    sql<DayOfMember>`
      select d.day::text as day, d.seconds, d.refused_at, a.id as asset_id, ${firstInstant('d.day')} as "from",
        ${lastInstant('d.day')} as "to", p.closed_at is not null or ${objectionsEnd('p')} <= ${now}::timestamptz as closed
      from ${tables} join periods p on p.asset_id = a.id and ${isDayOfPeriod('p', sql`d.day`)}
      where ${isWanted}`,
  );
  return found;
}

/** Has nothing of a day count any more. */
export async function refuseDay(
  db: Database,
  { id, shareId, day, seconds, now }: { id: number; shareId: number; day: string; seconds: number; now: Date },
): Promise<void> {
  await db.updateTable('metered_days').set({ seconds: 0, refused_at: now }).where('id', '=', id).execute();
  if (seconds > 0) await changeDay({ shareId, day, before: seconds, after: 0 }).execute(db);
}
