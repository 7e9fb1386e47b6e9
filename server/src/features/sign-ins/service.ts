import type {
  ChangePasswordRequest,
  DeleteAccountRequest,
  LoginRequest,
  NewPasskeyOptions,
  PasskeyProof,
  RegisterPasskeyRequest,
  RegisterRequest,
  SignedIn,
  TokenPair,
  UpdateMeRequest,
  User,
} from '@hourshare/contract/accounts';
import type { ExportedSignIn } from '@hourshare/contract/exports';
import { Id } from '@hourshare/contract/fields';
import type { Config } from '../../config.ts';
import type { Deps } from '../../deps.ts';
import { batched } from '../../platform/batch.ts';
import type { Database } from '../../platform/database/database.ts';
import { inTransaction, inUndoableTransaction } from '../../platform/database/transaction.ts';
import type { Identify } from '../../platform/http/authentication.ts';
import type { Client } from '../../platform/http/client.ts';
import { readPage, type Page, type PageRequest } from '../../platform/pages.ts';
import { countFailures } from '../../platform/http/rate-limits.ts';
import { ok, type Failure, type Result } from '../../platform/result.ts';
import { loadOrCreateSecret, resolveStagedSecret, secretFingerprint } from '../../platform/secret.ts';
import { StartupError } from '../../platform/startup-error.ts';
import { hashToken, type Caller, type RefreshClaim } from '../../platform/tokens.ts';
import { appendEvent } from '../outbox/service.ts';
import {
  accountDisabled,
  checkRequired,
  invalidCredentials,
  invalidRefreshToken,
  invitationRequired,
  notSignedIn,
  onlyWayToSignIn,
  passkeyInvalid,
  passkeyRefused,
  passwordRequired,
  passwordTooWeak,
  registrationClosed,
  secondStepRequired,
  secondStepWrong,
  usernameOrEmailTaken,
  unknownTimeZone,
} from './errors.ts';
import { refusePassword, refuseUnproven } from './checks/service.ts';
import { uncheckSignIns } from './checks/store.ts';
import { lockRegistrationLink, registrationOf, useRegistrationLink } from '../accounts/administration/service.ts';
import {
  CODES_BY_ACCOUNT,
  judgeReplay,
  latestSignIn,
  SIGN_IN_MAX_DAYS,
  SIGN_INS_MAX,
  unusedSignInEnd,
} from './rules.ts';
import { deleteAccount } from '../accounts/deletion/service.ts';
import { requestConfirmation, requestEmailChange } from './email-changes/service.ts';
import { queueNotice } from './factors/mail.ts';
import { addVerified, recordUse, registrationOptions, verifyNewPasskey, verifyProof } from './passkeys/service.ts';
import { findPasswordProblem, renewPasswordHash } from './passwords/service.ts';
import { issuersOf } from './providers/wire.ts';
import { recordEndedSignIns, recordSecurityEvent } from '../security-events/service.ts';
import * as store from './store.ts';
import { describeDevice } from '../../platform/http/devices.ts';
import { spendCode } from './two-step/service.ts';

export { deleteOldKeys, keptAnswers } from '../kept-answers/store.ts';

export { exportPasskeys, passkeyOrigin } from './passkeys/service.ts';

export { claimMonthlyReminders, claimWeeklyReminders } from '../accounts/reminders/store.ts';

export { deleteStandIns } from '../accounts/deletion/store.ts';

export { countAccounts, findPerson, keepPerson, lockUsers, paymentDetailsOf } from './store.ts';

/** What a sign-in was verified with; it must still be valid when the sign-in is added. */
type Proof = Omit<
  Parameters<typeof store.insertSignIn>[1],
  'userId' | 'handle' | 'refreshHash' | 'device' | 'now' | 'expiresAt'
>;

