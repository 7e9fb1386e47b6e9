import type { AnswerOf } from '@hourshare/contract/endpoints';
import type { Database } from '../../../platform/database/database.ts';
import { endAccess } from '../store.ts';

export type Registration = AnswerOf<'GET /api/about/'>['registration'];

/** Blocks an account from signing in. Returns the number of ended sign-ins, or undefined if the account is gone. Needs a transaction. */
export async function disableUser(
  db: Database,
  { userId, now }: { userId: number; now: Date },
): Promise<string[] | undefined> {
  // Locks the row first: a concurrent sign-in waits for it, and then finds the account disabled.
  const { numUpdatedRows } = await db
    .updateTable('users')
    .set((row) => ({ disabled_at: row.fn.coalesce('disabled_at', row.val(now)) }))
    .where('id', '=', userId)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return undefined;
  return endAccess(db, { userId, now });
}

export async function enableUser(db: Database, userId: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('users')
    .set({ disabled_at: null })
    .where('id', '=', userId)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Returns what the administrator chose; null if nothing was chosen or no server has started yet. */
export async function storedRegistration(db: Database): Promise<Registration | null> {
  const row = await db.selectFrom('installation').select('registration').executeTakeFirst();
  return row?.registration ?? null;
}

/** Returns false if no server has started yet. */
export async function storeRegistration(db: Database, registration: Registration): Promise<boolean> {
  const { numUpdatedRows } = await db.updateTable('installation').set({ registration }).executeTakeFirst();
  return numUpdatedRows === 1n;
}
