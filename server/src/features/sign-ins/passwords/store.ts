import type { Database } from '../../../platform/database/database.ts';
import { endAccess } from '../store.ts';

/**
 * Sets or removes a password, and ends all other access. Returns the handles of the sign-ins that ended. Needs the lock on the user's
 * row.
 */
export async function replacePassword(
  db: Database,
  change: { userId: number; passwordHash: string | null; keep: string; now: Date },
): Promise<string[]> {
  const { userId, passwordHash } = change;
  await db.updateTable('users').set({ password_hash: passwordHash }).where('id', '=', userId).execute();
  return endAccess(db, change);
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
