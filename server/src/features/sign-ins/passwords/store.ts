import type { Database } from '../../../platform/database/database.ts';
import { endAccess } from '../store.ts';

/**
 * Sets or removes a password if the verified one is still current and the account isn't disabled, and ends all other access.
 * Returns the handles of the sign-ins that ended; undefined if another change came first. Needs a transaction.
 */
export async function replacePassword(
  db: Database,
  change: { userId: number; verifiedHash: string | null; passwordHash: string | null; keep: string; now: Date },
): Promise<string[] | undefined> {
  const { numUpdatedRows } = await db
    .updateTable('users')
    .set({ password_hash: change.passwordHash })
    .where('id', '=', change.userId)
    .where('password_hash', 'is not distinct from', change.verifiedHash)
    .where('disabled_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows === 0n ? undefined : endAccess(db, change);
}

/** Replaces the hash of the same password, if the verified one is still stored. Ends nothing. */
export async function renewPasswordHash(
  db: Database,
  { userId, verifiedHash, passwordHash }: { userId: number; verifiedHash: string; passwordHash: string },
): Promise<void> {
  await db
    .updateTable('users')
    .set({ password_hash: passwordHash })
    .where('id', '=', userId)
    .where('password_hash', '=', verifiedHash)
    .execute();
}
