import type {
  ChangePasswordRequest,
  LoginRequest,
  RegisterRequest,
  SignedIn,
  TokenPair,
  UpdateMeRequest,
  User,
} from '@hourshare/contract/accounts';
import { SENTENCES } from '@hourshare/contract/sentences';
import type { Deps } from '../../deps.ts';
import { batched } from '../../platform/batch.ts';
import type { Database } from '../../platform/database/database.ts';
import { inTransaction, inUndoableTransaction } from '../../platform/database/transaction.ts';
import { isGuessablePassword } from '../../platform/guessable-passwords.ts';
import { normalizePassword } from '../../platform/passwords.ts';
import { ok, type Failure, type Result } from '../../platform/result.ts';
import { secretFingerprint } from '../../platform/secret.ts';
import { logSecurityEvent } from '../../platform/security-log.ts';
import { StartupError } from '../../platform/startup-error.ts';
import { hashToken, type Caller, type RefreshClaim } from '../../platform/tokens.ts';
import {
  invalidCredentials,
  invalidRefreshToken,
  invitationRequired,
  notSignedIn,
  passwordRequired,
  passwordTooWeak,
  registrationClosed,
  usernameOrEmailTaken,
  unknownTimeZone,
  wrongPassword,
} from './errors.ts';
import {
  judgeReplay,
  latestSignIn,
  extractNames,
  passwordProblem,
  SIGN_IN_MAX_DAYS,
  SIGN_INS_MAX,
  unusedSignInEnd,
} from './rules.ts';
import * as store from './store.ts';

export { deleteOldKeys, keptAnswers } from './idempotency/store.ts';

export { findPerson, keepPerson, lockUsers, paymentDetailsOf } from './store.ts';

/** Where a request came from: its User-Agent, and the network that rate limits and the log use. */
export interface Client {
  device: string;
  network: string;
}

/** Creates an account, accepts the invitation or the claim that led to it, if any, and signs it in on the requesting device. */
export async function register(deps: Deps, request: RegisterRequest, client: Client): Promise<Result<SignedIn>> {
  const { username, email, password, time_zone: timeZone = 'UTC', language = null, ...links } = request;
  const { invitation, claim } = links;
  const { REGISTRATION: registration } = deps.config;
  if (registration === 'closed') return registrationClosed();
  if (registration === 'invited' && invitation === undefined && claim === undefined) return invitationRequired();
  const problem = await findPasswordProblem(deps, password, { username, email });
  if (problem !== undefined) return passwordTooWeak(problem);
  if (!(await deps.timeZones.isKnown(deps.db, timeZone))) return unknownTimeZone();

  // Hashes before the transaction: on the embedded engine, a transaction blocks everyone else.
  const passwordHash = await deps.passwords.hash(password);
  const registered = await inUndoableTransaction(deps.db, async (db) => {
    if (invitation !== undefined) await deps.events.emit({ ...deps, db }, 'registering', { invitation });
    const inserted = await store.insertUser(db, {
      username,
      email,
      passwordHash,
      timeZone,
      language,
      createdAt: deps.clock(),
    });
    const tokens = inserted && (await signIn({ ...deps, db }, inserted.id, passwordHash, client.device));
    if (!tokens) return ok(undefined);
    await deps.events.emit({ ...deps, db }, 'userRegistered', { userId: inserted.id, ...links });
    return ok({ ...tokens, user: inserted });
  });
  if (!registered.ok) return registered;
  const { value } = registered;
  return value ? ok(value) : usernameOrEmailTaken(await store.findTaken(deps.db, { username, email }));
}

/** Signs a user in. An unknown name and a wrong password get the same answer after the same work. */
export async function login(deps: Deps, request: LoginRequest, client: Client): Promise<Result<SignedIn>> {
  const found = await store.userByName(deps.db, request.username);
  const matches = await deps.passwords.matches(request.password, found?.password_hash);
  // Hashing takes time, so the verified password may have been changed by now.
  const tokens = found && matches && (await signIn(deps, found.id, found.password_hash, client.device));
  if (!found || !tokens) {
    logSecurityEvent(deps.log, 'sign_in_failed', { userId: found?.id ?? null, network: client.network });
    return invalidCredentials();
  }
  const pruned = await store.pruneSignIns(deps.db, { userId: found.id, now: deps.clock(), keep: SIGN_INS_MAX });
  if (pruned > 0)
    logSecurityEvent(deps.log, 'sign_ins_ended', {
      userId: found.id,
      network: client.network,
      reason: 'too_many',
      count: pruned,
    });
  const { password_hash: _hash, ...user } = found;
  return ok({ ...tokens, user });
}

