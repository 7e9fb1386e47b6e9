import type { LoginRequest, PasskeyProof, SignedIn, TokenPair } from '@hourshare/contract/sign-ins';
import type { Deps } from '../../deps.ts';
import { batched } from '../../platform/batch.ts';
import { transaction, undoableTransaction } from '../../platform/database/transaction.ts';
import type { Identify } from '../../platform/http/authentication.ts';
import type { Client } from '../../platform/http/client.ts';
import { describeDevice } from '../../platform/http/devices.ts';
import { countFailures } from '../../platform/http/rate-limits.ts';
import { ok, type Failure, type Result } from '../../platform/result.ts';
import { hashToken, type Caller, type RefreshClaim } from '../../platform/tokens.ts';
import { appendMessage } from '../outbox/service.ts';
import { recordEndedSignIns, recordSecurityEvent } from '../security-events/service.ts';
import * as users from '../users/service.ts';
import {
  accountDisabled,
  invalidCredentials,
  invalidRefreshToken,
  passkeyRefused,
  secondStepRequired,
  secondStepWrong,
} from './errors.ts';
import { recordUse, verifyProof } from './passkeys/service.ts';
import { renewPasswordHash } from './passwords/service.ts';
import {
  CODES_BY_ACCOUNT,
  judgeReplay,
  latestSignIn,
  SIGN_IN_MAX_DAYS,
  SIGN_INS_MAX,
  unusedSignInEnd,
} from './rules.ts';
import * as store from './store.ts';
import { spendCode } from './two-step/service.ts';

export { endAccess, uncheckSignIns } from './store.ts';

/** What a sign-in was verified with; it must still be valid when the sign-in is added. */
export type Proof = Omit<
  Parameters<typeof store.insertSignIn>[1],
  'userId' | 'handle' | 'refreshHash' | 'device' | 'now' | 'expiresAt'
>;

/** Signs a user in. An unknown name and a wrong password get the same answer after the same work. */
export async function login(
  deps: Deps,
  { username, password, code }: LoginRequest,
  client: Client,
): Promise<Result<SignedIn>> {
  const found = await users.userByName(deps.db, username);
  const matches = await deps.passwords.matches(password, found?.password_hash ?? undefined);
  if (!found || !matches) return refuseSignIn(deps, found?.id ?? null, client, invalidCredentials());
  const { password_hash: verifiedHash, disabled_at: disabledAt, ...user } = found;
  if (disabledAt) return refuseSignIn(deps, user.id, client, accountDisabled());
  const result = await signInVerified(deps, user, { verifiedHash, checkedWith: 'password', code }, client);
  if (result.ok) await renewPasswordHash(deps, { userId: user.id, password, verifiedHash });
  // A sign-in at the same time may have renewed the hash.
  else if (result.code === 'invalid_credentials' && verifiedHash !== null && deps.passwords.isOutdated(verifiedHash))
    return login(deps, { username, password, code }, client);
  else await recordRefusal(deps, user.id, client, result);
  return result;
}

async function refuseSignIn(deps: Deps, userId: number | null, by: Client, failure: Failure): Promise<Failure> {
  await recordSecurityEvent(deps, 'sign_in_failed', { userId, by });
  return failure;
}

/** Records that someone failed to sign in after the first step. Must not be called in a transaction that is about to be undone. */
export async function recordRefusal(deps: Deps, userId: number, by: Client, { code }: Failure): Promise<void> {
  if (code === 'second_step_wrong') await recordSecurityEvent(deps, 'second_step_failed', { userId, by });
  if (code === 'invalid_credentials' || code === 'account_disabled')
    await recordSecurityEvent(deps, 'sign_in_failed', { userId, by });
}

/** Signs in a user who has proved who they are with a provider. The caller records a refusal. */
export async function signInWithProvider(
  deps: Deps,
  userId: number,
  code: string | undefined,
  client: Client,
): Promise<Result<SignedIn>> {
  const user = await users.userById(deps.db, userId);
  const refused = accountDisabled();
  return user ? signInVerified(deps, user, { checkedWith: 'provider', code }, client, refused) : refused;
}

