import { sql } from 'kysely';
import type { Names } from '../../../causes.ts';
import type { Database } from '../../../platform/database/database.ts';
import { renamedGuest } from './sql.ts';

/**
 * Adds a person without an account for an owner, and returns their id; the same name, in any case, is the same person.
 * Locks the owner first; undefined if their account is gone.
 */
export async function addGuest(
  db: Database,
  { hostId, name, now }: { hostId: number; name: string; now: Date },
): Promise<number | undefined> {
  await sql`select 1 from users where id = ${hostId} for no key update`.execute(db);
  const guest = sql`${name}::text || ' (' || username || ')'`;
  await sql`
    insert into users (username, host_id, time_zone, created_at)
    select ${guest}, id, time_zone, ${now}::timestamptz from users where id = ${hostId}
    on conflict do nothing`.execute(db);
  const { rows } = await sql<{ id: number }>`
    select guest.id from users guest join users host on host.id = guest.host_id
    where host.id = ${hostId} and lower(guest.username) = lower(${name}::text || ' (' || host.username || ')')`.execute(
    db,
  );
  return rows[0]?.id;
}

/** Returns the person without an account whom an owner added under a name, as lists show it. */
export function findGuest(
  db: Database,
  { hostId, username }: { hostId: number; username: string },
): Promise<{ id: number } | undefined> {
  return db
    .selectFrom('users')
    .select('id')
    .where('host_id', '=', hostId)
    .where(sql<boolean>`lower(username) = lower(${username})`)
    .executeTakeFirst();
}

/** Moves the people without an account that a user added to the user's stand-in, and renames them if the user's name is to be hidden. */
export async function moveGuests(
  db: Database,
  { userId, standInId, names }: { userId: number; standInId: number; names: Names | undefined },
): Promise<void> {
  await db
    .updateTable('users')
    .set({ host_id: standInId, ...(names && { username: renamedGuest(sql`username`, names) }) })
    .where('host_id', '=', userId)
    .execute();
}
