import type { AccountEventKind, SecurityEvent, SecurityEventKind } from '@hourshare/contract/security-events';
import { sql } from 'kysely';
import type { Database } from '../../platform/database/database.ts';

interface NewEvent {
  userId: number | null;
  formerId: number | null;
  event: SecurityEventKind;
  detail: string | null;
  count: number;
  actor: SecurityEvent['actor'];
  actorId: number | null;
  browser: string | null;
  system: string | null;
  /** The handle of a sign-in. */
  signIn: string | null;
  now: Date;
  /** The hour in which such events are counted in one row; null to add a row. */
  hour: Date | null;
}

/** Adds an event, or counts it; does nothing if its account was deleted in the meantime. */
export async function insertSecurityEvent(db: Database, event: NewEvent): Promise<void> {
  await sql`
    with account as (
      -- locked, because a deletion that is in progress would make the foreign key fail
      select id from users where id = ${event.userId} for key share
    ), actor as (
      select id from users where id = ${event.actorId}::bigint for key share
    )
    insert into security_events as known
      (user_id, former_id, event, detail, count, actor, actor_id, browser, system, sign_in_id, happened_at, last_at, hour)
    select (select id from account), ${event.formerId}::bigint, ${event.event}, ${event.detail}::text,
      ${event.count}::integer, ${event.actor}, (select id from actor), ${event.browser}::text, ${event.system}::text,
      (select id from sign_ins where handle = ${event.signIn}), ${event.now}::timestamptz, ${event.now}::timestamptz,
      ${event.hour}::timestamptz
    where ${event.userId}::bigint is null or exists (select from account)
    on conflict (user_id, event, hour) where hour is not null do update
    set count = known.count + excluded.count, actor = excluded.actor, browser = excluded.browser,
      system = excluded.system, sign_in_id = excluded.sign_in_id, last_at = greatest(known.last_at, excluded.last_at)`.execute(
    db,
  );
}

export interface StoredEvent {
  id: number;
  event: AccountEventKind;
  detail: SecurityEvent['detail'];
  count: number;
  actor: SecurityEvent['actor'];
  actor_name: string | null;
  browser: string | null;
  system: string | null;
  sign_in_id: number | null;
  happened_at: Date;
  last_at: Date;
}

/** Returns a user's events before a given one, newest first. */
export async function readEvents(
  db: Database,
  { userId, limit, after }: { userId: number; limit: number; after?: number | undefined },
): Promise<StoredEvent[]> {
  const { rows } = await sql<StoredEvent>`
    select e.id, e.event, e.detail, e.count, e.actor, other.username as actor_name, e.browser, e.system, e.sign_in_id,
      e.happened_at, e.last_at
    -- users aren't told which administrator acted
    from security_events e left join users other on other.id = e.actor_id and e.actor = 'other'
    where e.user_id = ${userId} ${after === undefined ? sql`` : sql`and e.id < ${after}`}
    order by e.id desc limit ${limit}`.execute(db);
  return rows;
}

/** An event as the administrator sees it. */
export interface LoggedEvent extends Omit<StoredEvent, 'event' | 'detail'> {
  event: SecurityEventKind;
  detail: string | null;
  username: string | null;
  former_id: number | null;
}

/** Returns events after a given one, of one account or all, since a time, oldest first. */
export async function readEventLog(
  db: Database,
  {
    userId,
    since,
    after,
    limit,
  }: { userId?: number | undefined; since?: Date | undefined; after: number; limit: number },
): Promise<LoggedEvent[]> {
  const { rows } = await sql<LoggedEvent>`
    select e.id, e.event, e.detail, e.count, e.actor, other.username as actor_name, e.browser, e.system, e.sign_in_id,
      e.happened_at, e.last_at, u.username, e.former_id
    from security_events e left join users u on u.id = e.user_id left join users other on other.id = e.actor_id
    where e.id > ${after}
      ${userId === undefined ? sql`` : sql`and e.user_id = ${userId}`}
      ${since === undefined ? sql`` : sql`and e.last_at >= ${since}::timestamptz`}
    order by e.id limit ${limit}`.execute(db);
  return rows;
}

/** Detaches what the administrator did to an account that is about to be deleted, and keeps only its number. */
export async function anonymizeAdminEvents(db: Database, userId: number): Promise<void> {
  await db
    .updateTable('security_events')
    .set({ user_id: null, former_id: userId })
    .where('user_id', '=', userId)
    .where('actor', '=', 'administrator')
    .execute();
}

export async function deleteEvents(db: Database, { before }: { before: Date }): Promise<void> {
  await db.deleteFrom('security_events').where('last_at', '<', before).execute();
}
