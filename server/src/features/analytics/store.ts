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
import { cutIntoDays, sessionEnd } from '../usage/sql.ts';
import { daysOf, type DayOfUse, type MonthOfUse } from './rules.ts';

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
  const none = { summedHours: 0, billedSeconds: null, active: false, ...daysOf([]) };
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

/** A row of the first statement; days are read by the second one. */
interface MemberRow extends Omit<Counted, keyof ReturnType<typeof daysOf>> {
  assetId: number;
  shareIds: number[] | null;
}

/**
 * Returns the use of some shares of one asset in a month by member. Shares of one member are combined, with the latest allowance; without
 * any member, one row has no username.
 */
async function monthsOfUse(
  db: Database,
  what: { asset: RawBuilder<unknown>; shares: RawBuilder<unknown>; fullest?: RawBuilder<unknown> },
  { month, now }: MonthRequest,
): Promise<Counted[]> {
  const members = await readMembers(db, what, { month, now });
  const [first] = members;
  if (!first) return [];
  const shareIds = members.flatMap((member) => member.shareIds ?? []);
  const days = await readDays(db, { assetId: first.assetId, month: first.month, shareIds }, now);
  return members.map((member) => ({
    ...member,
    ...daysOf(days.filter(({ shareId }) => member.shareIds?.includes(shareId))),
  }));
}

/** Returns the members of an asset in a month, with what their figures are compared with. */
async function readMembers(
  db: Database,
  {
    asset,
    shares,
    fullest = sql`(select null::int as total_hours) fullest`,
  }: { asset: RawBuilder<unknown>; shares: RawBuilder<unknown>; fullest?: RawBuilder<unknown> },
  { month, now }: MonthRequest,
): Promise<MemberRow[]> {
  const instant = sql`${now}::timestamptz`;
  const { rows } = await sql<MemberRow>`
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
      select sh.id, sh.member_id, sh.own,
        exists (select 1 from sessions s where s.share_id = sh.id and s.ended_at is null and s.ends_by > ${instant}) as active,
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
    ), member as (
      select m.username, (array_agg(share.hours order by share.id desc))[1] as hours,
        array_agg(share.id) as share_ids, bool_or(share.active) as active, share.own
      from share join users m on m.id = share.member_id
      group by m.id, share.own
    )
    select p.asset_id as "assetId", member.share_ids as "shareIds",
      coalesce(line.username, member.username) as username, coalesce(st.asset_name, p.asset_name) as asset_name,
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
      to_char(p.today, 'YYYY-MM-DD') as today, coalesce(member.active, false) as active,
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
    left join statements st on st.asset_id = p.asset_id and st.month = p.month
    -- a closed month keeps the names of its statement, also after someone joins
    left join statement_lines line on line.statement_id = st.id and (line.share_id = any(member.share_ids) or member.own and line.role = 'owner')
    cross join lateral (select p.asset_id as id) a
    -- offset keeps the condition inside: as one of the join, it would drop what has been calculated
    left join lateral (select * from ${fullest} where st.id is null offset 0) fullest on true
    order by lower(coalesce(line.username, member.username))`.execute(db);
  return rows;
}

/** Returns the use of shares on each day of a month: that of ended and running sessions, and what meters recorded of it. */
export async function readDays(
  db: Database,
  { assetId, month, shareIds }: { assetId: number; month: string; shareIds: number[] },
  now: Date,
): Promise<DayOfUse[]> {
  const until = sql`least(${sessionEnd('s', now)}, ${now}::timestamptz)`;
  const stretch = sql`sh.asset_id, s.share_id, s.started_at, ${until} as ended_at`;
  const { rows } = await sql<DayOfUse>`
    with period as materialized (
      select asset_id, month, starts_at, ends_at from periods where asset_id = ${assetId} and month = ${`${month}-01`}::date
    ), share as materialized (select id, asset_id from shares where id = any(${shareIds}::bigint[]))
    select used.share_id as "shareId", to_char(used.day, 'YYYY-MM-DD') as day, sum(used.seconds)::bigint as seconds,
      sum(used.sessions)::int as sessions, sum(used.metered)::bigint as metered
    from period p cross join lateral (
      select d.share_id, d.day, d.seconds, d.sessions, 0 as metered
      from share sh join usage_days d on d.share_id = sh.id and ${isDayOfPeriod('p', sql`d.day`)}
      union all
      select share_id, day, seconds, sessions, 0 from ${cutIntoDays(sql`(
        select ${stretch} from share sh join sessions s on s.share_id = sh.id and s.ended_at is null and s.started_at <= ${until}
      )`)} running
      union all
      select d.share_id, d.day, 0, 0, d.seconds
      from share sh join metered_days d on d.share_id = sh.id and ${isDayOfPeriod('p', sql`d.day`)}
      union all
      select share_id, day, 0, 0, seconds from ${cutIntoDays(sql`(
        select ${stretch} from share sh join sessions s on s.share_id = sh.id and s.source = 'metered'
          and s.started_at < least(p.ends_at, ${now}::timestamptz) and ${sessionEnd('s', now)} > p.starts_at
      )`)} metered
    ) used
    where ${isDayOfPeriod('p', sql`used.day`)}
    group by used.share_id, used.day
    order by used.day`.execute(db);
  return rows;
}
