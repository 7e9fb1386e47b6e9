import { Username, type PaymentDetails, type User } from '@hourshare/contract/accounts';
import { sql, type NotNull } from 'kysely';
import { violates } from '../../platform/database/failure.ts';
import type { Database } from '../../platform/database/database.ts';
import type { SignInState } from './rules.ts';

const userColumns = [
  'id',
  'username',
  'email',
  'time_zone',
  'language',
  'email_notifications',
  'usage_reminders',
  sql<PaymentDetails>`json_build_object('iban', payment_iban, 'link', payment_link, 'text', payment_text)`.as(
    'payment_details',
  ),
] as const;

export interface StoredUser {
  id: number;
  username: string;
  email: string;
  time_zone: string;
  language: User['language'];
  email_notifications: boolean;
  usage_reminders: boolean;
  payment_details: PaymentDetails;
}

/** People without an account are users too, whom no call takes for an account. */
const accountsIn = (db: Database) => db.selectFrom('users').where('keeper_id', 'is', null);

/**
 * Returns undefined if the username or email address is taken. The unique indexes decide, so concurrent inserts are
 * safe.
 */
export function insertUser(
  db: Database,
  user: {
    username: string;
    email: string;
    passwordHash: string;
    timeZone: string;
    language: User['language'];
    createdAt: Date;
  },
): Promise<StoredUser | undefined> {
  return db
    .insertInto('users')
    .values({
      username: user.username,
      email: user.email,
      password_hash: user.passwordHash,
      time_zone: user.timeZone,
      language: user.language,
      created_at: user.createdAt,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning(userColumns)
    .$narrowType<{ email: NotNull }>()
    .executeTakeFirst();
}

export async function findTaken(
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
  return accountsIn(db).select(userColumns).where('id', '=', id).$narrowType<{ email: NotNull }>().executeTakeFirst();
}

/**
 * Returns the user with a name, in any case. Impossible names are skipped: the database rejects NUL and lowercases some
 * foreign letters (U+0130, U+212A) to ours, which would give one account many names, each with its own rate limits.
 */
export async function userByName(
  db: Database,
  username: string,
): Promise<(StoredUser & { password_hash: string }) | undefined> {
  if (!Username.safeParse(username).success) return undefined;
  return accountsIn(db)
    .select([...userColumns, 'password_hash'])
    .where(sql<boolean>`lower(username) = lower(${username})`)
    .$narrowType<{ email: NotNull; password_hash: NotNull }>()
    .executeTakeFirst();
}

export function userWithPassword(
  db: Database,
  id: number,
): Promise<(StoredUser & { password_hash: string }) | undefined> {
  return accountsIn(db)
    .select([...userColumns, 'password_hash'])
    .where('id', '=', id)
    .$narrowType<{ email: NotNull; password_hash: NotNull }>()
    .executeTakeFirst();
}

/**
 * Updates a user, if the verified password (where given) is still current. Returns undefined if there is no such user
 * or the password has changed, and `taken` if the email address belongs to another account.
 */
export async function updateUser(
  db: Database,
  { id, verifiedHash }: { id: number; verifiedHash?: string },
  changes: Partial<
    Pick<StoredUser, 'email' | 'time_zone' | 'language' | 'email_notifications' | 'usage_reminders'> & {
      payment_iban: string | null;
      payment_link: string | null;
      payment_text: string | null;
    }
  >,
): Promise<StoredUser | 'taken' | undefined> {
  try {
    return await db
      .updateTable('users')
      .set(changes)
      .where('id', '=', id)
      .$if(verifiedHash !== undefined, (query) => query.where('password_hash', '=', verifiedHash ?? ''))
      .returning(userColumns)
      .$narrowType<{ email: NotNull }>()
      .executeTakeFirst();
  } catch (error) {
    if (violates(error, 'users_email_unique')) return 'taken';
    throw error;
  }
}

/**
 * Sets a password if the verified one is still current, and ends all other sign-ins; returns how many, or undefined if
 * another change came first. Needs a transaction: the second statement must see sign-ins inserted while the first
 * waited for the row.
 */
export async function replacePassword(
  db: Database,
  change: { userId: number; verifiedHash: string; passwordHash: string; keep: string; now: Date },
): Promise<number | undefined> {
  const { numUpdatedRows } = await db
    .updateTable('users')
    .set({ password_hash: change.passwordHash })
    .where('id', '=', change.userId)
    .where('password_hash', '=', change.verifiedHash)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return undefined;
  const ended = await db
    .updateTable('sign_ins')
    .set({ ended_at: change.now })
    .where('user_id', '=', change.userId)
    .where('handle', '!=', change.keep)
    .where('ended_at', 'is', null)
    .executeTakeFirst();
  return Number(ended.numUpdatedRows);
}

/**
 * Adds a sign-in if the verified password is still current, and returns whether it was. The lock on the user's row
 * serializes this with a password change, which then either ends this sign-in or makes it fail.
 */
export async function insertSignIn(
  db: Database,
  signIn: {
    userId: number;
    verifiedHash: string;
    handle: string;
    refreshHash: string;
    device: string;
    now: Date;
    expiresAt: Date;
  },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('sign_ins')
    .columns(['user_id', 'handle', 'refresh_hash', 'created_at', 'last_used_at', 'expires_at', 'device'])
    .expression((builder) =>
      builder
        .selectFrom('users')
        .select((row) => [
          'id',
          row.cast<string>(row.val(signIn.handle), 'text').as('handle'),
          row.cast<string>(row.val(signIn.refreshHash), 'text').as('refresh_hash'),
          row.cast<Date>(row.val(signIn.now), 'timestamptz').as('created_at'),
          row.cast<Date>(row.val(signIn.now), 'timestamptz').as('last_used_at'),
          row.cast<Date>(row.val(signIn.expiresAt), 'timestamptz').as('expires_at'),
          row.cast<string>(row.val(signIn.device), 'text').as('device'),
        ])
        .where('id', '=', signIn.userId)
        .where('password_hash', '=', signIn.verifiedHash)
        .forShare(),
    )
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

/**
 * Removes a user's ended sign-ins and the least recently used ones beyond `keep`. Returns how many of those removed
 * were still active.
 */
export async function pruneSignIns(
  db: Database,
  { userId, now, keep }: { userId: number; now: Date; keep: number },
): Promise<number> {
  const removed = await db
    .deleteFrom('sign_ins')
    .where('user_id', '=', userId)
    .where((row) =>
      row.or([
        row('expires_at', '<=', now),
        row('ended_at', 'is not', null),
        row('id', 'not in', (inner) =>
          inner
            .selectFrom('sign_ins')
            .select('id')
            .where('user_id', '=', userId)
            .where('expires_at', '>', now)
            .where('ended_at', 'is', null)
            .orderBy('last_used_at', 'desc')
            .orderBy('id', 'desc')
            .limit(keep),
        ),
      ]),
    )
    .returning(['ended_at', 'expires_at'])
    .execute();
  return removed.filter((signIn) => signIn.ended_at === null && signIn.expires_at > now).length;
}

/** Returns for each caller whether the sign-in of their access token is active and their account exists. */
export async function areSignedIn(db: Database, callers: { userId: number; signIn: string }[]): Promise<boolean[]> {
  const rows = await db
    .selectFrom('sign_ins')
    .select(['handle', 'user_id'])
    .where('handle', '=', (builder) => builder.fn.any(builder.val(callers.map(({ signIn }) => signIn))))
    .where('ended_at', 'is', null)
    .execute();
  const userOf = new Map(rows.map((row) => [row.handle, row.user_id]));
  return callers.map(({ userId, signIn }) => userOf.get(signIn) === userId);
}

/**
 * Makes the next refresh token current and returns the user, or undefined if the presented one wasn't current. Of
 * concurrent requests with one token, the first to update the row wins.
 */
export async function replaceRefreshToken(
  db: Database,
  shown: { handle: string; generation: number; hash: string },
  next: { hash: string; now: Date; unusedEnd: Date; maxDays: number; madeBy: Date },
): Promise<{ userId: number; username: string } | undefined> {
  return db
    .updateTable('sign_ins')
    .from('users')
    .set({
      generation: shown.generation + 1,
      refresh_hash: next.hash,
      replaced_at: next.now,
      last_used_at: next.now,
      expires_at: sql<Date>`least(${next.unusedEnd}, sign_ins.created_at + ${next.maxDays} * interval '1 day')`,
    })
    .whereRef('users.id', '=', 'sign_ins.user_id')
    .where('handle', '=', shown.handle)
    .where('generation', '=', shown.generation)
    .where('refresh_hash', '=', shown.hash)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', next.now)
    .where('sign_ins.created_at', '<=', next.madeBy)
    .returning(['users.id as userId', 'users.username'])
    .executeTakeFirst();
}

export function signInByHandle(
  db: Database,
  handle: string,
): Promise<(SignInState & { userId: number; username: string }) | undefined> {
  return db
    .selectFrom('sign_ins')
    .innerJoin('users', 'users.id', 'sign_ins.user_id')
    .select([
      'users.id as userId',
      'users.username',
      'generation',
      'replaced_at as replacedAt',
      'expires_at as expiresAt',
      'ended_at as endedAt',
    ])
    .where('handle', '=', handle)
    .executeTakeFirst();
}

/** Returns the user of the ended sign-in, or undefined if it had already ended. */
export async function endSignIn(db: Database, handle: string, now: Date): Promise<number | undefined> {
  const row = await db
    .updateTable('sign_ins')
    .set({ ended_at: now })
    .where('handle', '=', handle)
    .where('ended_at', 'is', null)
    .returning('user_id')
    .executeTakeFirst();
  return row?.user_id;
}

/**
 * Adds a person without an account for an owner, and returns their id; the same name, in any case, is the same person.
 * Locks the owner first; undefined if their account is gone.
 */
export async function keepPerson(
  db: Database,
  { keeperId, name, now }: { keeperId: number; name: string; now: Date },
): Promise<number | undefined> {
  await sql`select 1 from users where id = ${keeperId} for no key update`.execute(db);
  const person = sql`${name}::text || ' (' || username || ')'`;
  await sql`
    insert into users (username, keeper_id, time_zone, created_at)
    select ${person}, id, time_zone, ${now}::timestamptz from users where id = ${keeperId}
    on conflict do nothing`.execute(db);
  const { rows } = await sql<{ id: number }>`
    select p.id from users p join users keeper on keeper.id = p.keeper_id
    where keeper.id = ${keeperId} and lower(p.username) = lower(${name}::text || ' (' || keeper.username || ')')`.execute(
    db,
  );
  return rows[0]?.id;
}

/** Returns the person without an account whom an owner added under a name, as lists show it. */
export function findPerson(
  db: Database,
  { keeperId, username }: { keeperId: number; username: string },
): Promise<{ id: number } | undefined> {
  return db
    .selectFrom('users')
    .select('id')
    .where('keeper_id', '=', keeperId)
    .where(sql<boolean>`lower(username) = lower(${username})`)
    .executeTakeFirst();
}

/** Returns how to pay these users, by id. */
export async function paymentDetailsOf(db: Database, ids: number[]): Promise<Map<number, PaymentDetails>> {
  const rows = await db
    .selectFrom('users')
    .select(['id', 'payment_iban as iban', 'payment_link as link', 'payment_text as text'])
    .where('id', '=', (builder) => builder.fn.any(builder.val(ids)))
    .execute();
  return new Map(rows.map(({ id, ...details }) => [id, details]));
}

/** Returns which of these users exist; none of them can be deleted until the transaction ends. */
export async function lockUsers(db: Database, ids: number[]): Promise<Set<number>> {
  const rows = await db
    .selectFrom('users')
    .select('id')
    .where('id', '=', (builder) => builder.fn.any(builder.val(ids)))
    .orderBy('id')
    .forKeyShare()
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** Records the fingerprint unless there is one already, and returns the recorded one. */
export async function recordSecretFingerprint(db: Database, fingerprint: string): Promise<string> {
  await db
    .insertInto('installation')
    .values({ secret_fingerprint: fingerprint })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const row = await db.selectFrom('installation').select('secret_fingerprint').executeTakeFirstOrThrow();
  return row.secret_fingerprint;
}

/** Conditional, so that only one of several servers replaces the same secret. */
export async function replaceSecretFingerprint(db: Database, recorded: string, fingerprint: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('installation')
    .set({ secret_fingerprint: fingerprint })
    .where('secret_fingerprint', '=', recorded)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}
