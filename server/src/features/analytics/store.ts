import { sql, type RawBuilder } from 'kysely';
import { dayStart, wholeSeconds } from '../../platform/database/calendar.ts';
import type { Database } from '../../platform/database/database.ts';
import { actsFor, isKeptFor } from '../assets/sql.ts';
import {
  currentPeriod,
  dateInPeriod,
  isDayOfPeriod,
  ownerAt,
  ownerDuring,
  sharedDuringPeriod,
} from '../periods/sql.ts';
import { accessInPeriod, fullestMoment, isOpenShare } from '../shares/sql.ts';
import { cutIntoDays } from '../usage/sql.ts';
import type { MonthOfUse } from './rules.ts';

export interface AssetMonth extends MonthOfUse {
  asset_name: string;
}

export interface MemberMonth extends AssetMonth {
  username: string;
}

interface MonthRequest {
  /** `YYYY-MM`; the current month in the asset's time zone when undefined. */
  month: string | undefined;
  now: Date;
}

/** Returns the use of one open share in a month, up to now; undefined if the member has no such share. */
export async function monthOfShare(
  db: Database,
  { shareId, memberId }: { shareId: number; memberId: number },
  request: MonthRequest,
): Promise<AssetMonth | undefined> {
  const share = sql`sh.id = ${shareId} and sh.member_id = ${memberId} and ${isOpenShare('sh', request.now)}`;
  const [row] = await monthsOfUse(
    db,
    {
      asset: sql`a.archived_at is null and a.id = (select sh.asset_id from shares sh where ${share})`,
      shares: share,
    },
    request,
  );
  // It has only one of the shares of its line.
  return row && { ...row, billedSeconds: null };
}

/**
 * Returns each member's use of an asset in a month, for members who had access then, and that of an owner who took part; undefined if the
 * user didn't manage it then.
 */
export async function monthsOfAsset(
  db: Database,
  { assetId, userId }: { assetId: number; userId: number },
  request: MonthRequest,
): Promise<{ empty: AssetMonth & FullestMoment; members: MemberMonth[]; own: MemberMonth[] } | undefined> {
  const rows = await monthsOfUse(
    db,
    {
      asset: sql`a.id = ${assetId} and ${isKeptFor('a', userId)} and ${actsFor(
        'a',
        userId,
        request.month === undefined
          ? ownerAt('a', sql`${request.now}::timestamptz`)
          : ownerDuring('a', sql`own.month = ${`${request.month}-01`}::date`),
      )}`,
      // Months too far ahead to have a period list the current members.
      shares: sql`(not sh.own or p.owner_takes_part and sh.member_id = p.owner_id) and case when p.starts_at is null then sh.ended_at is null and sh.accepted_at is not null
          and p.month > p.current_month
        else ${sharedDuringPeriod('sh', 'p')} end`,
      fullest: sql`${fullestMoment('a', 'p')} fullest`,
    },
    request,
  );
  const [first] = rows;
  if (!first) return undefined;
  const named = rows.filter((row): row is MemberMonth & Counted => row.username !== null && row.counts);
  const [members, own] = [named.filter((row) => !row.own), named.filter((row) => row.own)];
  const totalHours = first.totalHours ?? members.reduce((sum, { hours }) => sum + hours, first.ownerHours);
  const none = {
    summedHours: 0,
    billedSeconds: null,
    sessionCount: 0,
    active: false,
    secondsByDay: {},
    meteredByDay: {},
  };
  return { empty: { ...first, ...none, totalHours }, members, own };
}

/** The allowances at the fullest moment, with those reserved for the owner. */
interface FullestMoment {
  totalHours: number;
  ownerHours: number;
}

interface Counted extends AssetMonth {
  /** Null for a month too far ahead, and unless it was asked for. */
  totalHours: number | null;
  ownerHours: number;
  /** The latest allowance. */
  hours: number;
  username: string | null;
  /** Whether it is the owner's own use. */
  own: boolean | null;
  /** Whether the statement of the month has a line for them. */
  counts: boolean;
}

/**
 * Returns the use of some shares of one asset in a month by member, from the days of ended sessions and from running
 * ones. Shares of one member are combined, with the latest allowance; without any member, one row has no username.
 */
