import { sql } from 'kysely';
import { dayBegins, wallClock, wholeSeconds } from '../../platform/database/calendar.ts';
import { isActive, overlaps, sessionEnd } from '../../platform/database/share-use.ts';
import type { Database } from '../../platform/database/tables.ts';
import type { MonthOfUse } from './rules.ts';

/**
 * One share's use in one usage month of its asset's time zone, up to now; the current month when none is named.
 * Undefined when the member has no such share. One statement: the sessions of the month are cut at its ends and at each
 * local midnight, then summed by day.
 */
export async function monthOfUse(
  db: Database,
  { shareId, memberId, month, now }: { shareId: number; memberId: number; month: string | undefined; now: Date },
): Promise<MonthOfUse | undefined> {
  const at = sql`${now}::timestamptz`;
  const zone = sql`month.zone`;
  const monthStart =
    month === undefined
      ? sql`date_trunc('month', ${wallClock(at, sql`a.time_zone`)})`
      : sql`${`${month}-01`}::date::timestamp`;
  const { rows } = await sql<MonthOfUse>`
    with share as (
      select sh.id, sh.monthly_hours_allocated, a.time_zone as zone, ${monthStart} as first_day
      from shares sh join assets a on a.id = sh.asset_id
      where sh.id = ${shareId} and sh.member_id = ${memberId} and sh.ended_at is null
    ), month as (
      select share.*,
        ${dayBegins(sql`first_day`, sql`zone`)} as begins,
        ${dayBegins(sql`(first_day + interval '1 month')`, sql`zone`)} as ends
      from share
    ), cut as (
      select greatest(s.started_at, month.begins) as from_instant,
        greatest(month.begins, least(${sessionEnd}, month.ends, ${at})) as to_instant
      from month join sessions s on s.share_id = month.id
      where ${overlaps(sql`month.begins`, sql`month.ends`)} and s.started_at <= ${at}
    ), by_day as (
      select day, sum(${wholeSeconds(
        sql`greatest(from_instant, ${dayBegins(sql`day`, zone)})`,
        sql`least(to_instant, ${dayBegins(sql`(day + interval '1 day')`, zone)})`,
      )})::bigint as seconds
      from cut cross join month cross join lateral generate_series(
        date_trunc('day', ${wallClock(sql`from_instant`, zone)}),
        date_trunc('day', ${wallClock(sql`to_instant`, zone)}),
        interval '1 day'
      ) day
      where to_instant > from_instant
      group by day
    )
    select to_char(month.first_day, 'YYYY-MM') as month,
      month.monthly_hours_allocated as "allocationHours",
      to_char(${wallClock(at, zone)}, 'YYYY-MM-DD') as today,
      (select count(*) from cut) as "sessionCount",
      exists (select 1 from sessions s where s.share_id = month.id and ${isActive(at)}) as "active",
      (select coalesce(json_object_agg(to_char(day, 'YYYY-MM-DD'), seconds order by day), '{}') from by_day where seconds > 0)
        as "secondsByDay"
    from month`.execute(db);
  return rows[0];
}
