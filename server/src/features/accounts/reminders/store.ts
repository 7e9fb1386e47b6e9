import { sql } from 'kysely';
import type { Database } from '../../../platform/database/database.ts';

// Whom usage reminders are sent to, each once, however many servers there are.

/**
 * Returns up to `limit` accounts for whom it is Monday morning or at most a day later, `monday` as `YYYY-MM-DD`, and records that
 * they were reminded.
 */
export async function claimWeeklyReminders(
  db: Database,
  { now, hour, limit }: { now: Date; hour: number; limit: number },
): Promise<{ user_id: number; monday: string }[]> {
  const { rows } = await sql<{ user_id: number; monday: string }>`
    update users u set reminded_week = due.monday
    from (
      select known.id, week.monday
      from users known
      cross join lateral (
        select date_trunc('week', ${now}::timestamptz at time zone known.time_zone)::date as monday,
          ${now}::timestamptz at time zone known.time_zone as local
      ) week
      where known.email is not null and known.disabled_at is null and known.usage_reminders
        and week.local >= week.monday + make_interval(hours => ${hour}::int)
        and week.local < week.monday + interval '2 days'
        and (known.reminded_week is null or known.reminded_week < week.monday)
      order by known.id limit ${limit} for update of known skip locked
    ) due
    where u.id = due.id
    returning u.id as user_id, to_char(due.monday, 'YYYY-MM-DD') as monday`.execute(db);
  return rows;
}

/** Records that accounts are reminded of a month, `YYYY-MM`. Returns those that want to be and weren't yet. */
export async function claimMonthlyReminders(
  db: Database,
  { userIds, month }: { userIds: number[]; month: string },
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    update users u set reminded_month = ${`${month}-01`}::date
    from (
      select id from users
      where id = any(${userIds}::bigint[]) and email is not null and disabled_at is null and usage_reminders
        and (reminded_month is null or reminded_month < ${`${month}-01`}::date)
      order by id for update skip locked
    ) due
    where u.id = due.id
    returning u.id`.execute(db);
  return rows.map(({ id }) => id);
}
