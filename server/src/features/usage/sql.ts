import { sql, type RawBuilder } from 'kysely';
import { dayStart, wallClock, wholeSeconds } from '../../platform/database/calendar.ts';
import { isDayOfPeriod } from '../periods/sql.ts';

// Expressions over use that any store may join. Only this folder writes `usage_days`.

const zone = sql`p.time_zone`;

/**
 * When session `s` ended by an instant or, if it is active then, when it ends unless something is heard of it. One of a meter that fell
 * silent ended at the last sign of life, also before anything has recorded that.
 */
export const sessionEnd = (s: string, now: Date) => sql`
  coalesce(${sql.id(s)}.ended_at, case when ${sql.id(s)}.ends_by <= ${now}::timestamptz then ${sql.id(s)}.alive_at end, ${sql.id(s)}.ends_by)`;

/**
 * A local day, moved into its period: hours that the zone puts before or after the period count toward its first or
 * last day.
 */
const clampedDay = sql`least(greatest(p.month, local.day::date), (p.month + interval '1 month')::date - 1)`;

/**
 * A table of `share_id`, `day`, `seconds`, and `sessions`: stretches of use (`asset_id`, `share_id`, `started_at`,
 * `ended_at`) cut at the ends of their asset's periods and at local midnights. A session counts on the day it starts
 * and on the first day of each further period it reaches. Source: docs/contributing.md, Time and money.
 */
export const cutIntoDays = (stretches: RawBuilder<unknown>): RawBuilder<unknown> => sql`(
  select part.share_id, ${clampedDay} as day,
    sum(${wholeSeconds(sql`greatest(part.started_at, bounds.starts_at)`, sql`least(part.ended_at, bounds.ends_at)`)})::int
      as seconds,
    (count(*) filter (where bounds.starts_at <= part.started_at and part.started_at < bounds.ends_at))::int as sessions
  from ${stretches} stretch
  join periods p on p.asset_id = stretch.asset_id and p.ends_at > stretch.started_at
    and (p.starts_at < stretch.ended_at or p.starts_at <= stretch.started_at)
  cross join lateral (
    select stretch.share_id, greatest(stretch.started_at, p.starts_at) as started_at,
      least(stretch.ended_at, p.ends_at) as ended_at
    offset 0
  ) part
  cross join lateral generate_series(
    date_trunc('day', ${wallClock(sql`part.started_at`, zone)}),
    date_trunc('day', ${wallClock(sql`part.ended_at`, zone)}) + interval '1 day',
    interval '1 day'
  ) local (day)
  cross join lateral (
    select ${dayStart(sql`local.day`, zone)} as starts_at,
      ${dayStart(sql`(local.day + interval '1 day')`, zone)} as ends_at
    offset 0
  ) bounds
  where bounds.starts_at < part.ended_at and bounds.ends_at > part.started_at
    or bounds.starts_at <= part.started_at and part.started_at < bounds.ends_at
  group by part.share_id, ${clampedDay}
)`;