/** Creates an account, accepts the invitation or the claim that led to it, if any, and signs it in on the requesting device. */
export async function register(
  deps: Deps,
  request: RegisterRequest,
  client: Client & { origin: string },
): Promise<Result<SignedIn>> {
  const { password, passkey, ...account } = request;
  const refused = await refuseRegistration(deps, account);
  if (refused) return refused;
  const problem = password === undefined ? undefined : await findPasswordProblem(deps, password, account);
  if (problem !== undefined) return passwordTooWeak(problem);
  const purpose = { passkey: 'register', signIn: null } as const;
  const verified = passkey && (await verifyNewPasskey(deps, passkey, purpose, client.origin));
  if (passkey && !verified) return passkeyInvalid();

  // Hashes before the transaction: on the embedded engine, a transaction blocks everyone else.
  const passwordHash = password === undefined ? null : await deps.passwords.hash(password);
  return addAccount(deps, account, { passwordHash, client }, async (inside, userId) => {
    if (!verified) return ok({ checkedWith: 'password', verifiedHash: passwordHash, secondStep: false });
    const added = await addVerified(inside, verified, { userId, device: client.device });
    return 'ok' in added ? added : ok({ checkedWith: 'passkey', passkeyId: added.id, secondStep: true });
  });
}

export type NewAccount = Omit<RegisterRequest, 'password' | 'passkey'>;

/** Returns why these fields can't become an account, apart from taken names. */
export async function refuseRegistration(
  deps: Deps,
  { invitation, claim, time_zone: timeZone }: NewAccount,
): Promise<Failure | undefined> {
  const registration = await registrationOf(deps);
  if (registration === 'closed') return registrationClosed();
  if (registration === 'invited' && invitation === undefined && claim === undefined) return invitationRequired();
  if (timeZone !== undefined && !(await deps.timeZones.isKnown(deps.db, timeZone))) return unknownTimeZone();
  return undefined;
}

/**
 * Adds an account, accepts the invitation or claim that led to it, if any, and signs it in, all or nothing. `prove` adds any
 * other way to sign in to the account, and returns what its first sign-in is made with.
 */
export async function addAccount(
  deps: Deps,
  { username, email, time_zone: timeZone = 'UTC', language, ...links }: NewAccount,
  { passwordHash, client }: { passwordHash: string | null; client: Client },
  prove: (deps: Deps, userId: number) => Promise<Result<Proof>>,
): Promise<Result<SignedIn>> {
  const { invitation, ...others } = links;
  const registered = await inUndoableTransaction<SignedIn | undefined>(deps.db, async (db) => {
    const link =
      invitation !== undefined && (await lockRegistrationLink({ ...deps, db }, invitation)) ? invitation : undefined;
    if (invitation !== undefined && link === undefined)
      await deps.events.emit({ ...deps, db }, 'registering', { invitation });
    const inserted = await store.insertUser(db, {
      username,
      email,
      passwordHash,
      timeZone,
      language: language ?? null,
      createdAt: deps.clock(),
    });
    if (!inserted) return ok(undefined);
    await recordSecurityEvent({ ...deps, db }, 'account_created', { userId: inserted.id, by: client });
    await requestConfirmation({ ...deps, db }, { ...inserted, password_hash: passwordHash });
    const proof = await prove({ ...deps, db }, inserted.id);
    if (!proof.ok) return proof;
    const tokens = await signIn({ ...deps, db }, inserted.id, proof.value, client, { isNew: true });
    if (!tokens) return ok(undefined);
    if (link !== undefined) await useRegistrationLink({ ...deps, db }, link);
    await deps.events.emit({ ...deps, db }, 'userRegistered', {
      userId: inserted.id,
      ...(link === undefined ? links : others),
    });
    return ok({ ...tokens, user: (await store.userById(db, inserted.id)) ?? inserted });
  });
  if (!registered.ok) return registered;
  const { value } = registered;
  return value ? ok(value) : usernameOrEmailTaken(await store.findTaken(deps.db, { username, email }));
}

