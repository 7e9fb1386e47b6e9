import { sql } from 'kysely';
import type { Database } from '../../../platform/database/database.ts';

const columns = [
  'id',
  'user_id',
  'credential_id',
  'user_handle',
  'public_key',
  'counter',
  'transports',
  'backed_up',
  'name',
  'device',
  'created_at',
  'last_used_at',
] as const;

/** What a device reports about a passkey. */
export interface VerifiedPasskey {
  credential_id: string;
  public_key: string;
  counter: number;
  transports: string[];
  backed_up: boolean;
}

export interface StoredPasskey extends VerifiedPasskey {
  id: number;
  user_id: number;
  user_handle: string;
  name: string | null;
  device: string;
  created_at: Date;
  last_used_at: Date | null;
}

/** Returns all of a user's passkeys, of which there are few. */
export const passkeysOf = (db: Database, userId: number): Promise<StoredPasskey[]> =>
  db.selectFrom('passkeys').select(columns).where('user_id', '=', userId).orderBy('id').execute();

/** Returns the passkey with a credential id: any user's, or a given user's. */
export function findPasskey(
  db: Database,
  { credentialId, userId }: { credentialId: string; userId?: number | undefined },
): Promise<StoredPasskey | undefined> {
  return db
    .selectFrom('passkeys')
    .select(columns)
    .where('credential_id', '=', credentialId)
    .$if(userId !== undefined, (query) => query.where('user_id', '=', userId ?? 0))
    .executeTakeFirst();
}

/** Adds a passkey; `full` if its user has the maximum, undefined if its credential id exists. Needs the lock. */
export async function insertPasskey(
  db: Database,
  passkey: Omit<StoredPasskey, 'id' | 'last_used_at'>,
  max: number,
): Promise<StoredPasskey | 'full' | undefined> {
  const { count } = await db
    .selectFrom('passkeys')
    .select((row) => row.fn.countAll<number>().as('count'))
    .where('user_id', '=', passkey.user_id)
    .executeTakeFirstOrThrow();
  if (count >= max) return 'full';
  return db
    .insertInto('passkeys')
    .values(passkey)
    .onConflict((conflict) => conflict.column('credential_id').doNothing())
    .returning(columns)
    .executeTakeFirst();
}

export const renamePasskey = (
  db: Database,
  { userId, id, name }: { userId: number; id: number; name: string | null },
): Promise<StoredPasskey | undefined> =>
  db
    .updateTable('passkeys')
    .set({ name })
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirst();

/** Removes a passkey and ends its sign-ins, except one. Returns their handles; undefined without such a passkey. Needs the lock. */
export async function deletePasskey(
  db: Database,
  { userId, id, keep, now }: { userId: number; id: number; keep: string; now: Date },
): Promise<string[] | undefined> {
  const ended = await db
    .updateTable('sign_ins')
    .set({ ended_at: now })
    .where('user_id', '=', userId)
    .where('passkey_id', '=', id)
    .where('handle', '!=', keep)
    .where('ended_at', 'is', null)
    .returning('handle')
    .execute();
  const deleted = await db.deleteFrom('passkeys').where('user_id', '=', userId).where('id', '=', id).executeTakeFirst();
  return deleted.numDeletedRows === 0n ? undefined : ended.map(({ handle }) => handle);
}

/**
 * Records the use of a passkey, unless it was removed, or a counter that didn't increase reveals a copy. Locks the user first, as removals
 * do, so that a sign-in in the same transaction either precedes the removal or fails.
 */
export async function recordUse(
  db: Database,
  { passkey, counter, backedUp, now }: { passkey: StoredPasskey; counter: number; backedUp: boolean; now: Date },
): Promise<boolean> {
  await sql`select 1 from users where id = ${passkey.user_id} for share`.execute(db);
  const { numUpdatedRows } = await db
    .updateTable('passkeys')
    .set({ counter, backed_up: backedUp, last_used_at: now })
    .where('id', '=', passkey.id)
    .where((row) => row.or([row('counter', '=', 0), row(row.val(counter), '=', 0), row('counter', '<', counter)]))
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Uses up a challenge; false if it was used before. */
export async function takeChallenge(db: Database, challengeHash: string, expiresAt: Date): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('used_challenges')
    .values({ challenge_hash: challengeHash, expires_at: expiresAt })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

export async function deleteExpiredChallenges(db: Database, passedTime: Date): Promise<void> {
  await db.deleteFrom('used_challenges').where('expires_at', '<=', passedTime).execute();
}

/** Removes all of a user's passkeys. Returns whether there were any. */
export async function deletePasskeys(db: Database, userId: number): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('passkeys').where('user_id', '=', userId).executeTakeFirst();
  return numDeletedRows > 0n;
}