/** An insert that adds stretches of use to their days, for a `with` list of the statement that ends them. */
export const addUse = (stretches: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  insert into usage_days as known (share_id, day, seconds, sessions)
  select share_id, day, seconds, sessions from ${cutIntoDays(stretches)} cut
  order by share_id, day
  on conflict (share_id, day) do update
  set seconds = known.seconds + excluded.seconds, sessions = known.sessions + excluded.sessions`;

/** An update that subtracts stretches of use from their days. */
export const subtractUse = (stretches: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  update usage_days known
  set seconds = known.seconds - cut.seconds, sessions = known.sessions - cut.sessions
  from ${cutIntoDays(stretches)} cut
  where known.share_id = cut.share_id and known.day = cut.day`;

/** A statement that changes what a share used on one day, by what a meter counts now and counted before. */
export const changeDay = ({
  shareId,
  day,
  before,
  after,
}: {
  shareId: number;
  day: string;
  before: number;
  after: number;
}): RawBuilder<unknown> => sql`
  insert into usage_days as known (share_id, day, seconds, sessions)
  values (${shareId}, ${day}::date, ${after}, ${Number(after > 0)})
  on conflict (share_id, day) do update
  set seconds = known.seconds + ${after - before}::int,
    sessions = known.sessions + ${Number(after > 0) - Number(before > 0)}::int`;

/**
 * A lateral table `used` of one row: `seconds` of share `sh` in period `p` up to now, and `active_since`, null without
 * an active session. That session is not in `usage_days` yet.
 */
export const usedInPeriod = (sh: string, p: string, now: Date): RawBuilder<unknown> => sql`lateral (
  select (
      coalesce((select sum(d.seconds) from usage_days d where d.share_id = ${sql.id(sh)}.id and ${isDayOfPeriod(p, sql`d.day`)}), 0)
      -- greatest and least skip nulls, so this needs a case
      + case when s.id is null then 0 else ${wholeSeconds(
        sql`greatest(s.started_at, ${sql.id(p)}.starts_at)`,
        sql`least(${sessionEnd('s', now)}, ${sql.id(p)}.ends_at, ${now}::timestamptz)`,
      )} end
    )::bigint as seconds,
    case when s.ends_by > ${now}::timestamptz then s.started_at end as active_since
  from (values (1)) one (row)
  left join sessions s on s.share_id = ${sql.id(sh)}.id and s.ended_at is null
)`;

/** What was not pressed of a use, in JSON. */
export type RecordedUse = { source: 'added' | 'metered'; meter: string | null; seconds: number }[];

/** Rows of `source`, `meter_id`, and `seconds`: the use of share `sh` in period `p` up to now, apart from presses. */
export const recordedParts = (p: string, now: Date): RawBuilder<unknown> => sql`
  select s.source, s.meter_id, ${wholeSeconds(
    sql`greatest(s.started_at, ${sql.id(p)}.starts_at)`,
    sql`least(${sessionEnd('s', now)}, ${sql.id(p)}.ends_at, ${now}::timestamptz)`,
  )} as seconds
  from sessions s
  where s.share_id = sh.id and s.source <> 'pressed' and s.started_at < ${sql.id(p)}.ends_at
    and ${sessionEnd('s', now)} > ${sql.id(p)}.starts_at
  union all
  select 'metered', d.meter_id, d.seconds from metered_days d
  where d.share_id = sh.id and ${isDayOfPeriod(p, sql`d.day`)}`;

/**
 * A lateral table `recorded` of one row: what recorded the use of some shares `sh` in period `p` up to now, apart from presses, as a
 * `list` with the most first.
 */
export const recordedInPeriod = (
  shares: RawBuilder<unknown>,
  p: string,
  now: Date,
): RawBuilder<unknown> => sql`lateral (
  select coalesce(json_agg(each order by each.seconds desc, each.source, each.meter), '[]') as list
  from (
    select part.source, m.name as meter, sum(part.seconds)::bigint as seconds
    from shares sh cross join lateral (${recordedParts(p, now)}) part left join meters m on m.id = part.meter_id
    where ${shares}
    group by part.source, m.name
  ) each
  where each.seconds > 0
)`;

/**
 * Whether a member of asset `a`, also a former one, has any session or metered day. Reads its shares by their index and stops at the
 * first: without `offset 0`, the planner expects one so soon that it scans all shares.
 */
export const isUsed = (a: string): RawBuilder<unknown> => sql`exists (
  select from (select id from shares where asset_id = ${sql.id(a)}.id and not own offset 0) used_share
  where exists (select 1 from sessions s where s.share_id = used_share.id)
    or exists (select 1 from metered_days d where d.share_id = used_share.id)
)`;

/** When share `sh` was last used: the end of its latest session that isn't active, or when a meter last told of a day; null without. */
export const lastUsedAt = (sh: string, now: Date): RawBuilder<unknown> => sql`greatest((
  select ${sessionEnd('s', now)} from sessions s
  where s.share_id = ${sql.id(sh)}.id and (s.ended_at is not null or s.ends_by <= ${now}::timestamptz)
  order by s.started_at desc, s.id desc
  limit 1
), (
  select d.last_at from metered_days d
  where d.share_id = ${sql.id(sh)}.id and d.seconds > 0
  order by d.day desc, d.id desc
  limit 1
))`;