/**
 * Signs in a user who passed any first step, or asks for a code if signing in takes one. Fails with `refused`
 * if the password has changed since, or the account was disabled.
 */
async function signInVerified(
  deps: Deps,
  user: users.StoredUser,
  { code, ...proof }: Omit<Proof, 'secondStep'> & { code: string | undefined },
  client: Client,
  refused: Failure = invalidCredentials(),
): Promise<Result<SignedIn>> {
  const userId = user.id;
  let tokens: TokenPair | undefined;
  if (user.two_step) {
    if (code === undefined) return secondStepRequired();
    const work = () =>
      undoableTransaction(deps, async (deps) => {
        // The sign-in comes first, because it locks the user.
        const made = await signIn(deps, userId, { ...proof, secondStep: true }, client);
        if (!made) return refused;
        const used = await spendCode(deps, userId, code);
        if (used === 'recovery') await recordSecurityEvent(deps, 'recovery_code_used', { userId, by: client });
        return used ? ok(made) : secondStepWrong();
      });
    const result = await countFailures(deps.limits, [[CODES_BY_ACCOUNT, String(userId)]], work);
    if (!result.ok) return result;
    tokens = result.value;
  } else {
    // Hashing takes time, so the password may have changed since it was verified.
    tokens = await signIn(deps, userId, { ...proof, secondStep: false }, client);
    if (!tokens) return refused;
  }
  await pruneSignIns(deps, userId, client);
  return ok({ ...tokens, user: users.toUser(user) });
}

const pruneSignIns = (deps: Deps, userId: number, by: Client): Promise<void> =>
  transaction(deps, async (deps) => {
    const handles = await store.pruneSignIns(deps.db, { userId, now: deps.clock(), keep: SIGN_INS_MAX });
    await recordEndedSignIns(deps, { userId, by, reason: 'too_many', handles });
  });

/**
 * Signs in the user of a passkey. An unknown passkey and one that fails verification get the same answer. The
 * device has verified its user, so no second step is needed.
 */
export async function loginWithPasskey(
  deps: Deps,
  proof: PasskeyProof,
  client: Client & { origin: string },
): Promise<Result<SignedIn>> {
  const { origin, ...by } = client;
  const refuse = async (userId: number | null) => {
    await recordSecurityEvent(deps, 'passkey_refused', { userId, by });
    return passkeyRefused();
  };
  const verified = await verifyProof(deps, proof, { passkey: 'login', signIn: null }, origin);
  if (!verified) return refuse(null);
  const { id: passkeyId, user_id: userId } = verified.passkey;
  const signedIn = await undoableTransaction(deps, async (deps) => {
    if (!(await recordUse(deps, verified))) return passkeyRefused();
    const user = await users.userById(deps.db, userId);
    const tokens = user && (await signIn(deps, userId, { passkeyId, checkedWith: 'passkey', secondStep: true }, by));
    return tokens ? ok({ ...tokens, user: users.toUser(user) }) : accountDisabled();
  });
  if (!signedIn.ok && signedIn.code === 'passkey_refused') return refuse(userId);
  if (!signedIn.ok) await recordRefusal(deps, userId, by, signedIn);
  if (!signedIn.ok) return signedIn;
  await pruneSignIns(deps, userId, by);
  return signedIn;
}

/** Records that a limit refuses sign-ins to an account. An unreachable database doesn't change the refusal. */
export async function reportBlockedSignIn(deps: Deps, username: string, by: Client): Promise<void> {
  const found = await users.userByName(deps.db, username).catch(() => undefined);
  await recordSecurityEvent(deps, 'sign_in_blocked', { userId: found?.id ?? null, by });
}

/**
 * Returns a function that identifies the callers of access tokens. It looks up their sign-ins, so that a token stops
 * working when its sign-in ends, and batches concurrent lookups into one statement.
 */
export function createIdentify(deps: Deps): Identify {
  const findSignIn = batched((callers: Caller[]) => store.findSignIns(deps.db, callers));
  return async (token) => {
    const caller = await deps.tokens.readAccess(token);
    const signIn = caller && (await findSignIn(caller));
    if (!caller || !signIn) return undefined;
    // Reads must work while the database can't be written; the next request tries again.
    if (signIn.confirms) await store.confirmRefreshToken(deps.db, caller).catch(() => undefined);
    return { ...caller, checkedAt: signIn.checkedAt };
  };
}

