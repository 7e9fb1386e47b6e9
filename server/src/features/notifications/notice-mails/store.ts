import { sql } from 'kysely';
import type { Database } from '../../../platform/database/database.ts';

/**
 * Takes the notices of up to `limit` users whose first waiting one is due to be sent by email, with all others of theirs that
 * wait. Servers that query at the same time get different users.
 */
export async function claimMailed(
  db: Database,
  { now, limit }: { now: Date; limit: number },
): Promise<{ user_id: number; ids: number[] }[]> {
  const { rows } = await sql<{ user_id: number; ids: number[] }>`
    with due as materialized (
      select id from users where id in (select user_id from notices where mail_due_at <= ${now}::timestamptz)
      order by id limit ${limit} for no key update skip locked
    ), claimed as (
      update notices set mail_due_at = null where user_id in (select id from due) and mail_due_at is not null
      returning user_id, id
    )
    select user_id, array_agg(id order by id) as ids from claimed group by user_id order by user_id`.execute(db);
  return rows;
}
