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
