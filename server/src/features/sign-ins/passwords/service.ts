import type { ChangePasswordRequest } from '@hourshare/contract/sign-ins';
import { sentence, type Sentence } from '@hourshare/contract/sentences';
import type { Deps } from '../../../deps.ts';
import { isRecent } from '../../../platform/checks.ts';
import { transaction, undoableTransaction } from '../../../platform/database/transaction.ts';
import { isGuessablePassword } from '../../../platform/guessable-passwords.ts';
import type { Client } from '../../../platform/http/client.ts';
import { countFailures, recordFirstRefusal, type Limit, type Refusal } from '../../../platform/http/rate-limits.ts';
import { normalizePassword } from '../../../platform/passwords.ts';
import { ok, type Failure, type Result } from '../../../platform/result.ts';
import { issuersOf } from '../../../platform/sign-in-providers.ts';
import type { Caller } from '../../../platform/tokens.ts';
import { appendMessage } from '../../outbox/service.ts';
import { recordEndedSignIns, recordSecurityEvent } from '../../security-events/service.ts';
import { notSignedIn } from '../../users/errors.ts';
import { userWithPassword } from '../../users/service.ts';
import { checkRequired, currentPasswordRequired, onlyWayToSignIn, passwordTooWeak, wrongPassword } from '../errors.ts';
import { queueNotice } from '../factors/mail.ts';
import { hasWayIn, lastCheck, lockCaller } from '../store.ts';
import { extractNames, passwordProblem } from './rules.ts';
import * as store from './store.ts';

/** Keeps the holder of a stolen access token from guessing the password. */
const PASSWORD_BY_USER: Limit = { name: 'password by user', max: 10, windowSeconds: 300 };

/** Returns whether the password was checked: without a recent check, some calls fail before that. */
const wasTried = ({ code }: Failure) => code !== 'check_required';

/** Limits how often a signed-in user can send a wrong current password, and records the first refusal as an event of the account. */
export async function limitGuesses<T>(
  deps: Deps,
  {
    userId,
    by,
    more = [],
    counts = wasTried,
  }: {
    userId: number;
    by: Client;
    more?: [Limit, string][];
    counts?: (failure: Failure) => boolean;
  },
  work: () => Promise<Result<T>>,
): Promise<Result<T> | Refusal> {
  const attempts: [Limit, string][] = [[PASSWORD_BY_USER, String(userId)], ...more];
  return recordFirstRefusal(await countFailures(deps.limits, attempts, work, counts), () =>
    recordSecurityEvent(deps, 'password_check_blocked', { userId, by }),
  );
}

/** Returns why an account can't have a password, in a sentence for its user; undefined if it can. */
export async function findPasswordProblem(
  deps: Deps,
  typed: string,
  names: { username: string; email: string },
): Promise<Sentence | undefined> {
  const password = normalizePassword(typed);
  const problem = passwordProblem(password, { minLength: deps.config.PASSWORD_MIN_LENGTH, ...names });
  if (problem !== undefined) return problem;
  return (await isGuessablePassword(password, extractNames(names))) ? sentence('password_guessable') : undefined;
}

/**
 * Hashes a password again that has just been verified, if its hash has outdated parameters and is still the stored one. Never fails:
 * the next sign-in tries again.
 */
export async function renewPasswordHash(
  deps: Deps,
  { password, ...verified }: { userId: number; password: string; verifiedHash: string | null },
): Promise<void> {
  const { userId, verifiedHash } = verified;
  if (verifiedHash === null || !deps.passwords.isOutdated(verifiedHash)) return;
  try {
    await store.renewPasswordHash(deps.db, { userId, verifiedHash, passwordHash: await deps.passwords.hash(password) });
  } catch (error) {
    deps.log.warn({ err: error }, 'a password could not be hashed again with the current parameters');
  }
}

/** Sets a new password for a user who has proved who they are, and ends their other sign-ins. */
export async function changePassword(
  deps: Deps,
  caller: Caller,
  { current_password: current, new_password: password }: ChangePasswordRequest,
  by: Client,
): Promise<Result<undefined>> {
  const user = await userWithPassword(deps.db, caller.userId);
  if (!user) return notSignedIn();
  const proof = { user, password: current, client: by };
  const unproven = await refuseUnproven(deps, caller, proof);
  if (unproven) return unproven;
  const problem = await findPasswordProblem(deps, password, user);
  if (problem !== undefined) return passwordTooWeak(problem, 'new_password');
  const passwordHash = await deps.passwords.hash(password);
  const change = { userId: user.id, passwordHash, keep: caller.signIn, now: deps.clock() };
  return transaction(deps, async (deps) => {
    const disproved = await refuseDisproved(deps, caller, proof);
    if (disproved) return disproved;
    const ended = await store.replacePassword(deps.db, change);
    await queueNotice(deps, user.id, 'password_changed');
    await recordPassword(deps, { userId: user.id, by, ended }, 'password_changed', 'password_change');
    return ok(undefined);
  });
}

