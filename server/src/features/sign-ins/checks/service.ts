import type { Check, CheckRequest } from '@hourshare/contract/sign-ins';
import type { Deps } from '../../../deps.ts';
import { checkExpiry } from '../../../platform/checks.ts';
import { undoableTransaction } from '../../../platform/database/transaction.ts';
import type { Client } from '../../../platform/http/client.ts';
import { countFailures } from '../../../platform/http/rate-limits.ts';
import { ok, type Result } from '../../../platform/result.ts';
import { issuersOf } from '../../../platform/sign-in-providers.ts';
import type { Caller } from '../../../platform/tokens.ts';
import { recordSecurityEvent } from '../../security-events/service.ts';
import { notSignedIn } from '../../users/errors.ts';
import { userWithPassword, type StoredUser } from '../../users/service.ts';
import { codeRequired, wrongCode } from '../errors.ts';
import { refusePassword, renewPasswordHash } from '../passwords/service.ts';
import { CODES_BY_SIGN_IN } from '../rules.ts';
import * as store from '../store.ts';
import { spendCode } from '../two-step/service.ts';

/** Returns the ways in which the caller can prove who they are, and until when their last proof is valid. */
export async function readCheck(deps: Deps, caller: Caller): Promise<Result<Check>> {
  const ways = await store.waysIn(deps.db, { userId: caller.userId, issuers: issuersOf(deps) });
  if (!ways) return notSignedIn();
  const last = await store.lastCheck(deps.db, caller.signIn);
  const expiry = last && checkExpiry(last.at);
  return ok({
    methods: (['password', 'passkey', 'provider'] as const).filter((way) => ways[way]),
    expires_at: expiry && expiry > deps.clock() ? expiry.toISOString() : null,
  });
}

/**
 * Records that the caller entered their password and, if signing in takes one, a code, which allows calls that need a recent check
 * for some minutes.
 */
export async function checkPassword(
  deps: Deps,
  caller: Caller,
  { current_password: password, code }: CheckRequest,
  client: Client,
): Promise<Result<Check>> {
  const user = await userWithPassword(deps.db, caller.userId);
  if (!user) return notSignedIn();
  const verifiedHash = user.password_hash ?? undefined;
  const matches = await deps.passwords.matches(password, verifiedHash);
  if (!matches || verifiedHash === undefined) return refusePassword(deps, user.id, client);
  const proof = { signIn: caller.signIn, with: 'password' as const, verifiedHash, code };
  const recorded = await recordFirstStep(deps, user, proof, client);
  if (recorded.ok) {
    await renewPasswordHash(deps, { userId: user.id, password, verifiedHash });
    return readCheck(deps, caller);
  }
  if (recorded.code === 'wrong_code') await recordWrongCode(deps, user.id, client);
  // Hashing takes time, so the password may have changed since it was verified.
  return recorded.code === 'not_signed_in' ? refusePassword(deps, user.id, client) : recorded;
}

/**
 * Records a check by a password or a provider. If signing in takes a code, so does this, with its own limit: otherwise,
 * whoever has the first factor and an open sign-in could skip the second. The caller records a wrong code.
 */
export async function recordFirstStep(
  deps: Deps,
  { id: userId, two_step: isTwoStep }: StoredUser,
  {
    code,
    ...proof
  }: { signIn: string; with: 'password' | 'provider'; verifiedHash?: string; code: string | undefined },
  client: Client,
): Promise<Result<undefined>> {
  const check = { ...proof, secondStep: isTwoStep, now: deps.clock() };
  if (!isTwoStep) return (await store.recordCheck(deps.db, check)) ? ok(undefined) : notSignedIn();
  if (code === undefined) return codeRequired();
  return countFailures(deps.limits, [[CODES_BY_SIGN_IN, proof.signIn]], () =>
    undoableTransaction(deps, async (deps): Promise<Result<undefined>> => {
      // The check comes first, because it locks the user.
      if (!(await store.recordCheck(deps.db, check))) return notSignedIn();
      const used = await spendCode(deps, userId, code);
      if (used === 'recovery') await recordSecurityEvent(deps, 'recovery_code_used', { userId, by: client });
      return used ? ok(undefined) : wrongCode();
    }),
  );
}

/** Must not be called in a transaction that is about to be undone. */
export const recordWrongCode = (deps: Deps, userId: number, by: Client): Promise<void> =>
  recordSecurityEvent(deps, 'second_step_failed', { userId, by });
