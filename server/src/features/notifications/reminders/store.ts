import { sql } from 'kysely';
import type { Database } from '../../../platform/database/database.ts';
import { sharedDuringPeriod } from '../../periods/sql.ts';

/** The shares of a user, and those in the assets that the user owns: one condition over both tables would read all shares. */
const sharesAround = (userId: number) => sql`(
  select id from shares where member_id = ${userId}
  union
  select sh.id from assets a join shares sh on sh.asset_id = a.id where a.owner_id = ${userId}
)`;

export interface WeekOfAsset {
  asset_id: number;
  asset_name: string;
  /** Whether these are the seconds of all members, because the user owns the asset. */
  owned: boolean;
  seconds: number;
}

/** Returns the seconds of use of each asset that a user shares or owns, in the seven days before a day. */
export async function readWeek(db: Database, { userId, day }: { userId: number; day: string }): Promise<WeekOfAsset[]> {
  const { rows } = await sql<WeekOfAsset>`
    select a.id as asset_id, a.name as asset_name, a.owner_id = ${userId} as owned, sum(d.seconds)::bigint as seconds
    from ${sharesAround(userId)} around
    join shares sh on sh.id = around.id
    join assets a on a.id = sh.asset_id and a.deleted_at is null
    join usage_days d on d.share_id = sh.id and d.day >= ${day}::date - 7 and d.day < ${day}::date
    group by a.id
    having sum(d.seconds) > 0
    order by lower(a.name), a.id`.execute(db);
  return rows;
}

export interface RunningSession {
  asset_name: string;
  username: string;
  started_at: Date;
}

/** Returns the active sessions of a user, and of the assets that the user owns. */
export async function readRunning(
  db: Database,
  { userId, now }: { userId: number; now: Date },
): Promise<RunningSession[]> {
  const { rows } = await sql<RunningSession>`
    select a.name as asset_name, u.username, s.started_at
    from ${sharesAround(userId)} around
    join shares sh on sh.id = around.id
    join assets a on a.id = sh.asset_id
    join sessions s on s.share_id = sh.id and s.ended_at is null and s.ends_by > ${now}::timestamptz
    join users u on u.id = sh.member_id
    order by s.started_at, s.id`.execute(db);
  return rows;
}

/**
 * Returns accounts with statements of a month, `YYYY-MM`, all of whose assets have closed it; from an instant on, also those that
 * wait for some. Skips those that were reminded.
 */
export async function usersWithStatements(
  db: Database,
  { month, now, waitDays }: { month: string; now: Date; waitDays: number },
): Promise<number[]> {
  const { rows } = await sql<{ user_id: number }>`
    with involved as (
      select l.user_id, true as closed
      from statements st join statement_lines l on l.statement_id = st.id
      where st.month = ${`${month}-01`}::date and l.user_id is not null
      union all
      select who.user_id, false
      from periods p
      cross join lateral (
        select p.owner_id as user_id
        union all
        select sh.member_id from shares sh where sh.asset_id = p.asset_id and ${sharedDuringPeriod}
      ) who
      where p.month = ${`${month}-01`}::date and p.closed_at is null and who.user_id is not null
    )
    select i.user_id
    from involved i
    join users u on u.id = i.user_id and u.email is not null and u.disabled_at is null and u.usage_reminders
      and (u.reminded_month is null or u.reminded_month < ${`${month}-01`}::date)
    group by i.user_id, u.time_zone
    having bool_or(i.closed) and (bool_and(i.closed) or ${now}::timestamptz at time zone u.time_zone
      >= ${`${month}-01`}::date + interval '1 month' + make_interval(days => ${waitDays}::int))
    order by i.user_id`.execute(db);
  return rows.map(({ user_id: id }) => id);
}
