import { Username, type PaymentDetails, type User } from '@hourshare/contract/accounts';
import { sql, type NotNull } from 'kysely';
import { violates } from '../../platform/database/failure.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Caller } from '../../platform/tokens.ts';
import type { CheckedWith } from './checks/store.ts';
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
  sql<User['email_change']>`(
    select json_build_object('email', change.email,
      'expires_at', to_char(change.expires_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
    from email_changes change where change.user_id = users.id
  )`.as('email_change'),
  sql<boolean>`email_confirmed_at is not null`.as('email_confirmed'),
  sql<boolean>`two_step_since is not null`.as('two_step'),
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
  email_change: User['email_change'];
  email_confirmed: boolean;
  two_step: boolean;
}

/** People without an account and stand-ins of deleted accounts are users, too, but no call treats them as accounts. */
const accountsIn = (db: Database) => db.selectFrom('users').where('email', 'is not', null);

/** Returns the number of accounts. */
export async function countAccounts(db: Database): Promise<number> {
  const { count } = await accountsIn(db)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/**
 * Returns undefined if the username or email address is taken. The unique indexes decide, so concurrent inserts are
 * safe.
 */
export function insertUser(
  db: Database,
  user: {
    username: string;
    email: string;
    /** Null if a passkey or a provider signs in instead. */
    passwordHash: string | null;
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
      sql<boolean>`coalesce(lower(email) = lower(${email}), false)`.as('email'),
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
): Promise<(StoredUser & { password_hash: string | null; disabled_at: Date | null }) | undefined> {
  if (!Username.safeParse(username).success) return undefined;
  return accountsIn(db)
    .select([...userColumns, 'password_hash', 'disabled_at'])
    .where(sql<boolean>`lower(username) = lower(${username})`)
    .$narrowType<{ email: NotNull }>()
    .executeTakeFirst();
}

export function userWithPassword(
  db: Database,
  id: number,
): Promise<(StoredUser & { password_hash: string | null }) | undefined> {
  return accountsIn(db)
    .select([...userColumns, 'password_hash'])
    .where('id', '=', id)
    .$narrowType<{ email: NotNull }>()
    .executeTakeFirst();
}

/**
 * Updates a user, if the verified password (where given) is still current. Returns undefined if there is no such user, they are
 * disabled, or the password has changed, and `taken` if the email address belongs to another account.
 */
export async function updateUser(
  db: Database,
  { id, verifiedHash }: { id: number; verifiedHash?: string | null },
  changes: Partial<
    Pick<StoredUser, 'email' | 'time_zone' | 'language' | 'email_notifications' | 'usage_reminders'> & {
      email_confirmed_at: null;
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
      .where('disabled_at', 'is', null)
      .$if(verifiedHash !== undefined, (query) =>
        query.where('password_hash', 'is not distinct from', verifiedHash ?? null),
      )
      .returning(userColumns)
      .$narrowType<{ email: NotNull }>()
      .executeTakeFirst();
  } catch (error) {
    if (violates(error, 'users_email_unique')) return 'taken';
    throw error;
  }
}

/**
 * Locks the caller's account, so that changes to its ways to sign in are serialized and no sign-in starts in the
 * meantime. Returns whether the caller's sign-in is still active, which stays true until the transaction ends:
 * everything that ends sign-ins takes the lock first.
 */
export async function lockCaller(db: Database, { userId, signIn }: Caller): Promise<boolean> {
  await sql`select 1 from users where id = ${userId} for no key update`.execute(db);
  const active = await db
    .selectFrom('sign_ins')
    .select('id')
    .where('user_id', '=', userId)
    .where('handle', '=', signIn)
    .where('ended_at', 'is', null)
    .executeTakeFirst();
  return active !== undefined;
}

/** Returns whether the user has any way to sign in: a password, a passkey, or an identity of one of the issuers. Needs the lock. */
export async function hasWayIn(
  db: Database,
  { userId, issuers }: { userId: number; issuers: string[] },
): Promise<boolean> {
  const { rows } = await sql`
    select 1 from users
    where id = ${userId} and (
      password_hash is not null
      or exists (select 1 from passkeys where user_id = users.id)
      or exists (select 1 from identities where user_id = users.id and issuer = any(${issuers}::text[]))
    )`.execute(db);
  return rows.length > 0;
}

/**
 * Ends a user's sign-ins, except one to keep, their password reset links, and their unconfirmed email change. Returns the
 * handles of those it ended. The transaction must hold the lock on the user's row, so that it sees every sign-in that began before.
 */
export async function endAccess(
  db: Database,
  { userId, keep, now }: { userId: number; keep?: string; now: Date },
): Promise<string[]> {
  await db.deleteFrom('password_resets').where('user_id', '=', userId).execute();
  await db.deleteFrom('email_changes').where('user_id', '=', userId).execute();
  const ended = await db
    .updateTable('sign_ins')
    .set({ ended_at: now })
    .where('user_id', '=', userId)
    .where('ended_at', 'is', null)
    .$if(keep !== undefined, (query) => query.where('handle', '!=', keep ?? ''))
    .returning('handle')
    .execute();
  return ended.map(({ handle }) => handle);
}

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

/**
 * Adds a sign-in if the verified password (if given) is still current, the account isn't disabled, and a required second step is
 * passed. Returns whether it did. The lock on the user's row serializes this with changes of these, which either end this sign-in
 * or make it fail.
 */
export async function insertSignIn(
  db: Database,
  signIn: {
    userId: number;
    verifiedHash?: string | null | undefined;
    passkeyId?: number | undefined;
    checkedWith: CheckedWith;
    /** Whether the second step is passed: by a passkey, or by a code that the same transaction checks. */
    secondStep: boolean;
    handle: string;
    refreshHash: string;
    device: string;
    now: Date;
    expiresAt: Date;
  },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('sign_ins')
    .columns([
      'user_id',
      'handle',
      'refresh_hash',
      'created_at',
      'last_used_at',
      'expires_at',
      'device',
      'checked_at',
      'checked_with',
      'passkey_id',
    ])
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
          row.cast<Date>(row.val(signIn.now), 'timestamptz').as('checked_at'),
          row.cast<string>(row.val(signIn.checkedWith), 'text').as('checked_with'),
          row.cast<number | null>(row.val(signIn.passkeyId ?? null), 'bigint').as('passkey_id'),
        ])
        .where('id', '=', signIn.userId)
        .$if(signIn.verifiedHash !== undefined, (query) =>
          query.where('password_hash', 'is not distinct from', signIn.verifiedHash ?? null),
        )
        .where('disabled_at', 'is', null)
        .$if(!signIn.secondStep, (query) => query.where('two_step_since', 'is', null))
        .forShare(),
    )
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

