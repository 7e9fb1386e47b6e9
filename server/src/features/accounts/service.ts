import type {
  ChangePasswordRequest,
  LoginRequest,
  RegisterRequest,
  SignedIn,
  TokenPair,
  UpdateMeRequest,
  User,
} from '@hourshare/contract/accounts';
import type { Deps } from '../../deps.ts';
import { isCommonPassword } from '../../platform/common-passwords.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { ok, type Result } from '../../platform/result.ts';
import { hashToken, type Caller } from '../../platform/tokens.ts';
import {
  invalidCredentials,
  invalidRefreshToken,
  notSignedIn,
  passwordTooWeak,
  taken,
  unknownTimeZone,
  wrongPassword,
} from './errors.ts';
import { judgeReplay, passwordProblem, signInExpiry } from './rules.ts';
import * as store from './store.ts';

/** Creates an account and signs it in on the device that asked. */
export async function register(deps: Deps, request: RegisterRequest, device: string): Promise<Result<SignedIn>> {
  const { username, email, password, time_zone: timeZone = 'UTC' } = request;
  const problem = await problemOf(deps, password, { username, email });
  if (problem !== undefined) return passwordTooWeak(problem);
  if (!(await deps.timeZones.isKnown(deps.db, timeZone))) return unknownTimeZone();

  // Hashed before the transaction begins: on the embedded engine a transaction stops everybody else.
  const passwordHash = await deps.passwords.hash(password);
  const user = await inTransaction(deps.db, async (db) => {
    const inserted = await store.insertUser(db, { username, email, passwordHash, timeZone, createdAt: deps.clock() });
    return inserted && { inserted, tokens: await signIn({ ...deps, db }, inserted.id, device) };
  });
  if (!user) return taken(await store.whatIsTaken(deps.db, { username, email }));
  return ok({ ...user.tokens, user: user.inserted });
}

/** Signs a user in. A wrong name and a wrong password answer the same words after the same work. */
export async function login(deps: Deps, request: LoginRequest, device: string): Promise<Result<SignedIn>> {
  const found = await store.userByName(deps.db, request.username);
  const matches = await deps.passwords.matches(request.password, found?.password_hash);
  if (!found || !matches) return invalidCredentials();
  const { password_hash: _hash, ...user } = found;
  await store.deleteFinishedSignIns(deps.db, user.id, deps.clock());
  return ok({ ...(await signIn(deps, user.id, device)), user });
}

/**
 * Replaces a refresh token. The one replaced a moment ago gets the same successor again; any other genuine token that
 * is not current has been copied, and ends its sign-in.
 */
export async function refresh(deps: Deps, token: string): Promise<Result<TokenPair>> {
  const claim = deps.tokens.readRefresh(token);
  if (!claim) return invalidRefreshToken();
  const now = deps.clock();
  const { handle, generation } = claim;
  const successor = deps.tokens.refresh({ handle, generation: generation + 1 });

  const userId = await store.replaceRefreshToken(
    deps.db,
    { handle, generation, hash: hashToken(token) },
    { hash: hashToken(successor), now, expiresAt: signInExpiry(now) },
  );
  if (userId !== undefined)
    return ok({ access: await deps.tokens.access({ userId, signIn: handle }), refresh: successor });

  const state = await store.signInByHandle(deps.db, handle);
  const judgement = state ? judgeReplay(state, generation, now) : 'refuse';
  if (state && judgement === 'repeat')
    return ok({ access: await deps.tokens.access({ userId: state.userId, signIn: handle }), refresh: successor });
  if (judgement === 'end') await store.endSignIn(deps.db, handle, now);
  return invalidRefreshToken();
}

/** Ends the sign-in a refresh token belongs to; a token already dead, or none, is no error. */
export async function logout(deps: Deps, token: string | null | undefined): Promise<Result<undefined>> {
  const claim = token ? deps.tokens.readRefresh(token) : undefined;
  if (claim) await store.endSignIn(deps.db, claim.handle, deps.clock());
  return ok(undefined);
}

/** The signed-in user; not signed in when the account is gone while its access token lives on. */
export async function me(deps: Deps, userId: number): Promise<Result<User>> {
  const user = await store.userById(deps.db, userId);
  return user ? ok(user) : notSignedIn();
}

export async function updateMe(deps: Deps, userId: number, request: UpdateMeRequest): Promise<Result<User>> {
  const changes = Object.fromEntries(Object.entries(request).filter(([, value]) => value !== undefined));
  if (request.time_zone !== undefined && !(await deps.timeZones.isKnown(deps.db, request.time_zone)))
    return unknownTimeZone();
  if (Object.keys(changes).length === 0) return me(deps, userId);
  const user = await store.updateUser(deps.db, userId, changes);
  if (user === 'taken') return taken({ username: false, email: true });
  return user ? ok(user) : notSignedIn();
}

/** Sets a new password for somebody who knows the current one; every other sign-in of theirs ends. */
export async function changePassword(
  deps: Deps,
  caller: Caller,
  { current_password: current, new_password: password }: ChangePasswordRequest,
): Promise<Result<undefined>> {
  const user = await store.userWithPassword(deps.db, caller.userId);
  if (!user) return notSignedIn();
  if (!(await deps.passwords.matches(current, user.password_hash))) return wrongPassword();
  const problem = await problemOf(deps, password, user);
  if (problem !== undefined) return passwordTooWeak(problem, 'new_password');
  const passwordHash = await deps.passwords.hash(password);
  await inTransaction(deps.db, (db) =>
    store.replacePassword(db, { userId: user.id, passwordHash, keep: caller.signIn, now: deps.clock() }),
  );
  return ok(undefined);
}

async function problemOf(
  deps: Deps,
  password: string,
  { username, email }: { username: string; email: string },
): Promise<string | undefined> {
  const minLength = deps.config.PASSWORD_MIN_LENGTH;
  return passwordProblem(password, { minLength, username, email, isCommon: await isCommonPassword(password) });
}

/** The user of that name in any case, for features that let people name each other. */
export async function findUser(deps: Deps, username: string): Promise<{ id: number; username: string } | undefined> {
  const user = await store.userByName(deps.db, username);
  return user && { id: user.id, username: user.username };
}

async function signIn(deps: Deps, userId: number, device: string): Promise<TokenPair> {
  const now = deps.clock();
  const handle = deps.randomId();
  const refreshToken = deps.tokens.refresh({ handle, generation: 0 });
  const refreshHash = hashToken(refreshToken);
  await store.insertSignIn(deps.db, { userId, handle, refreshHash, device, now, expiresAt: signInExpiry(now) });
  return { access: await deps.tokens.access({ userId, signIn: handle }), refresh: refreshToken };
}