async function monthsOfUse(
  db: Database,
  {
    asset,
    shares,
    fullest = sql`(select null::int as total_hours) fullest`,
  }: { asset: RawBuilder<unknown>; shares: RawBuilder<unknown>; fullest?: RawBuilder<unknown> },
  { month, now }: MonthRequest,
): Promise<Counted[]> {
  const instant = sql`${now}::timestamptz`;
  const { rows } = await sql<Counted>`
    with period as materialized (
      select asked.*, own.starts_at, own.ends_at, own.time_zone, own.owner_hours, own.owner_takes_part, own.owner_id,
        (asked.month + interval '1 month')::date - asked.month as month_days
      from (
        select a.id as asset_id, a.name as asset_name, p.month as current_month, ${dateInPeriod('p', instant)} as today,
          coalesce(${month === undefined ? null : `${month}-01`}::date, p.month) as month
        from assets a cross join ${currentPeriod('a', now)} p
        where ${asset}
      ) asked
      left join periods own on own.asset_id = asked.asset_id and own.month = asked.month
    ), share as materialized (
      select sh.id, sh.asset_id, sh.member_id, sh.own, s.started_at, least(s.ends_by, ${instant}) as ended_at,
        coalesce(s.ends_by > ${instant}, false) as active,
        coalesce(
          (select monthly_hours from allowances where share_id = sh.id and since < p.ends_at
            order by since desc limit 1),
          (select monthly_hours from allowances where share_id = sh.id
            order by case when p.month < p.current_month then since end, since desc limit 1),
          -- an offer has no allowance yet
          sh.monthly_hours_allocated
        ) as hours
      from period p
      join shares sh on sh.asset_id = p.asset_id and ${shares}
      left join sessions s on s.share_id = sh.id and s.ended_at is null
    ), used as (
      select sh.member_id, d.day, d.seconds, d.sessions
      from period p cross join share sh
      join usage_days d on d.share_id = sh.id and ${isDayOfPeriod('p', sql`d.day`)}
      union all
      select sh.member_id, d.day, d.seconds, d.sessions
      from ${cutIntoDays(sql`(
        select asset_id, id as share_id, started_at, ended_at from share where started_at <= ended_at
      )`)} d
      join share sh on sh.id = d.share_id
      cross join period p
      where ${isDayOfPeriod('p', sql`d.day`)}
    ), metered as (
      select sh.member_id, d.day, d.seconds
      from period p cross join share sh
      join metered_days d on d.share_id = sh.id and ${isDayOfPeriod('p', sql`d.day`)}
      union all
      select sh.member_id, d.day, d.seconds
      from ${cutIntoDays(sql`(
        select sh.asset_id, s.share_id, s.started_at, least(coalesce(s.ended_at, s.ends_by), ${instant}) as ended_at
        from period p cross join share sh join sessions s on s.share_id = sh.id and s.source = 'metered'
          and s.started_at < least(p.ends_at, ${instant}) and coalesce(s.ended_at, s.ends_by) > p.starts_at
      )`)} d
      join share sh on sh.id = d.share_id
      cross join period p
      where ${isDayOfPeriod('p', sql`d.day`)}
    ), metered_by_day as (
      select member_id, day, sum(seconds)::bigint as seconds from metered group by member_id, day
    ), by_day as (
      select member_id, day, sum(seconds)::bigint as seconds, sum(sessions)::int as sessions
      from used group by member_id, day
    ), member as (
      select m.username, share.member_id, (array_agg(share.hours order by share.id desc))[1] as hours,
        array_agg(share.id) as share_ids, bool_or(share.active) as active, share.own
      from share join users m on m.id = share.member_id
      group by m.username, share.member_id, share.own
    )
    select coalesce(line.username, member.username) as username, coalesce(st.asset_name, p.asset_name) as asset_name,
      to_char(p.month, 'YYYY-MM') as month, coalesce(member.hours, 0) as hours,
      case when p.month < p.current_month then coalesce(line.summed_hours, access.summed_hours)
        else coalesce(member.hours, 0) * p.month_days end as "summedHours",
      0 as "reservedHours", 0 as "ownSeconds", line.used_seconds as "billedSeconds",
      coalesce(st.total_hours, fullest.total_hours) as "totalHours",
      coalesce(st.owner_hours, p.owner_hours, (
        select owner_hours from periods where asset_id = p.asset_id order by month desc limit 1
      )) as "ownerHours",
      member.own,
      case when st.id is null then p.starts_at is null or access.days > 0 or member.own else line.id is not null end as counts,
      to_char(p.today, 'YYYY-MM-DD') as today,
      coalesce(days.sessions, 0) as "sessionCount", coalesce(member.active, false) as active,
      coalesce(days.seconds, '{}') as "secondsByDay", (
        select coalesce(json_object_agg(to_char(day, 'YYYY-MM-DD'), seconds order by day) filter (where seconds > 0), '{}')
        from metered_by_day where metered_by_day.member_id = member.member_id
      ) as "meteredByDay",
      case when p.month = p.current_month then json_build_object(
        'passedSeconds', ${wholeSeconds(sql`p.starts_at`, instant)},
        'monthSeconds', ${wholeSeconds(sql`p.starts_at`, sql`p.ends_at`)},
        'dayStarts', (
          select json_agg(case when day = p.month then 0
            else ${wholeSeconds(sql`p.starts_at`, dayStart(sql`day`, sql`p.time_zone`))} end order by day)
          from generate_series(p.month, p.month + interval '1 month' - interval '1 day', interval '1 day') series (stamp)
          cross join lateral (select stamp::timestamp as day) local
        )
      ) end as running
    from period p
    left join member on true
    cross join ${accessInPeriod('p', sql`sh.id = any(member.share_ids)`)} access
    left join lateral (
      select sum(sessions)::int as sessions,
        json_object_agg(to_char(day, 'YYYY-MM-DD'), seconds order by day) filter (where seconds > 0) as seconds
      from by_day where by_day.member_id = member.member_id
    ) days on true
    left join statements st on st.asset_id = p.asset_id and st.month = p.month
    -- a closed month keeps the names of its statement, also after someone joins
    left join statement_lines line on line.statement_id = st.id and (line.share_id = any(member.share_ids) or member.own and line.role = 'owner')
    cross join lateral (select p.asset_id as id) a
    -- offset keeps the condition inside: as one of the join, it would drop what has been calculated
    left join lateral (select * from ${fullest} where st.id is null offset 0) fullest on true
    order by lower(coalesce(line.username, member.username))`.execute(db);
  return rows;
}