/**
 * Removes a user's ended sign-ins and the least recently used ones beyond `keep`. Returns the handles of those
 * removed that were still active.
 */
export async function pruneSignIns(
  db: Database,
  { userId, now, keep }: { userId: number; now: Date; keep: number },
): Promise<string[]> {
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
    .returning(['handle', 'ended_at', 'expires_at'])
    .execute();
  return removed.filter((signIn) => signIn.ended_at === null && signIn.expires_at > now).map(({ handle }) => handle);
}

export interface StoredSignIn {
  id: number;
  device: string;
  name: string | null;
  created_at: Date;
  last_used_at: Date;
  expires_at: Date;
  ended_at: Date | null;
}

export const readSignIns = (
  db: Database,
  { userId, limit, after = 0 }: { userId: number; limit: number; after?: number | undefined },
): Promise<StoredSignIn[]> =>
  db
    .selectFrom('sign_ins')
    .select(['id', 'device', 'name', 'created_at', 'last_used_at', 'expires_at', 'ended_at'])
    .where('user_id', '=', userId)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute();

/**
 * Returns the active sign-in of each caller's access token, and whether the token is the first sign of the current refresh token;
 * undefined if the sign-in has ended.
 */
export async function findSignIns(
  db: Database,
  callers: Caller[],
): Promise<({ checkedAt: Date; confirms: boolean } | undefined)[]> {
  const rows = await db
    .selectFrom('sign_ins')
    .select(['handle', 'user_id', 'checked_at as checkedAt', 'generation', 'confirmed'])
    .where('handle', '=', (builder) => builder.fn.any(builder.val(callers.map(({ signIn }) => signIn))))
    .where('ended_at', 'is', null)
    .execute();
  const found = new Map(rows.map(({ handle, ...row }) => [handle, row]));
  return callers.map(({ userId, signIn, generation }) => {
    const row = found.get(signIn);
    if (row?.user_id !== userId) return undefined;
    return { checkedAt: row.checkedAt, confirms: !row.confirmed && row.generation === generation };
  });
}

/** Records that the client of a sign-in has its current refresh token, so that the previous one can only be a copy. */
export async function confirmRefreshToken(
  db: Database,
  { signIn, generation = 0 }: Pick<Caller, 'signIn' | 'generation'>,
): Promise<void> {
  await db
    .updateTable('sign_ins')
    .set({ confirmed: true })
    .where('handle', '=', signIn)
    .where('generation', '=', generation)
    .execute();
}

/** Returns the devices of a user's other sign-ins that are active or ended since the last one. */
export async function otherDevices(
  db: Database,
  { userId, handle }: { userId: number; handle: string },
): Promise<string[]> {
  const rows = await db
    .selectFrom('sign_ins')
    .select('device')
    .where('user_id', '=', userId)
    .where('handle', '!=', handle)
    .execute();
  return rows.map(({ device }) => device);
}

/** Returns which of these sign-ins are active. */
export async function findActive(db: Database, handles: string[], now: Date): Promise<string[]> {
  const rows = await db
    .selectFrom('sign_ins')
    .innerJoin('users', 'users.id', 'sign_ins.user_id')
    .select('handle')
    .where('handle', '=', (builder) => builder.fn.any(builder.val(handles)))
    .where('ended_at', 'is', null)
    .where('expires_at', '>', now)
    .where('disabled_at', 'is', null)
    .execute();
  return rows.map(({ handle }) => handle);
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
      confirmed: false,
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
      'confirmed',
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

export async function findSecretFingerprint(db: Database): Promise<string | undefined> {
  const row = await db.selectFrom('installation').select('secret_fingerprint').executeTakeFirst();
  return row?.secret_fingerprint;
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
export async function replaceSecretFingerprint(db: Database, recorded: string, fingerprint: string): Promise<void> {
  await db
    .updateTable('installation')
    .set({ secret_fingerprint: fingerprint })
    .where('secret_fingerprint', '=', recorded)
    .execute();
}
