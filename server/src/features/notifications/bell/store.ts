import { sql } from 'kysely';
import type { Database } from '../../../platform/database/database.ts';
import { noticeColumns, type StoredNotice } from '../notices/sql.ts';

/** Returns notices in a user's bell that are newer than an instant, newest first. */
export async function readNotices(
  db: Database,
  { userId, since, limit, after }: { userId: number; since: Date; limit: number; after: number | undefined },
): Promise<StoredNotice[]> {
  const { rows } = await sql<StoredNotice>`
    select ${noticeColumns('n', 'actor')}
    from notices n left join users actor on actor.id = n.actor_id
    where n.user_id = ${userId} and n.in_bell and n.created_at > ${since}::timestamptz
      and (${after ?? null}::bigint is null or n.id < ${after ?? null}::bigint)
    order by n.id desc limit ${limit}`.execute(db);
  return rows;
}

export async function countUnread(db: Database, { userId, since }: { userId: number; since: Date }): Promise<number> {
  const { count } = await db
    .selectFrom('notices')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .where('in_bell', '=', true)
    .where('read_at', 'is', null)
    .where('created_at', '>', since)
    .executeTakeFirstOrThrow();
  return count;
}

/** Marks notices of a user as read, or all. Returns whether any was unread. */
export async function markRead(
  db: Database,
  { userId, ids, now }: { userId: number; ids: number[] | undefined; now: Date },
): Promise<boolean> {
  const result = await db
    .updateTable('notices')
    .set({ read_at: now })
    .where('user_id', '=', userId)
    .where('in_bell', '=', true)
    .where('read_at', 'is', null)
    .$if(ids !== undefined, (query) => query.where('id', '=', (builder) => builder.fn.any(builder.val(ids ?? []))))
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

export async function deleteOldNotices(db: Database, before: Date): Promise<void> {
  await db.deleteFrom('notices').where('created_at', '<=', before).execute();
}
