import { sql } from 'kysely';
import type { Database } from '../../../platform/database/database.ts';

/**
 * Adds a browser of a sign-in, or updates it; a browser belongs to the last user who subscribed in it. Keeps only the newest of
 * the user's. Returns its id; undefined if the sign-in has ended.
 */
export async function saveSubscription(
  db: Database,
  {
    userId,
    signIn,
    endpoint,
    sealed,
    now,
    max,
  }: { userId: number; signIn: string; endpoint: string; sealed: string; now: Date; max: number },
): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    with account as (
      -- locked, because a deletion that is in progress would make the foreign key fail
      select id from users where id = ${userId} for key share
    )
    insert into push_subscriptions as known (user_id, sign_in_id, endpoint, sealed, created_at)
    select account.id, s.id, ${endpoint}, ${sealed}, ${now} from account join sign_ins s on s.user_id = account.id
    where s.handle = ${signIn} and s.ended_at is null
    on conflict (endpoint) do update
    set user_id = excluded.user_id, sign_in_id = excluded.sign_in_id, sealed = excluded.sealed
    returning id`.execute(db);
  await sql`
    delete from push_subscriptions where id in (
      select id from push_subscriptions where user_id = ${userId} order by id desc offset ${max}
    )`.execute(db);
  return rows[0]?.id;
}

/** Removes a browser of a user. Returns whether there was one. */
export async function deleteSubscription(
  db: Database,
  { userId, id }: { userId: number; id: number },
): Promise<boolean> {
  const result = await db
    .deleteFrom('push_subscriptions')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}

/** Removes a browser that its push service no longer knows. */
export async function deleteGone(db: Database, id: number): Promise<void> {
  await db.deleteFrom('push_subscriptions').where('id', '=', id).execute();
}

/** Removes browsers whose sign-in has ended. */
export async function deleteEnded(db: Database, now: Date): Promise<void> {
  await sql`
    delete from push_subscriptions p using sign_ins s
    where s.id = p.sign_in_id and (s.ended_at is not null or s.expires_at <= ${now}::timestamptz)`.execute(db);
}

export interface Subscription {
  id: number;
  endpoint: string;
  sealed: string;
}

/** Returns a browser; undefined if it is gone. */
export function findSubscription(db: Database, id: number): Promise<Subscription | undefined> {
  return db
    .selectFrom('push_subscriptions')
    .select(['id', 'endpoint', 'sealed'])
    .where('id', '=', id)
    .executeTakeFirst();
}
