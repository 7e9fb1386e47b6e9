import { Username } from '@hourshare/contract/accounts';
import { sql } from 'kysely';
import { violates } from '../../platform/database/failure.ts';
import type { Database } from '../../platform/database/tables.ts';
import type { SignInState } from './rules.ts';

const userColumns = ['id', 'username', 'email', 'time_zone', 'email_notifications', 'usage_reminders'] as const;

export interface StoredUser {
  id: number;
  username: string;
  email: string;
  time_zone: string;
  email_notifications: boolean;
  usage_reminders: boolean;
}

/** Undefined when the username or the e-mail address is taken; the unique indexes decide, also between two at once. */
export function insertUser(
  db: Database,
  user: { username: string; email: string; passwordHash: string; timeZone: string; createdAt: Date },
): Promise<StoredUser | undefined> {
  return db
    .insertInto('users')
    .values({
      username: user.username,
      email: user.email,
      password_hash: user.passwordHash,
      time_zone: user.timeZone,
      created_at: user.createdAt,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning(userColumns)
    .executeTakeFirst();
}

export async function whatIsTaken(
  db: Database,
  { username, email }: { username: string; email: string },
): Promise<{ username: boolean; email: boolean }> {
  const rows = await db
    .selectFrom('users')
    .select([
      sql<boolean>`lower(username) = lower(${username})`.as('username'),
      sql<boolean>`lower(email) = lower(${email})`.as('email'),
    ])
    .where(sql<boolean>`lower(username) = lower(${username}) or lower(email) = lower(${email})`)
    .execute();
  return { username: rows.some((row) => row.username), email: rows.some((row) => row.email) };
}

export function userById(db: Database, id: number): Promise<StoredUser | undefined> {
  return db.selectFrom('users').select(userColumns).where('id', '=', id).executeTakeFirst();
}

/**
 * The user of a name in any case. A name that nobody can have is not looked up: the database refuses a NUL, and makes a
 * few foreign letters (U+0130, U+212A) into ours, so that one account would have many names, each with limits of its own.
 */
export async function userByName(
  db: Database,
  username: string,
): Promise<(StoredUser & { password_hash: string }) | undefined> {
  if (!Username.safeParse(username).success) return undefined;
  return db
    .selectFrom('users')
    .select([...userColumns, 'password_hash'])
    .where(sql<boolean>`lower(username) = lower(${username})`)
    .executeTakeFirst();
}

export function userWithPassword(
  db: Database,
  id: number,
): Promise<(StoredUser & { password_hash: string }) | undefined> {
  return db
    .selectFrom('users')
    .select([...userColumns, 'password_hash'])
    .where('id', '=', id)
    .executeTakeFirst();
}

/** Undefined when there is no such user; `taken` when the e-mail address is somebody else's, which the index decides. */
export async function updateUser(
  db: Database,
  id: number,
  changes: Partial<Pick<StoredUser, 'email' | 'time_zone' | 'email_notifications' | 'usage_reminders'>>,
): Promise<StoredUser | 'taken' | undefined> {
  try {
    return await db.updateTable('users').set(changes).where('id', '=', id).returning(userColumns).executeTakeFirst();
  } catch (error) {
    if (violates(error, 'users_email_unique')) return 'taken';
    throw error;
  }
}

/** Sets a password and ends every sign-in of the user but one. */
export async function replacePassword(
  db: Database,
  { userId, passwordHash, keep, now }: { userId: number; passwordHash: string; keep: string; now: Date },
): Promise<void> {
  await db.updateTable('users').set({ password_hash: passwordHash }).where('id', '=', userId).execute();
  await db
    .updateTable('sign_ins')
    .set({ ended_at: now })
    .where('user_id', '=', userId)
    .where('handle', '!=', keep)
    .where('ended_at', 'is', null)
    .execute();
}

export async function insertSignIn(
  db: Database,
  signIn: { userId: number; handle: string; refreshHash: string; device: string; now: Date; expiresAt: Date },
): Promise<void> {
  await db
    .insertInto('sign_ins')
    .values({
      user_id: signIn.userId,
      handle: signIn.handle,
      refresh_hash: signIn.refreshHash,
      created_at: signIn.now,
      last_used_at: signIn.now,
      expires_at: signIn.expiresAt,
      device: signIn.device,
    })
    .execute();
}

/** Forgets a user's sign-ins that are over; called when a new one is made, so that they never pile up. */
export async function deleteFinishedSignIns(db: Database, userId: number, now: Date): Promise<void> {
  await db
    .deleteFrom('sign_ins')
    .where('user_id', '=', userId)
    .where((row) => row.or([row('expires_at', '<=', now), row('ended_at', 'is not', null)]))
    .execute();
}

/**
 * Makes the next refresh token the current one; the user's id, or undefined when the one shown was not current. Of two
 * that show the same token at once, the first to update the row wins and the other finds it replaced.
 */
export async function replaceRefreshToken(
  db: Database,
  shown: { handle: string; generation: number; hash: string },
  next: { hash: string; now: Date; expiresAt: Date },
): Promise<number | undefined> {
  const row = await db
    .updateTable('sign_ins')
    .set({
      generation: shown.generation + 1,
      refresh_hash: next.hash,
      replaced_at: next.now,
      last_used_at: next.now,
      expires_at: next.expiresAt,
    })
    .where('handle', '=', shown.handle)
    .where('generation', '=', shown.generation)
    .where('refresh_hash', '=', shown.hash)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', next.now)
    .returning('user_id')
    .executeTakeFirst();
  return row?.user_id;
}

export function signInByHandle(db: Database, handle: string): Promise<(SignInState & { userId: number }) | undefined> {
  return db
    .selectFrom('sign_ins')
    .select([
      'user_id as userId',
      'generation',
      'replaced_at as replacedAt',
      'expires_at as expiresAt',
      'ended_at as endedAt',
    ])
    .where('handle', '=', handle)
    .executeTakeFirst();
}

export async function endSignIn(db: Database, handle: string, now: Date): Promise<void> {
  await db
    .updateTable('sign_ins')
    .set({ ended_at: now })
    .where('handle', '=', handle)
    .where('ended_at', 'is', null)
    .execute();
}
