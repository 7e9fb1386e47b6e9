import type { AnswerOf } from '@hourshare/contract/endpoints';
import type { Database } from '../../../platform/database/database.ts';
import { endAccess } from '../../sign-ins/store.ts';

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

/** A link with which one person may create an account. */
interface RegistrationLink {
  tokenHash: string;
  now: Date;
}

export async function insertRegistrationLink(
  db: Database,
  { tokenHash, now, expiresAt }: RegistrationLink & { expiresAt: Date },
): Promise<void> {
  const link = { token_hash: tokenHash, created_at: now, expires_at: expiresAt };
  await db.insertInto('registration_links').values(link).execute();
}

/** Locks the link with this token, so that two people can't use it. Returns whether there is one. Needs a transaction. */
export async function lockRegistrationLink(db: Database, { tokenHash, now }: RegistrationLink): Promise<boolean> {
  const link = await db
    .selectFrom('registration_links')
    .select('id')
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', now)
    .forUpdate()
    .executeTakeFirst();
  return link !== undefined;
}

export async function deleteRegistrationLink(db: Database, tokenHash: string): Promise<void> {
  await db.deleteFrom('registration_links').where('token_hash', '=', tokenHash).execute();
}

export async function deleteExpiredLinks(db: Database, passedTime: Date): Promise<void> {
  await db.deleteFrom('registration_links').where('expires_at', '<=', passedTime).execute();
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