/**
 * Removes the password of a user who has just used a passkey, and ends their other sign-ins, as a new password
 * does. Their other ways to sign in stay.
 */
export async function removePassword(deps: Deps, caller: Caller, by: Client): Promise<Result<undefined>> {
  const { userId, signIn: keep } = caller;
  const user = await userWithPassword(deps.db, userId);
  if (!user) return notSignedIn();
  const proof = { user, password: undefined, client: by, missing: checkRequired() };
  const unproven = await refuseUnproven(deps, caller, proof);
  if (unproven) return unproven;
  if (user.password_hash === null) return ok(undefined);
  const change = { userId, passwordHash: null, keep, now: deps.clock() };
  return undoableTransaction(deps, async (deps) => {
    const disproved = await refuseDisproved(deps, caller, proof);
    if (disproved) return disproved;
    const ended = await store.replacePassword(deps.db, change);
    if (!(await hasWayIn(deps.db, { userId, issuers: issuersOf(deps) }))) return onlyWayToSignIn();
    await queueNotice(deps, userId, 'password_removed');
    await recordPassword(deps, { userId, by, ended }, 'password_removed', 'password_removed');
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
  await appendMessage(deps, 'account.password_changed', { actorId: userId, userIds: [userId] }, {});
  await recordEndedSignIns(deps, { ...about, reason, handles: ended });
}

/** What a caller proves who they are with, and `user` as it was read before the password was verified. */
export interface Proof {
  user: { password_hash: string | null; two_step: boolean };
  password: string | undefined;
  client: Client;
  /** The failure if neither the password nor a passkey proves it. */
  missing?: Failure;
}

/**
 * Returns undefined if the caller has proved who they are, by the password or, if the account has none, by a recent check with a
 * passkey or a provider. Accounts without a password have no other way. If signing in takes a code, a password needs a recent check,
 * too, because those take the code.
 */
export async function refuseUnproven(deps: Deps, caller: Caller, proof: Proof): Promise<Failure | undefined> {
  const unchecked = await findMissingCheck(deps, caller, proof);
  if (unchecked || proof.password === undefined) return unchecked;
  const matches = await deps.passwords.matches(proof.password, proof.user.password_hash ?? undefined);
  return matches ? undefined : refusePassword(deps, caller.userId, proof.client);
}

/**
 * Locks the caller's account, and returns why a proof no longer holds that did before: since then, other requests may have ended the
 * sign-in or its check, changed the password, or turned on a second step. Needs a transaction.
 */
export async function refuseDisproved(deps: Deps, caller: Caller, proof: Proof): Promise<Failure | undefined> {
  if (!(await lockCaller(deps.db, caller))) return notSignedIn();
  const user = await userWithPassword(deps.db, caller.userId);
  if (!user) return notSignedIn();
  if (user.password_hash !== proof.user.password_hash)
    return proof.password === undefined ? checkRequired() : refusePassword(deps, caller.userId, proof.client);
  return findMissingCheck(deps, caller, { ...proof, user });
}

/** Returns the failure if a proof lacks a check, apart from that of its password. */
async function findMissingCheck(
  deps: Deps,
  caller: Caller,
  { user, password, missing = currentPasswordRequired() }: Proof,
): Promise<Failure | undefined> {
  const last = await lastCheck(deps.db, caller.signIn);
  const recent = last && isRecent(last.at, deps.clock()) ? last : undefined;
  if (user.two_step && !recent) return checkRequired();
  if (password !== undefined) return undefined;
  if (user.password_hash === null) return recent ? undefined : checkRequired();
  // A recent password check isn't enough: the unlocked device may be in someone else's hands by now.
  return recent?.with === 'passkey' ? undefined : missing;
}

export async function refusePassword(deps: Deps, userId: number, by: Client): Promise<Failure> {
  await recordSecurityEvent(deps, 'password_check_failed', { userId, by });
  return wrongPassword();
}
