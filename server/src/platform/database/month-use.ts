import { sql, type RawBuilder } from 'kysely';
import { zoneIn } from './asset-months.ts';
import { wallClock, wholeSeconds } from './calendar.ts';
import { allocationIn, overlaps, sessionEnd } from './share-use.ts';

/**
 * A lateral table of one row for a month `m` (`first_day`, `begins`, `ends`) of an asset `a`: `list`, a JSON array of its
 * members by username, each with allocation, seconds used up to now and days shared; null when there are none. A member
 * with several shares is one: seconds and days add up, the allocation is the latest share's. An open share counts to the
 * month's end. Where the month's own zone puts its first hours on days of the month before, or skips its first day, they
 * are the first day.
 */
export const membersOfMonth = (now: Date): RawBuilder<unknown> => {
  const at = sql`${now}::timestamptz`;
  const zone = zoneIn(sql`m.first_day`);
  return sql`lateral (
      select json_agg(json_build_object(
        'userId', each.member_id, 'username', u.username, 'allocationHours', each.hours, 'usedSeconds', each.seconds,
        'days', (
          select count(distinct day) from shares sh
          cross join lateral generate_series(
            case when sh.created_at <= m.begins then m.first_day
              else greatest(m.first_day, date_trunc('day', ${wallClock(sql`sh.created_at`, zone)})) end,
            greatest(m.first_day, ${wallClock(
              sql`(least(coalesce(sh.ended_at, m.ends), m.ends) - interval '1 microsecond')`,
              zone,
            )}),
            interval '1 day'
          ) day
          where sh.asset_id = a.id and sh.member_id = each.member_id
            and sh.created_at < m.ends and (sh.ended_at is null or sh.ended_at > m.begins)
        )
      ) order by lower(u.username)) as list
      from (
        select sh.member_id,
          (array_agg(${allocationIn(sql`m.first_day::date`)} order by sh.id desc))[1] as hours,
          sum(used.seconds)::bigint as seconds
        from shares sh
        cross join lateral (
          select coalesce(sum(${wholeSeconds(
            sql`greatest(s.started_at, m.begins)`,
            sql`least(${sessionEnd}, m.ends, ${at})`,
          )}), 0) as seconds
          from sessions s
          where s.share_id = sh.id and ${overlaps(sql`m.begins`, sql`m.ends`)} and s.started_at <= ${at}
        ) used
        where sh.asset_id = a.id and sh.created_at < m.ends and (sh.ended_at is null or sh.ended_at > m.begins)
        group by sh.member_id
      ) each
      join users u on u.id = each.member_id
  )`;
};
