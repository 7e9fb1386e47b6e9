import { sql } from 'kysely';
import type { Database } from '../../platform/database/database.ts';
import { prepared } from '../../platform/database/prepared.ts';
import type { Caller } from '../../platform/tokens.ts';
import type { SignInState } from './rules.ts';

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

/** Returns which ways to sign in a user has: a password, passkeys, and identities of one of the issuers; undefined if they are gone. */
export async function waysIn(
  db: Database,
  { userId, issuers }: { userId: number; issuers: string[] },
): Promise<{ password: boolean; passkey: boolean; provider: boolean } | undefined> {
  const { rows } = await sql<{ password: boolean; passkey: boolean; provider: boolean }>`
    select password_hash is not null as password,
      exists (select from passkeys where user_id = users.id) as passkey,
      exists (select from identities where user_id = users.id and issuer = any(${issuers}::text[])) as provider
    from users where id = ${userId}`.execute(db);
  return rows[0];
}

/** Returns whether the user has any way to sign in. Needs the lock. */
export async function hasWayIn(db: Database, about: { userId: number; issuers: string[] }): Promise<boolean> {
  const ways = await waysIn(db, about);
  return ways !== undefined && (ways.password || ways.passkey || ways.provider);
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

const activeSignIns = prepared<
  { handles: string[] },
  { handle: string; user_id: number; checkedAt: Date; generation: number; confirmed: boolean }
>(
  ({ handles }) => sql`
    select handle, user_id, checked_at as "checkedAt", generation, confirmed
    from sign_ins where handle = any(${handles}::text[]) and ended_at is null`,
);

/**
 * Returns the active sign-in of each caller's access token, and whether the token is the first sign of the current refresh token;
 * undefined if the sign-in has ended.
 */
export async function findSignIns(
  db: Database,
  callers: Caller[],
): Promise<({ checkedAt: Date; confirms: boolean } | undefined)[]> {
  const rows = await activeSignIns(db, { handles: callers.map(({ signIn }) => signIn) });
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

/** How a user proved who they are. */
export type CheckedWith = 'password' | 'passkey' | 'provider';

/**
 * Records that the user of a sign-in has just proved who they are; returns false if the sign-in has ended. A verified password must
 * still be current, and without a second step, none may be needed; the lock makes this wait for concurrent changes of either.
 */
export async function recordCheck(
  db: Database,
  check: {
    signIn: string;
    with: CheckedWith;
    verifiedHash?: string | undefined;
    /** Whether the second step is passed: by a passkey, or by a code that the same transaction checks. */
    secondStep: boolean;
    now: Date;
  },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update sign_ins set checked_at = ${check.now}::timestamptz, checked_with = ${check.with}
    from (select id from users
      where id = (select user_id from sign_ins where handle = ${check.signIn}) and disabled_at is null
        ${check.verifiedHash === undefined ? sql`` : sql`and password_hash = ${check.verifiedHash}`}
        ${check.secondStep ? sql`` : sql`and two_step_since is null`}
      for share) as users
    where users.id = sign_ins.user_id and handle = ${check.signIn} and ended_at is null`.execute(db);
  return numAffectedRows === 1n;
}

/** Returns when and how the user of a sign-in last proved who they are. */
export async function lastCheck(db: Database, signIn: string): Promise<{ at: Date; with: CheckedWith } | undefined> {
  const { rows } = await sql<{ at: Date; with: CheckedWith }>`
    select checked_at as at, checked_with as "with" from sign_ins
    where handle = ${signIn} and ended_at is null`.execute(db);
  return rows[0];
}

/**
 * Makes a user's sign-ins, except one to keep, prove again who they are before they change anything sensitive. Needs the lock on the
 * user's row, for which checks wait.
 */
export async function uncheckSignIns(
  db: Database,
  { userId, keep }: { userId: number; keep: string | undefined },
): Promise<void> {
  await db
    .updateTable('sign_ins')
    .set({ checked_at: new Date(0) })
    .where('user_id', '=', userId)
    .where('ended_at', 'is', null)
    .$if(keep !== undefined, (query) => query.where('handle', '!=', keep ?? ''))
    .execute();
}
