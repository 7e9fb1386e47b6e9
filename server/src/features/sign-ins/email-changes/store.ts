import type { User } from '@hourshare/contract/users';
import { sql, type NotNull } from 'kysely';
import type { Database } from '../../../platform/database/database.ts';
import { violates } from '../../../platform/database/failure.ts';

/** Returns whether another account has an email address. */
export async function isTaken(db: Database, { userId, email }: { userId: number; email: string }): Promise<boolean> {
  const { rows } = await sql`select 1 from users where lower(email) = lower(${email}) and id <> ${userId}`.execute(db);
  return rows.length > 0;
}

/**
 * Stores the address that a link confirms, replacing an earlier one. Returns whether it did: not for a disabled account, nor if an
 * address that isn't new has been replaced in the meantime.
 */
export async function putEmailChange(
  db: Database,
  change: {
    userId: number;
    /** Whether the account has another address until the link is used. */
    isNew: boolean;
    email: string;
    tokenHash: string;
    now: Date;
    expiresAt: Date;
  },
): Promise<boolean> {
  const { rows } = await sql`
    insert into email_changes (user_id, email, token_hash, created_at, expires_at)
    select id, ${change.email}, ${change.tokenHash}, ${change.now}::timestamptz, ${change.expiresAt}::timestamptz
    from users where id = ${change.userId} and disabled_at is null ${change.isNew ? sql`` : sql`and email = ${change.email}`}
    -- A new password or address under way ends changes of the address, so it comes first or sees this one.
    for share
    on conflict (user_id) do update set
      email = excluded.email, token_hash = excluded.token_hash, created_at = excluded.created_at,
      expires_at = excluded.expires_at
    returning user_id`.execute(db);
  return rows.length > 0;
}

/** Returns whether the address that the link with this token confirms is a new one; undefined if the link is no longer valid. */
export function findPending(
  db: Database,
  { tokenHash, now }: { tokenHash: string; now: Date },
): Promise<{ isNew: boolean } | undefined> {
  return db
    .selectFrom('email_changes as change')
    .innerJoin('users', 'users.id', 'change.user_id')
    .select(sql<boolean>`change.email is distinct from users.email`.as('isNew'))
    .where('change.token_hash', '=', tokenHash)
    .where('change.expires_at', '>', now)
    .executeTakeFirst();
}

export async function deleteEmailChange(db: Database, userId: number): Promise<void> {
  await db.deleteFrom('email_changes').where('user_id', '=', userId).execute();
}

export type ChangedUser = Pick<User, 'id' | 'username' | 'language'> & { oldEmail: string; newEmail: string };

/** Uses up a link, and locks and returns its user; undefined if it is invalid. */
export async function useLink(
  db: Database,
  { tokenHash, now }: { tokenHash: string; now: Date },
): Promise<ChangedUser | undefined> {
  const user = await db
    .selectFrom('users')
    .innerJoin('email_changes as change', 'change.user_id', 'users.id')
    .select(['users.id', 'users.username', 'users.language', 'users.email as oldEmail', 'change.email as newEmail'])
    .where('change.token_hash', '=', tokenHash)
    .where('change.expires_at', '>', now)
    .forNoKeyUpdate('users')
    .$narrowType<{ oldEmail: NotNull }>()
    .executeTakeFirst();
  if (!user) return undefined;
  const used = await db.deleteFrom('email_changes').where('token_hash', '=', tokenHash).executeTakeFirst();
  return used.numDeletedRows === 0n ? undefined : user;
}

/**
 * Sets a user's address to one that isn't confirmed, and voids a link that would confirm another one. Returns undefined if the account
 * is gone, and `taken` if another one has the address.
 */
export async function setEmail(
  db: Database,
  { userId, email }: { userId: number; email: string },
): Promise<ChangedUser | 'taken' | undefined> {
  const user = await db
    .selectFrom('users')
    .select(['id', 'username', 'language', 'email as oldEmail'])
    .where('id', '=', userId)
    .where('email', 'is not', null)
    .forNoKeyUpdate()
    .$narrowType<{ oldEmail: NotNull }>()
    .executeTakeFirst();
  if (!user) return undefined;
  await deleteEmailChange(db, userId);
  return (await writeEmail(db, { userId, email, confirmedAt: null })) ? { ...user, newEmail: email } : 'taken';
}

/**
 * Sets an address and voids links to set a new password, which the old mailbox may have. Returns false if another account has the
 * address. Needs its own transaction.
 */
export async function writeEmail(
  db: Database,
  { userId, email, confirmedAt }: { userId: number; email: string; confirmedAt: Date | null },
): Promise<boolean> {
  await db.deleteFrom('password_resets').where('user_id', '=', userId).execute();
  try {
    await db.updateTable('users').set({ email, email_confirmed_at: confirmedAt }).where('id', '=', userId).execute();
  } catch (error) {
    if (violates(error, 'users_email_unique')) return false;
    throw error;
  }
  return true;
}

export async function deleteExpiredChanges(db: Database, passedTime: Date): Promise<void> {
  await db.deleteFrom('email_changes').where('expires_at', '<=', passedTime).execute();
}
