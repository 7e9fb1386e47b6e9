import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../../../platform/database/database.ts';

/** Locks an account, and returns its name. Statements that refer to the account wait, and then find it gone. */
export async function lockAccount(db: Database, userId: number): Promise<string | undefined> {
  const user = await db
    .selectFrom('users')
    .select('username')
    .where('id', '=', userId)
    .where('email', 'is not', null)
    .forUpdate()
    .executeTakeFirst();
  return user?.username;
}

/** Adds an account's stand-in, under a name that no account can have. */
export async function insertStandIn(
  db: Database,
  userId: number,
  now: Date,
): Promise<{ id: number; username: string }> {
  return db
    .insertInto('users')
    .values({ username: `Deleted user ${userId}`, former_id: userId, time_zone: 'UTC', created_at: now })
    .returning(['id', 'username'])
    .executeTakeFirstOrThrow();
}

/** Returns the handles of an account's active sign-ins. */
export async function activeHandles(db: Database, userId: number): Promise<string[]> {
  const signIns = db.selectFrom('sign_ins').select('handle').where('user_id', '=', userId);
  return (await signIns.where('ended_at', 'is', null).execute()).map(({ handle }) => handle);
}

/** Deletes an account and everything that belongs only to it: sign-ins, links, and trusted people. */
export async function deleteUser(db: Database, userId: number): Promise<void> {
  await db.deleteFrom('users').where('id', '=', userId).execute();
}

export async function renameStandIn(db: Database, standInId: number, username: string): Promise<void> {
  await db.updateTable('users').set({ username }).where('id', '=', standInId).execute();
}

/** Deletes stand-ins in `users` that meet a condition. Those with their account's name stay, so that no one else can take the name. */
export async function deleteStandIns(db: Database, condition: RawBuilder<boolean>): Promise<void> {
  await sql`
    delete from users where former_id is not null and username = 'Deleted user ' || former_id and ${condition}`.execute(
    db,
  );
}
