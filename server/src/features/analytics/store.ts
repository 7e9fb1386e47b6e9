import { sql, type RawBuilder } from 'kysely';
import { beginOf, dateIn, monthOf, zoneIn } from '../../platform/database/asset-months.ts';
import { dayBegins, wallClock, wholeSeconds } from '../../platform/database/calendar.ts';
import { allocationIn, isActive, overlaps, sessionEnd } from '../../platform/database/share-use.ts';
import type { Database } from '../../platform/database/tables.ts';
import type { MonthOfUse } from './rules.ts';

export interface AssetMonth extends MonthOfUse {
  asset_name: string;
}

export interface MemberMonth extends AssetMonth {
  username: string;
}

interface Asked {
  /** `YYYY-MM`; the current month of the asset's time zone when undefined. */
  month: string | undefined;
  now: Date;
}

/** One open share's use in a month, up to now; undefined when the member has no such share. */
export async function monthOfShare(
  db: Database,
  { shareId, memberId }: { shareId: number; memberId: number },
  asked: Asked,
): Promise<MemberMonth | undefined> {
  const months = await monthsOfUse(
    db,
    sql`sh.id = ${shareId} and sh.member_id = ${memberId} and sh.ended_at is null and a.archived_at is null`,
    asked,
  );
  return months[0];
}

/** The month's use of each member of an owner's asset; those whose share has ended only if they used it that month. */
export function monthsOfAsset(
  db: Database,
  { assetId, ownerId }: { assetId: number; ownerId: number },
  asked: Asked,
): Promise<MemberMonth[]> {
  return monthsOfUse(db, sql`sh.asset_id = ${assetId} and a.owner_id = ${ownerId}`, asked);
}

/** A month without members or use, of an owner's asset; undefined when there is no such asset of theirs. */
export async function emptyMonth(
  db: Database,
  { assetId, ownerId }: { assetId: number; ownerId: number },
  { month, now }: Asked,
): Promise<AssetMonth | undefined> {
  const { rows } = await sql<{ asset_name: string; today: string }>`
    select a.name as asset_name, to_char(${dateIn(sql`current.first_day`, sql`${now}::timestamptz`)}, 'YYYY-MM-DD') as today
    from assets a
    cross join lateral (select ${monthOf(sql`${now}::timestamptz`)} as first_day offset 0) current
    where a.id = ${assetId} and a.owner_id = ${ownerId}`.execute(db);
  return (
    rows[0] && {
      asset_name: rows[0].asset_name,
      month: month ?? rows[0].today.slice(0, 7),
      today: rows[0].today,
      allocationHours: 0,
      sessionCount: 0,
      active: false,
      secondsByDay: {},
      running: null,
    }
  );
}

/**
 * Use by member of some shares of one asset, in one statement: the sessions of the month are cut at its ends and at each
 * local midnight, then summed by day. A member with several shares is one; the allocation is that of the latest.
 */
async function monthsOfUse(
  db: Database,
  whichShares: RawBuilder<unknown>,
  { month, now }: Asked,
): Promise<MemberMonth[]> {
  const at = sql`${now}::timestamptz`;
  const firstDay = month === undefined ? sql`current.first_day` : sql`${`${month}-01`}::date::timestamp`;
  const { rows } = await sql<MemberMonth>`
    with month as (
      select sh.id, sh.member_id, a.name as asset_name, ${allocationIn(sql`m.first_day::date`)} as monthly_hours_allocated, sh.ended_at,
        m.first_day, ${zoneIn(sql`m.first_day`)} as zone, ${dateIn(sql`current.first_day`, at)} as today,
        ${beginOf(sql`m.first_day`)} as begins, ${beginOf(sql`(m.first_day + interval '1 month')`)} as ends
      from shares sh join assets a on a.id = sh.asset_id
      cross join lateral (select ${monthOf(at)} as first_day offset 0) current
      cross join lateral (select ${firstDay} as first_day) m
      where ${whichShares}
    ), running as (
      select case when begins <= ${at} and ends > ${at} then json_build_object(
        'passedSeconds', ${wholeSeconds(sql`begins`, at)}, 'monthSeconds', ${wholeSeconds(sql`begins`, sql`ends`)},
        'dayStarts', (
          select json_agg(case when day = first_day then 0
            else ${wholeSeconds(sql`begins`, dayBegins(sql`day`, sql`zone`))} end order by day)
          from generate_series(first_day, first_day + interval '1 month' - interval '1 day', interval '1 day') day
        )
      ) end as running
      from (select * from month limit 1) month
    ), cut as (
      select month.member_id, month.first_day, month.zone,
        greatest(s.started_at, month.begins) as from_instant,
        greatest(month.begins, least(${sessionEnd}, month.ends, ${at})) as to_instant
      from month join sessions s on s.share_id = month.id
      where ${overlaps(sql`month.begins`, sql`month.ends`)} and s.started_at <= ${at}
    ), by_day as (
      -- hours that the month's zone would still put before it are of its first day
      select member_id, greatest(first_day, local.day) as day, sum(${wholeSeconds(
        sql`greatest(from_instant, ${dayBegins(sql`local.day`, sql`zone`)})`,
        sql`least(to_instant, ${dayBegins(sql`(local.day + interval '1 day')`, sql`zone`)})`,
      )})::bigint as seconds
      from cut cross join lateral generate_series(
        date_trunc('day', ${wallClock(sql`from_instant`, sql`zone`)}),
        date_trunc('day', ${wallClock(sql`to_instant`, sql`zone`)}),
        interval '1 day'
      ) local (day)
      where to_instant > from_instant
      group by member_id, greatest(first_day, local.day)
    ), member as (
      select member_id, asset_name, first_day, today,
        (array_agg(monthly_hours_allocated order by id desc))[1] as hours,
        bool_or(ended_at is null) as open,
        bool_or(exists (select 1 from sessions s where s.share_id = month.id and ${isActive(at)})) as active
      from month
      group by member_id, asset_name, first_day, today
    )
    select m.username, member.asset_name, to_char(member.first_day, 'YYYY-MM') as month, member.hours as "allocationHours",
      to_char(member.today, 'YYYY-MM-DD') as today,
      coalesce(sessions.count, 0)::int as "sessionCount", member.active,
      coalesce(days.seconds, '{}') as "secondsByDay", running.running
    from member
    cross join running
    join users m on m.id = member.member_id
    left join (select member_id, count(*) from cut group by member_id) sessions on sessions.member_id = member.member_id
    left join (
      select member_id, json_object_agg(to_char(day, 'YYYY-MM-DD'), seconds order by day) as seconds
      from by_day where seconds > 0 group by member_id
    ) days on days.member_id = member.member_id
    where member.open or sessions.count > 0
    order by lower(m.username)`.execute(db);
  return rows;
}
