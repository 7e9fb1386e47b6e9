import type { Database } from '../../../platform/database/database.ts';

/** Blocks an account from signing in. Returns false if it is gone. */
export async function disableUser(db: Database, { userId, now }: { userId: number; now: Date }): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('users')
    .set((row) => ({ disabled_at: row.fn.coalesce('disabled_at', row.val(now)) }))
    .where('id', '=', userId)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

export async function enableUser(db: Database, userId: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('users')
    .set({ disabled_at: null })
    .where('id', '=', userId)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Locks an account, and returns whether it is an administrator's; undefined if it is gone. */
export async function lockAdministrator(db: Database, userId: number): Promise<boolean | undefined> {
  const user = await db
    .selectFrom('users')
    .select('administrator_since')
    .where('id', '=', userId)
    .where('email', 'is not', null)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return user && user.administrator_since !== null;
}

export async function setAdministrator(db: Database, userId: number, since: Date | null): Promise<void> {
  await db.updateTable('users').set({ administrator_since: since }).where('id', '=', userId).execute();
}

/** Returns the usernames of administrators. */
export async function administratorNames(db: Database): Promise<string[]> {
  const rows = await db
    .selectFrom('users')
    .select('username')
    .where('administrator_since', 'is not', null)
    .orderBy('id')
    .execute();
  return rows.map(({ username }) => username);
}

/** Returns whether an administrator signs in in two steps; undefined if the account isn't an administrator's. */
export function administratorOf(db: Database, userId: number): Promise<{ twoStep: boolean } | undefined> {
  return db
    .selectFrom('users')
    .select(({ eb }) => eb('two_step_since', 'is not', null).$castTo<boolean>().as('twoStep'))
    .where('id', '=', userId)
    .where('administrator_since', 'is not', null)
    .executeTakeFirst();
}
