import type { Check, CheckRequest } from '@hourshare/contract/accounts';
import type { Deps } from '../../../deps.ts';
import { checkExpiry } from '../../../platform/checks.ts';
import type { Client } from '../../../platform/http/client.ts';
import { ok, type Failure, type Result } from '../../../platform/result.ts';
import type { Caller } from '../../../platform/tokens.ts';
import { checkRequired, currentPasswordRequired, notSignedIn, wrongPassword } from '../errors.ts';
import { hasPasskey } from '../passkeys/store.ts';
import { identitiesOf } from '../providers/store.ts';
import { renewPasswordHash } from '../passwords/service.ts';
import { recordSecurityEvent } from '../security-events/service.ts';
import { userWithPassword } from '../store.ts';
import * as store from './store.ts';

/** Returns the ways in which the caller can prove who they are, and until when their last proof is valid. */
export async function readCheck(deps: Deps, caller: Caller): Promise<Result<Check>> {
  const user = await userWithPassword(deps.db, caller.userId);
  if (!user) return notSignedIn();
  const last = await store.lastCheck(deps.db, caller.signIn);
  const expiry = last && checkExpiry(last.at);
  const identities = await identitiesOf(deps.db, caller.userId);
  const isConnected = identities.some(({ provider, issuer }) => deps.providers[provider]?.issuer === issuer);
  return ok({
    methods: [
      ...(user.password_hash === null ? [] : (['password'] as const)),
      ...((await hasPasskey(deps.db, user.id)) ? (['passkey'] as const) : []),
      ...(isConnected ? ['provider' as const] : []),
    ],
    expires_at: expiry && expiry > deps.clock() ? expiry.toISOString() : null,
  });
}

/** Records that the caller entered their password, which allows calls that need a recent check for some minutes. */
export async function checkPassword(
  deps: Deps,
  caller: Caller,
  { current_password: password }: CheckRequest,
  client: Client,
): Promise<Result<Check>> {
  const user = await userWithPassword(deps.db, caller.userId);
  if (!user) return notSignedIn();
  const verifiedHash = user.password_hash ?? undefined;
  const matches = await deps.passwords.matches(password, verifiedHash);
  const now = deps.clock();
  const check = { signIn: caller.signIn, with: 'password' as const, now };
  if (!matches || verifiedHash === undefined || !(await store.recordCheck(deps.db, { ...check, verifiedHash })))
    return refusePassword(deps, user.id, client);
  await renewPasswordHash(deps, { userId: user.id, password, verifiedHash });
  return readCheck(deps, caller);
}

/**
 * Returns undefined if the caller has proved who they are, by the password or, if the account has none, by a recent check with a
 * passkey or a provider. Accounts without a password have no other way.
 */
export async function refuseUnproven(
  deps: Deps,
  caller: Caller,
  {
    user,
    password,
    client,
    missing = currentPasswordRequired(),
  }: {
    user: { password_hash: string | null };
    password: string | undefined;
    client: Client;
    missing?: Failure;
  },
): Promise<Failure | undefined> {
  if (password !== undefined) {
    const matches = await deps.passwords.matches(password, user.password_hash ?? undefined);
    return matches ? undefined : refusePassword(deps, caller.userId, client);
  }
  const last = await store.lastCheck(deps.db, caller.signIn);
  const isRecent = last !== undefined && checkExpiry(last.at) > deps.clock();
  if (user.password_hash === null) return isRecent ? undefined : checkRequired();
  // A recent password check isn't enough: the unlocked device may be in someone else's hands by now.
  return isRecent && last.with === 'passkey' ? undefined : missing;
}

export async function refusePassword(deps: Deps, userId: number, by: Client): Promise<Failure> {
  await recordSecurityEvent(deps, 'password_check_failed', { userId, by });
  return wrongPassword();
}
