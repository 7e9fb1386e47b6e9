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

export interface StatementBatch {
  user_ids: number[];
  /** The last statement of the batch; null if it is empty. */
  last: number | null;
}

/**
 * Returns accounts on up to `limit` statements of a month, `YYYY-MM`, after one, all of whose assets have closed it; from an instant
 * on, also those that wait for some. Skips those that were reminded.
 */
export async function usersWithStatements(
  db: Database,
  { month, now, waitDays, after, limit }: { month: string; now: Date; waitDays: number; after: number; limit: number },
): Promise<StatementBatch> {
  const firstDay = sql`${`${month}-01`}::date`;
  const { rows } = await sql<StatementBatch>`
    with batch as materialized (
      select id from statements where month = ${firstDay} and id > ${after} order by id limit ${limit}
    ), involved as materialized (
      select distinct u.id, u.time_zone
      from batch
      join statement_lines l on l.statement_id = batch.id
      join users u on u.id = l.user_id and u.email is not null and u.disabled_at is null and u.usage_reminders
        and (u.reminded_month is null or u.reminded_month < ${firstDay})
    )
    select (select max(id) from batch) as last, coalesce(array_agg(i.id order by i.id), '{}') as user_ids
    from involved i
    where ${now}::timestamptz at time zone i.time_zone
        >= ${firstDay} + interval '1 month' + make_interval(days => ${waitDays}::int)
      or not (
        exists (select 1 from periods p where p.owner_id = i.id and p.month = ${firstDay} and p.closed_at is null)
        or exists (
          select 1 from shares sh join periods p on p.asset_id = sh.asset_id and p.month = ${firstDay}
          where sh.member_id = i.id and p.closed_at is null and ${sharedDuringPeriod('sh', 'p')}
        )
      )`.execute(db);
  return rows[0] ?? { user_ids: [], last: null };
}