/**
 * Returns what a browser needs to create a passkey for a new account. If anyone may register, it first checks whether the
 * name or address is taken, so that no device keeps a passkey for an account that can't be created.
 */
export async function startRegistration(
  deps: Deps,
  names: RegisterPasskeyRequest,
  origin: string,
): Promise<Result<NewPasskeyOptions>> {
  const registration = await registrationOf(deps);
  if (registration === 'closed') return registrationClosed();
  if (registration === 'open') {
    const taken = await store.findTaken(deps.db, names);
    if (taken.username || taken.email) return usernameOrEmailTaken(taken);
  }
  return registrationOptions(deps, names.username, origin);
}

/** Signs a user in. An unknown name and a wrong password get the same answer after the same work. */
export async function login(
  deps: Deps,
  { username, password, code }: LoginRequest,
  client: Client,
): Promise<Result<SignedIn>> {
  const found = await store.userByName(deps.db, username);
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
  const user = await store.userById(deps.db, userId);
  const refused = accountDisabled();
  return user ? signInVerified(deps, user, { checkedWith: 'provider', code }, client, refused) : refused;
}

/**
 * Signs in a user who passed any first step, or asks for a code if signing in takes one. Fails with `refused`
 * if the password has changed since, or the account was disabled.
 */
async function signInVerified(
  deps: Deps,
  user: store.StoredUser,
  { code, ...proof }: Omit<Proof, 'secondStep'> & { code: string | undefined },
  client: Client,
  refused: Failure = invalidCredentials(),
): Promise<Result<SignedIn>> {
  const userId = user.id;
  let tokens: TokenPair | undefined;
  if (user.two_step) {
    if (code === undefined) return secondStepRequired();
    const work = () =>
      inUndoableTransaction(deps.db, async (db) => {
        // The sign-in comes first, because it locks the user.
        const made = await signIn({ ...deps, db }, userId, { ...proof, secondStep: true }, client);
        if (!made) return refused;
        const used = await spendCode({ ...deps, db }, userId, code);
        if (used === 'recovery')
          await recordSecurityEvent({ ...deps, db }, 'recovery_code_used', { userId, by: client });
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
  return ok({ ...tokens, user });
}

const pruneSignIns = (deps: Deps, userId: number, by: Client): Promise<void> =>
  inTransaction(deps.db, async (db) => {
    const handles = await store.pruneSignIns(db, { userId, now: deps.clock(), keep: SIGN_INS_MAX });
    await recordEndedSignIns({ ...deps, db }, { userId, by, reason: 'too_many', handles });
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
  const signedIn = await inUndoableTransaction(deps.db, async (db) => {
    if (!(await recordUse({ ...deps, db }, verified))) return passkeyRefused();
    const user = await store.userById(db, userId);
    const tokens =
      user && (await signIn({ ...deps, db }, userId, { passkeyId, checkedWith: 'passkey', secondStep: true }, by));
    return tokens ? ok({ ...tokens, user }) : accountDisabled();
  });
  if (!signedIn.ok && signedIn.code === 'passkey_refused') return refuse(userId);
  if (!signedIn.ok) await recordRefusal(deps, userId, by, signedIn);
  if (!signedIn.ok) return signedIn;
  await pruneSignIns(deps, userId, by);
  return signedIn;
}

/** Records that a limit refuses sign-ins to an account. An unreachable database doesn't change the refusal. */
export async function reportBlockedSignIn(deps: Deps, username: string, by: Client): Promise<void> {
  const found = await store.userByName(deps.db, username).catch(() => undefined);
  await recordSecurityEvent(deps, 'sign_in_blocked', { userId: found?.id ?? null, by });
}

/** Records that a limit refuses to check a signed-in user's password or new email address. */
export const reportBlockedCheck = (deps: Deps, userId: number, by: Client): Promise<void> =>
  recordSecurityEvent(deps, 'password_check_blocked', { userId, by });

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
    await inTransaction(deps.db, async (db) => {
      const userId = await store.endSignIn(db, handle, now);
      if (userId === undefined) return;
      await recordSecurityEvent({ ...deps, db }, 'refresh_token_reused', { userId, by });
      await appendEvent({ ...deps, db }, 'sign_ins.ended', { userIds: [userId] }, { handles: [handle] });
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
    await inTransaction(deps.db, async (db) => {
      const userId = await store.endSignIn(db, signedIn, deps.clock());
      if (userId === undefined) return;
      const by = { ...client, signIn: signedIn };
      await recordEndedSignIns({ ...deps, db }, { userId, by, reason: 'sign_out', handles: [signedIn] });
    });
  return ok(undefined);
}

/** Returns whether a caller's sign-in is still active, for responses that take long. */
export async function isSignedIn({ db }: Deps, caller: Caller): Promise<boolean> {
  const [signIn] = await store.findSignIns(db, [caller]);
  return signIn !== undefined;
}

/** Returns the signed-in user; fails as not signed in if the account was deleted. */
export async function me(deps: Deps, userId: number): Promise<Result<User>> {
  const user = await store.userById(deps.db, userId);
  return user ? ok(user) : notSignedIn();
}

/**
 * Changes the account. A new email address requires the current password, because it allows recovering the account. If the
 * server sends email, the address changes only once it is confirmed.
 */
export async function updateMe(
  deps: Deps,
  caller: Caller,
  { current_password: password, payment_details: details = {}, ...request }: UpdateMeRequest,
  client: Client,
): Promise<Result<User>> {
  const { userId } = caller;
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
    const unproven = await refuseUnproven(deps, caller, { user, password, client, missing: passwordRequired() });
    if (unproven) return unproven;
  }
  if (request.email === user.email) await requestConfirmation(deps, user);
  if (changesEmail && deps.mailer && request.email !== undefined) {
    const requested = await requestEmailChange(deps, user, request.email, client);
    if (typeof requested === 'object') return requested;
    if (!requested) return refusePassword(deps, userId, client);
    delete changes['email'];
    if (Object.keys(changes).length === 0) return me(deps, userId);
  }
  const updated = await inTransaction(deps.db, async (db) => {
    const stored = await store.updateUser(
      db,
      { id: userId, ...(changesEmail ? { verifiedHash: user.password_hash } : {}) },
      { ...changes, ...(changesEmail && { email_confirmed_at: null }) },
    );
    if (typeof stored !== 'object') return stored;
    const about = { actorId: userId, userIds: [userId] };
    if (changesEmail) {
      await uncheckSignIns(db, { userId, keep: caller.signIn });
      await recordSecurityEvent({ ...deps, db }, 'email_changed', { userId, by: client });
      await appendEvent({ ...deps, db }, 'account.email_changed', about, {});
    }
    await appendEvent({ ...deps, db }, 'account.changed', about, {});
    return stored;
  });
  if (updated === 'taken') return usernameOrEmailTaken({ username: false, email: true });
  if (!updated) return changesEmail ? refusePassword(deps, userId, client) : notSignedIn();
  return ok(updated);
}

/** Turns off one of the emails that an account gets. */
export const turnOff = (
  deps: Deps,
  userId: number,
  setting: 'email_notifications' | 'usage_reminders',
): Promise<void> =>
  inTransaction(deps.db, async (db) => {
    if (await store.updateUser(db, { id: userId }, { [setting]: false }))
      await appendEvent({ ...deps, db }, 'account.changed', { userIds: [userId] }, {});
  });

/** Sets a new password for a user who has proved who they are, and ends their other sign-ins. */
export async function changePassword(
  deps: Deps,
  caller: Caller,
  { current_password: current, new_password: password }: ChangePasswordRequest,
  by: Client,
): Promise<Result<undefined>> {
  const user = await store.userWithPassword(deps.db, caller.userId);
  if (!user) return notSignedIn();
  const unproven = await refuseUnproven(deps, caller, { user, password: current, client: by });
  if (unproven) return unproven;
  const problem = await findPasswordProblem(deps, password, user);
  if (problem !== undefined) return passwordTooWeak(problem, 'new_password');
  const change = {
    userId: user.id,
    verifiedHash: user.password_hash,
    passwordHash: await deps.passwords.hash(password),
    keep: caller.signIn,
    now: deps.clock(),
  };
  const changed = await inTransaction(deps.db, async (db) => {
    const ended = await store.replacePassword(db, change);
    if (ended === undefined) return false;
    await queueNotice({ ...deps, db }, user.id, 'password_changed');
    await recordPassword({ ...deps, db }, { userId: user.id, by, ended }, 'password_changed', 'password_change');
    return true;
  });
  return changed ? ok(undefined) : refusePassword(deps, user.id, by);
}

/**
 * Removes the password of a user who has just used a passkey, and ends their other sign-ins, as a new password
 * does. Their other ways to sign in stay.
 */
export async function removePassword(deps: Deps, caller: Caller, by: Client): Promise<Result<undefined>> {
  const { userId, signIn: keep } = caller;
  const user = await store.userWithPassword(deps.db, userId);
  if (!user) return notSignedIn();
  const unproven = await refuseUnproven(deps, caller, {
    user,
    password: undefined,
    client: by,
    missing: checkRequired(),
  });
  if (unproven) return unproven;
  if (user.password_hash === null) return ok(undefined);
  const change = { userId, verifiedHash: user.password_hash, passwordHash: null, keep, now: deps.clock() };
  return inUndoableTransaction(deps.db, async (db) => {
    const ended = await store.replacePassword(db, change);
    if (ended === undefined) return checkRequired();
    if (!(await store.hasWayIn(db, { userId, issuers: issuersOf(deps) }))) return onlyWayToSignIn();
    await queueNotice({ ...deps, db }, userId, 'password_removed');
    await recordPassword({ ...deps, db }, { userId, by, ended }, 'password_removed', 'password_removed');
    return ok(undefined);
  });
}

/** Records a change of the password, and the sign-ins that it ended. */
async function recordPassword(
  deps: Deps,
  { ended, ...about }: { userId: number; by: Client; ended: string[] },
  event: 'password_changed' | 'password_removed',
  reason: 'password_change' | 'password_removed',
): Promise<void> {
  const { userId } = about;
  await recordSecurityEvent(deps, event, about);
  await appendEvent(deps, 'account.password_changed', { actorId: userId, userIds: [userId] }, {});
  await recordEndedSignIns(deps, { ...about, reason, handles: ended });
}

/** Returns a user's sign-ins: active ones, and those that ended since the user last signed in; oldest first. */
export const listSignIns = (
  { db }: Deps,
  userId: number,
  request: PageRequest,
): Promise<Result<Page<ExportedSignIn>>> =>
  readPage(request, {
    key: Id,
    keyOf: ({ id }: store.StoredSignIn) => id,
    toItem: (signIn) => ({
      device: signIn.device,
      name: signIn.name,
      signed_in_at: signIn.created_at.toISOString(),
      last_used_at: signIn.last_used_at.toISOString(),
      expires_at: signIn.expires_at.toISOString(),
      ended_at: signIn.ended_at?.toISOString() ?? null,
    }),
    read: async (page) => ok(await store.readSignIns(db, { userId, ...page })),
  });

/** Deletes the account of a user who has proved who they are. A stand-in takes over what others still need. */
export async function deleteMe(
  deps: Deps,
  caller: Caller,
  { current_password: password, keep_name: keepName }: DeleteAccountRequest,
  by: Client,
): Promise<Result<undefined>> {
  const { userId } = caller;
  const user = await store.userWithPassword(deps.db, userId);
  if (!user) return notSignedIn();
  const unproven = await refuseUnproven(deps, caller, { user, password, client: by });
  if (unproven) return unproven;
  const account = { userId, verifiedHash: user.password_hash, keepName };
  return (await deleteAccount(deps, account, by)) ? ok(undefined) : refusePassword(deps, userId, by);
}

/** Returns the user with a name, in any case, for features that let users name each other. */
export async function findUser(deps: Deps, username: string): Promise<{ id: number; username: string } | undefined> {
  const user = await store.userByName(deps.db, username);
  return user && { id: user.id, username: user.username };
}

/** Returns the tokens of a new sign-in, or undefined if what was verified is no longer valid. */
async function signIn(
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
  const signedIn = await inTransaction(deps.db, async (db) => {
    if (!(await store.insertSignIn(db, { ...proof, userId, handle, refreshHash, device, now, expiresAt })))
      return false;
    const by = { ...client, signIn: handle };
    const { browser, system } = describeDevice(device);
    const others = await store.otherDevices(db, { userId, handle });
    const known =
      isNew || others.map(describeDevice).some((each) => each.browser === browser && each.system === system);
    const about = { actorId: userId, userIds: [userId] };
    await appendEvent({ ...deps, db }, 'account.signed_in', about, { browser, system, known_device: known });
    const { checkedWith: method, secondStep: secondFactor } = proof;
    await recordSecurityEvent({ ...deps, db }, 'signed_in', { userId, by, method, secondFactor });
    return true;
  });
  if (!signedIn) return undefined;
  return { access: await deps.tokens.access({ userId, signIn: handle, generation: 0 }), refresh: refreshToken };
}

/** Returns the secret that the settings give or DATA_DIR keeps, also after a restore that was killed just before its end. */
export async function readSecret(
  { SECRET: secret, SECRET_PREVIOUS: previous, DATA_DIR: dataDir = '' }: Config,
  db: Database,
): Promise<string> {
  if (secret !== undefined) return secret;
  resolveStagedSecret(dataDir, await store.findSecretFingerprint(db));
  const kept = loadOrCreateSecret(dataDir);
  if (kept === previous)
    throw new StartupError(
      'SECRET_PREVIOUS must be the secret that the one in DATA_DIR replaced, and not that one itself.',
    );
  return kept;
}

/**
 * Records at the first start which secret signs this database's tokens. Throws a StartupError for a server with another
 * secret, unless it knows the recorded one as the previous secret, or has the code that the error asks for.
 */
export async function requireSameSecret(
  db: Database,
  secret: string,
  {
    SECRET_PREVIOUS: previous,
    REPLACE_SECRET: replaceCode,
  }: Partial<Pick<Config, 'SECRET_PREVIOUS' | 'REPLACE_SECRET'>> = {},
): Promise<void> {
  const fingerprint = secretFingerprint(secret);
  const recorded = await store.recordSecretFingerprint(db, fingerprint);
  if (recorded === fingerprint) return;
  // Derived from the replaced secret, so that a leftover REPLACE_SECRET does nothing at the next start.
  const code = recorded.slice(0, 8);
  const isPrevious = previous !== undefined && secretFingerprint(previous) === recorded;
  if (isPrevious || replaceCode === code) {
    await store.replaceSecretFingerprint(db, recorded, fingerprint);
    // Another server may have been first, with the same secret.
    if ((await store.findSecretFingerprint(db)) === fingerprint) return;
  }
  throw new StartupError(
    `This database was used with another secret (SECRET, or the file secret in DATA_DIR); restore that secret, or, to change it, set it as SECRET_PREVIOUS, or, if it is lost, stop all servers of this database and start one with REPLACE_SECRET=${code}.`,
  );
}

/** Returns which of these sign-ins are active. */
export const activeSignIns = async ({ db, clock }: Deps, handles: string[]): Promise<Set<string>> =>
  new Set(await store.findActive(db, handles, clock()));