/** Logs that a limit refuses sign-ins to an account. An unreachable database doesn't change the refusal. */
export async function reportBlockedSignIn(deps: Deps, username: string, network: string): Promise<void> {
  const found = await store.userByName(deps.db, username).catch(() => undefined);
  logSecurityEvent(deps.log, 'sign_in_blocked', { userId: found?.id ?? null, network });
}

/** Logs that a limit refuses to check a signed-in user's password or new email address. */
export function reportBlockedCheck(deps: Deps, userId: number, network: string): void {
  logSecurityEvent(deps.log, 'password_check_blocked', { userId, network });
}

/**
 * Returns a function that identifies the callers of access tokens. It looks up their sign-ins, so that a token stops
 * working when its sign-in ends, and batches concurrent lookups into one statement.
 */
export function createIdentify(deps: Deps): (token: string) => Promise<Caller | undefined> {
  const isSignedIn = batched((callers: Caller[]) => store.areSignedIn(deps.db, callers));
  return async (token) => {
    const caller = await deps.tokens.readAccess(token);
    return caller && (await isSignedIn(caller)) ? caller : undefined;
  };
}

/**
 * Replaces a genuine refresh token. One replaced moments ago gets the same successor again; any other that isn't
 * current has been copied, so its sign-in ends.
 */
export async function refresh(
  deps: Deps,
  { handle, generation, token }: RefreshClaim & { token: string },
  network: string,
): Promise<Result<TokenPair & { username: string }>> {
  const now = deps.clock();
  const successor = deps.tokens.refresh({ handle, generation: generation + 1 });

  const user = await store.replaceRefreshToken(
    deps.db,
    { handle, generation, hash: hashToken(token) },
    {
      hash: hashToken(successor),
      now,
      unusedEnd: unusedSignInEnd(now),
      maxDays: SIGN_IN_MAX_DAYS,
      madeBy: latestSignIn(now),
    },
  );
  const renewTokens = async ({ userId, username }: { userId: number; username: string }) =>
    ok({ access: await deps.tokens.access({ userId, signIn: handle }), refresh: successor, username });
  if (user) return renewTokens(user);

  const state = await store.signInByHandle(deps.db, handle);
  const verdict = state ? judgeReplay(state, generation, now) : 'refuse';
  if (state && verdict === 'repeat') return renewTokens(state);
  if (state && verdict === 'end') {
    await store.endSignIn(deps.db, handle, now);
    logSecurityEvent(deps.log, 'refresh_token_reused', { userId: state.userId, network });
  }
  return invalidRefreshToken();
}

/** Ends the sign-in of a refresh token; an invalid or missing token is not an error. */
export async function logout(
  deps: Deps,
  token: string | null | undefined,
  network: string,
): Promise<Result<undefined>> {
  const claim = token ? deps.tokens.readRefresh(token) : undefined;
  const userId = claim && (await store.endSignIn(deps.db, claim.handle, deps.clock()));
  if (userId !== undefined)
    logSecurityEvent(deps.log, 'sign_ins_ended', { userId, network, reason: 'sign_out', count: 1 });
  return ok(undefined);
}

/** Returns the signed-in user; fails as not signed in if the account was deleted. */
export async function me(deps: Deps, userId: number): Promise<Result<User>> {
  const user = await store.userById(deps.db, userId);
  return user ? ok(user) : notSignedIn();
}

/**
 * Changes the account. A new email address requires the current password, because it is a way back into the account.
 */
export async function updateMe(
  deps: Deps,
  userId: number,
  { current_password: password, payment_details: details = {}, ...request }: UpdateMeRequest,
  network: string,
): Promise<Result<User>> {
  const columns = {
    ...request,
    payment_iban: details.iban,
    payment_link: details.link,
    payment_text: details.text,
  };
  const changes = Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined));
  if (request.time_zone !== undefined && !(await deps.timeZones.isKnown(deps.db, request.time_zone)))
    return unknownTimeZone();
  if (Object.keys(changes).length === 0) return me(deps, userId);

  const user = await store.userWithPassword(deps.db, userId);
  if (!user) return notSignedIn();
  const changesEmail = request.email !== undefined && request.email !== user.email;
  if (changesEmail) {
    if (password === undefined) return passwordRequired();
    if (!(await deps.passwords.matches(password, user.password_hash))) return refusePassword(deps, userId, network);
  }
  const updated = await store.updateUser(
    deps.db,
    { id: userId, ...(changesEmail ? { verifiedHash: user.password_hash } : {}) },
    changes,
  );
  if (updated === 'taken') return usernameOrEmailTaken({ username: false, email: true });
  if (!updated) return changesEmail ? refusePassword(deps, userId, network) : notSignedIn();
  if (changesEmail) logSecurityEvent(deps.log, 'email_changed', { userId, network });
  return ok(updated);
}

