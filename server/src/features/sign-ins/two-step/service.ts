import type { RecoveryCodes, TwoStep, TwoStepKey } from '@hourshare/contract/sign-ins';
import { RECOVERY_CODES } from '@hourshare/contract/limits';
import type { Deps } from '../../../deps.ts';
import { transaction, undoableTransaction } from '../../../platform/database/transaction.ts';
import type { Client } from '../../../platform/http/client.ts';
import {
  isOneTimeCode,
  keyAddress,
  newKey,
  newRecoveryCode,
  plain,
  stepOfCode,
} from '../../../platform/one-time-codes.ts';
import { ok, type Result } from '../../../platform/result.ts';
import { hashToken, type Caller } from '../../../platform/tokens.ts';
import type { By } from '../../security-events/service.ts';
import { notSignedIn } from '../../users/errors.ts';
import { userById } from '../../users/service.ts';
import { deleteEmailChange } from '../email-changes/store.ts';
import { twoStepOff, twoStepOn, wrongCode } from '../errors.ts';
import { queueNotice } from '../factors/mail.ts';
import { recordFactorChange, refuseUnchecked } from '../factors/service.ts';
import * as store from './store.ts';

/** How long a new key waits for its first code. */
const KEY_MINUTES = 10;

/** Returns whether signing in takes a code, and how many recovery codes are left. */
export async function readTwoStep({ db }: Deps, userId: number): Promise<Result<TwoStep>> {
  const found = await store.readTwoStep(db, userId);
  if (!found) return notSignedIn();
  return ok({ since: found.since?.toISOString() ?? null, recovery_codes_left: found.codes });
}

/** Returns a new key for an authenticator app. Its codes aren't needed until the user has entered the first one. */
export async function createKey(deps: Deps, userId: number): Promise<Result<TwoStepKey>> {
  const user = await userById(deps.db, userId);
  if (!user) return notSignedIn();
  const key = newKey();
  const stored = await store.putKey(deps.db, { userId, sealed: deps.tokens.seal(key), now: deps.clock() });
  return stored ? ok({ key, address: keyAddress(key, user.username) }) : twoStepOn();
}

/** Requires a code at sign-in, once the user has entered one from their app. Returns the recovery codes, which are shown only once. */
export function confirmKey(deps: Deps, caller: Caller, code: string, by: Client): Promise<Result<RecoveryCodes>> {
  const { userId } = caller;
  return undoableTransaction(deps, async (deps): Promise<Result<RecoveryCodes>> => {
    const refused = await refuseUnchecked(deps, caller);
    if (refused) return refused;
    if (!(await store.switchOn(deps.db, userId, deps.clock()))) return twoStepOn();
    const madeAfter = new Date(deps.clock().getTime() - KEY_MINUTES * 60_000);
    if (!(await spendOneTimeCode(deps, userId, code, madeAfter))) return wrongCode();
    const codes = await replaceCodes(deps, userId);
    // Otherwise, an attacker's pending address would still become the one that recovers the account.
    await deleteEmailChange(deps.db, userId);
    await recordFactorChange(deps, 'two_step_on', { userId, by });
    return ok(codes);
  });
}

/** Replaces all of a user's recovery codes with new ones, which are shown only once. */
export function renewRecoveryCodes(deps: Deps, caller: Caller, by: Client): Promise<Result<RecoveryCodes>> {
  const { userId } = caller;
  return undoableTransaction(deps, async (deps): Promise<Result<RecoveryCodes>> => {
    const refused = await refuseUnchecked(deps, caller);
    if (refused) return refused;
    if (!(await store.lockTwoStepUser(deps.db, userId))) return twoStepOff();
    const codes = await replaceCodes(deps, userId);
    await recordFactorChange(deps, 'recovery_codes_made', { userId, by });
    return ok(codes);
  });
}

/** Makes the first step enough for the caller to sign in. */
export function switchTwoStepOff(deps: Deps, caller: Caller, by: Client): Promise<Result<undefined>> {
  return undoableTransaction(deps, async (deps): Promise<Result<undefined>> => {
    const refused = await refuseUnchecked(deps, caller);
    if (refused) return refused;
    await endTwoStep(deps, caller.userId, by);
    return ok(undefined);
  });
}

/** Makes the first step enough to sign in, and deletes the key and the recovery codes. Returns whether a code was required before. */
export function endTwoStep(deps: Deps, userId: number, by: By): Promise<boolean> {
  return transaction(deps, async (deps) => {
    const wasOn = await store.switchOff(deps.db, userId);
    if (!wasOn) return false;
    await recordFactorChange(deps, 'two_step_off', { userId, by });
    return true;
  });
}

/**
 * Uses up a code of the user's app, or a recovery code, and returns which it was; undefined if it is neither. Needs a transaction that
 * has locked the user.
 */
export async function spendCode(deps: Deps, userId: number, code: string): Promise<'app' | 'recovery' | undefined> {
  if (isOneTimeCode(code)) return (await spendOneTimeCode(deps, userId, code)) ? 'app' : undefined;
  if (!(await store.spendRecoveryCode(deps.db, userId, hashToken(plain(code))))) return undefined;
  await queueNotice(deps, userId, 'recovery_code_used');
  return 'recovery';
}

async function spendOneTimeCode(
  { db, tokens, clock }: Deps,
  userId: number,
  code: string,
  madeAfter?: Date,
): Promise<boolean> {
  const sealed = await store.readKey(db, userId, madeAfter);
  const key = sealed && tokens.unseal(sealed);
  const step = key && stepOfCode(key, code, clock());
  return sealed !== undefined && typeof step === 'number' && store.spendStep(db, { userId, sealed, step });
}

async function replaceCodes({ db }: Deps, userId: number): Promise<RecoveryCodes> {
  const codes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode);
  await store.replaceRecoveryCodes(
    db,
    userId,
    codes.map((code) => hashToken(plain(code))),
  );
  return { recovery_codes: codes };
}