/**
 * Replaces a genuine refresh token. One whose answer got lost gets the same successor again, until that is first used; any other that
 * isn't current has been copied, so its sign-in ends.
 */
export async function refresh(
  deps: Deps,
  { handle, generation, token }: RefreshClaim & { token: string },
  by: Client,
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
    ok({
      access: await deps.tokens.access({ userId, signIn: handle, generation: generation + 1 }),
      refresh: successor,
      username,
    });
  if (user) return renewTokens(user);

  const state = await store.signInByHandle(deps.db, handle);
  const verdict = state ? judgeReplay(state, generation, now) : 'refuse';
  if (state && verdict === 'repeat') return renewTokens(state);
  if (state && verdict === 'end')
    await transaction(deps, async (deps) => {
      const userId = await store.endSignIn(deps.db, handle, now);
      if (userId === undefined) return;
      await recordSecurityEvent(deps, 'refresh_token_reused', { userId, by });
      await appendMessage(deps, 'sign_ins.ended', { userIds: [userId] }, { handles: [handle] });
    });
  return { ...invalidRefreshToken(), isRecorded: verdict === 'end' };
}

/** Ends the sign-in of a refresh token, or else of an access token, even an expired one. Invalid or missing tokens are no error. */
export async function logout(
  deps: Deps,
  { refresh: token, access }: { refresh: string | null | undefined; access: string | undefined },
  client: Client,
): Promise<Result<undefined>> {
  const signedIn =
    (token ? deps.tokens.readRefresh(token)?.handle : undefined) ??
    (access === undefined ? undefined : await deps.tokens.signInOf(access));
  if (signedIn !== undefined)
    await transaction(deps, async (deps) => {
      const userId = await store.endSignIn(deps.db, signedIn, deps.clock());
      if (userId === undefined) return;
      const by = { ...client, signIn: signedIn };
      await recordEndedSignIns(deps, { userId, by, reason: 'sign_out', handles: [signedIn] });
    });
  return ok(undefined);
}

/** Returns whether a caller's sign-in is still active, for responses that take long. */
export async function isSignedIn({ db }: Deps, caller: Caller): Promise<boolean> {
  const [signIn] = await store.findSignIns(db, [caller]);
  return signIn !== undefined;
}

/** Returns the tokens of a new sign-in, or undefined if what was verified is no longer valid. */
export async function signIn(
  deps: Deps,
  userId: number,
  proof: Proof,
  client: Client,
  { isNew = false } = {},
): Promise<TokenPair | undefined> {
  const now = deps.clock();
  const handle = deps.randomId();
  const refreshToken = deps.tokens.refresh({ handle, generation: 0 });
  const refreshHash = hashToken(refreshToken);
  const expiresAt = unusedSignInEnd(now);
  const { device } = client;
  const signedIn = await transaction(deps, async (deps) => {
    if (!(await store.insertSignIn(deps.db, { ...proof, userId, handle, refreshHash, device, now, expiresAt })))
      return false;
    const by = { ...client, signIn: handle };
    const { browser, system } = describeDevice(device);
    const others = await store.otherDevices(deps.db, { userId, handle });
    const known =
      isNew || others.map(describeDevice).some((each) => each.browser === browser && each.system === system);
    const about = { actorId: userId, userIds: [userId] };
    await appendMessage(deps, 'account.signed_in', about, { browser, system, known_device: known });
    const { checkedWith: method, secondStep: secondFactor } = proof;
    await recordSecurityEvent(deps, 'signed_in', { userId, by, method, secondFactor });
    return true;
  });
  if (!signedIn) return undefined;
  return { access: await deps.tokens.access({ userId, signIn: handle, generation: 0 }), refresh: refreshToken };
}

/** Returns which of these sign-ins are active. */
export const activeSignIns = async ({ db, clock }: Deps, handles: string[]): Promise<Set<string>> =>
  new Set(await store.findActive(db, handles, clock()));