/** Sets a new password for a user who knows the current one, and ends their other sign-ins. */
export async function changePassword(
  deps: Deps,
  caller: Caller,
  { current_password: current, new_password: password }: ChangePasswordRequest,
  network: string,
): Promise<Result<undefined>> {
  const user = await store.userWithPassword(deps.db, caller.userId);
  if (!user) return notSignedIn();
  if (!(await deps.passwords.matches(current, user.password_hash))) return refusePassword(deps, user.id, network);
  const problem = await findPasswordProblem(deps, password, user);
  if (problem !== undefined) return passwordTooWeak(problem, 'new_password');
  const change = {
    userId: user.id,
    verifiedHash: user.password_hash,
    passwordHash: await deps.passwords.hash(password),
    keep: caller.signIn,
    now: deps.clock(),
  };
  const ended = await inTransaction(deps.db, (db) => store.replacePassword(db, change));
  if (ended === undefined) return refusePassword(deps, user.id, network);
  logSecurityEvent(deps.log, 'password_changed', { userId: user.id, network });
  if (ended > 0)
    logSecurityEvent(deps.log, 'sign_ins_ended', {
      userId: user.id,
      network,
      reason: 'password_change',
      count: ended,
    });
  return ok(undefined);
}

function refusePassword(deps: Deps, userId: number, network: string): Failure {
  logSecurityEvent(deps.log, 'password_check_failed', { userId, network });
  return wrongPassword();
}

async function findPasswordProblem(
  deps: Deps,
  typed: string,
  names: { username: string; email: string },
): Promise<string | undefined> {
  const password = normalizePassword(typed);
  const problem = passwordProblem(password, { minLength: deps.config.PASSWORD_MIN_LENGTH, ...names });
  if (problem !== undefined) return problem;
  return (await isGuessablePassword(password, extractNames(names))) ? SENTENCES.passwordGuessable : undefined;
}

/** Returns the user with a name, in any case, for features that let users name each other. */
export async function findUser(deps: Deps, username: string): Promise<{ id: number; username: string } | undefined> {
  const user = await store.userByName(deps.db, username);
  return user && { id: user.id, username: user.username };
}

/** Returns the tokens of a new sign-in, or undefined if the verified password is no longer current. */
async function signIn(
  deps: Deps,
  userId: number,
  verifiedHash: string,
  device: string,
): Promise<TokenPair | undefined> {
  const now = deps.clock();
  const handle = deps.randomId();
  const refreshToken = deps.tokens.refresh({ handle, generation: 0 });
  const refreshHash = hashToken(refreshToken);
  const expiresAt = unusedSignInEnd(now);
  const signedIn = await store.insertSignIn(deps.db, {
    userId,
    verifiedHash,
    handle,
    refreshHash,
    device,
    now,
    expiresAt,
  });
  if (!signedIn) return undefined;
  return { access: await deps.tokens.access({ userId, signIn: handle }), refresh: refreshToken };
}

/**
 * Records at the first start which secret signs this database's tokens. Throws a StartupError for a server with another
 * secret, unless `replaceCode` is the code that error asks for.
 */
export async function requireSameSecret(db: Database, secret: string, replaceCode: string | undefined): Promise<void> {
  const fingerprint = secretFingerprint(secret);
  const recorded = await store.recordSecretFingerprint(db, fingerprint);
  if (recorded === fingerprint) return;
  // Derived from the replaced secret, so that a leftover REPLACE_SECRET does nothing at the next start.
  const code = recorded.slice(0, 8);
  if (replaceCode === code && (await store.replaceSecretFingerprint(db, recorded, fingerprint))) return;
  throw new StartupError(
    `This database was used with another secret (SECRET, or the file secret in DATA_DIR); restore that secret, or, to change it and sign everyone out, stop all servers of this database and start one with REPLACE_SECRET=${code}.`,
  );
}
