import type { User } from '@hourshare/contract/users';
import { sql, type NotNull } from 'kysely';
import type { Database } from '../../../platform/database/database.ts';
import { endAccess } from '../store.ts';

type Recovering = Pick<User, 'id' | 'username' | 'email' | 'language'>;

export function userByEmail(db: Database, email: string): Promise<Recovering | undefined> {
  return db
    .selectFrom('users')
    .select(['id', 'username', 'email', 'language'])
    .where('email', 'is not', null)
    .where(sql<boolean>`lower(email) = lower(${email})`)
    .$narrowType<{ email: NotNull }>()
    .executeTakeFirst();
}

/**
 * Stores a user's link; false if the account was just deleted, or no longer has the address that gets the link.
 * The lock makes this wait for concurrent changes of the address.
 */
export async function insertReset(
  db: Database,
  {
    userId,
    email,
    tokenHash,
    now,
    expiresAt,
  }: { userId: number; email?: string | undefined; tokenHash: string; now: Date; expiresAt: Date },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into password_resets (user_id, token_hash, emailed, created_at, expires_at)
    select id, ${tokenHash}, ${email !== undefined}, ${now}::timestamptz, ${expiresAt}::timestamptz
    from users
    where id = ${userId} ${email === undefined ? sql`` : sql`and lower(email) = lower(${email})`}
    for share`.execute(db);
  return numAffectedRows === 1n;
}

/** Returns the user of a link that is still valid. */
export function userOfReset(
  db: Database,
  { tokenHash, now }: { tokenHash: string; now: Date },
): Promise<Recovering | undefined> {
  return db
    .selectFrom('password_resets as reset')
    .innerJoin('users', 'users.id', 'reset.user_id')
    .select(['users.id', 'users.username', 'users.email', 'users.language'])
    .where('reset.token_hash', '=', tokenHash)
    .where('reset.expires_at', '>', now)
    .$narrowType<{ email: NotNull }>()
    .executeTakeFirst();
}

/**
 * Uses up a link, voids all others of its user, sets the password, and ends all sign-ins. Returns their handles, and whether the link is
 * the first proof that the user has the address; undefined if the link was used in the meantime. Needs a transaction.
 */
export async function useReset(
  db: Database,
  { userId, tokenHash, passwordHash, now }: { userId: number; tokenHash: string; passwordHash: string; now: Date },
): Promise<{ ended: string[]; isFirstProof: boolean } | undefined> {
  // Locks the user's row first, so that two of the user's links don't deadlock.
  const user = await db
    .updateTable('users')
    .set({ password_hash: passwordHash })
    .where('id', '=', userId)
    .returning('email_confirmed_at')
    .executeTakeFirst();
  const used = await db
    .deleteFrom('password_resets')
    .where('user_id', '=', userId)
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', now)
    .returning('emailed')
    .executeTakeFirst();
  if (!user || !used) return undefined;
  const isFirstProof = used.emailed && user.email_confirmed_at === null;
  if (isFirstProof) await db.updateTable('users').set({ email_confirmed_at: now }).where('id', '=', userId).execute();
  return { ended: await endAccess(db, { userId, now }), isFirstProof };
}

export async function deleteExpiredResets(db: Database, passedTime: Date): Promise<void> {
  await db.deleteFrom('password_resets').where('expires_at', '<=', passedTime).execute();
}
