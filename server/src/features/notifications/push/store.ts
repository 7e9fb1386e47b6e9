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
    insert into push_subscriptions as known (user_id, sign_in_id, endpoint, sealed, created_at)
    select user_id, id, ${endpoint}, ${sealed}, ${now} from sign_ins
    where handle = ${signIn} and user_id = ${userId} and ended_at is null
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

/** Returns the browsers of a user that a notice hasn't been sent to. */
export async function subscriptionsFor(
  db: Database,
  { userId, noticeId, now }: { userId: number; noticeId: number; now: Date },
): Promise<Subscription[]> {
  const { rows } = await sql<Subscription>`
    select p.id, p.endpoint, p.sealed
    from push_subscriptions p join sign_ins s on s.id = p.sign_in_id
    where p.user_id = ${userId} and s.user_id = p.user_id and s.ended_at is null and s.expires_at > ${now}::timestamptz
      and p.id not in (select unnest(pushed_to) from notices where id = ${noticeId})
    order by p.id`.execute(db);
  return rows;
}

const FIRST_WAIT_SECONDS = 60;

/**
 * Takes the notice that has been due the longest to be sent by push message, and postpones it by a delay that doubles with each
 * attempt; after the last one, it isn't sent again. Those that were read are not sent.
 */
export async function claimPushed(
  db: Database,
  { now, attempts }: { now: Date; attempts: number },
): Promise<{ id: number; user_id: number } | undefined> {
  const { rows } = await sql<{ id: number; user_id: number }>`
    update notices set push_attempts = push_attempts + 1,
      push_due_at = case when push_attempts + 1 < ${attempts}::int
        then ${now}::timestamptz + make_interval(secs => ${FIRST_WAIT_SECONDS}::int * 4 ^ push_attempts) end
    where id = (
      select id from notices where push_due_at <= ${now}::timestamptz order by push_due_at, id limit 1 for update skip locked
    )
    returning id, user_id`.execute(db);
  return rows[0];
}

/** Records that a notice has reached a browser. */
export async function recordPush(
  db: Database,
  { noticeId, subscriptionId }: { noticeId: number; subscriptionId: number },
): Promise<void> {
  await sql`update notices set pushed_to = pushed_to || ${subscriptionId}::bigint where id = ${noticeId}`.execute(db);
}

/** Records that a notice has reached all browsers that it could. */
export async function finishPush(db: Database, id: number): Promise<void> {
  await db.updateTable('notices').set({ push_due_at: null }).where('id', '=', id).execute();
}
