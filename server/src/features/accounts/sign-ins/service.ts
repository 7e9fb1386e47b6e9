import type { SignIn } from '@hourshare/contract/accounts';
import type { Deps } from '../../../deps.ts';
import { ok, type Result } from '../../../platform/result.ts';
import { logSecurityEvent } from '../../../platform/security-log.ts';
import type { Caller } from '../../../platform/tokens.ts';
import { signInNotFound } from '../errors.ts';
import { describeDevice } from './wire.ts';
import * as store from './store.ts';

/** Returns the caller's sign-ins, most recently used first. */
export async function listSignIns(deps: Deps, caller: Caller): Promise<Result<{ sign_ins: SignIn[] }>> {
  const found = await store.activeSignIns(deps.db, caller.userId, deps.clock());
  return ok({ sign_ins: found.map((signIn) => toSignIn(signIn, caller)) });
}

/** Names the device of one of the caller's sign-ins; null removes the name. */
export async function nameSignIn(
  deps: Deps,
  caller: Caller,
  { id, name }: { id: number; name: string | null },
): Promise<Result<SignIn>> {
  const named = await store.renameSignIn(deps.db, { userId: caller.userId, id, name, now: deps.clock() });
  return named ? ok(toSignIn(named, caller)) : signInNotFound();
}

/** Ends one of the caller's sign-ins, which may be the current one. */
export async function endSignIn(deps: Deps, caller: Caller, id: number, network: string): Promise<Result<undefined>> {
  const count = await store.endOwnSignIns(deps.db, { userId: caller.userId, only: id, now: deps.clock() });
  if (count === 0) return signInNotFound();
  logSecurityEvent(deps.log, 'sign_ins_ended', { userId: caller.userId, network, reason: 'ended_by_user', count });
  return ok(undefined);
}

/** Ends all of the caller's sign-ins except the current one. */
export async function endOtherSignIns(deps: Deps, caller: Caller, network: string): Promise<Result<undefined>> {
  const { userId, signIn } = caller;
  const count = await store.endOwnSignIns(deps.db, { userId, keep: signIn, now: deps.clock() });
  if (count > 0) logSecurityEvent(deps.log, 'sign_ins_ended', { userId, network, reason: 'ended_by_user', count });
  return ok(undefined);
}

const toSignIn = ({ id, name, device, handle, ...times }: store.StoredSignIn, caller: Caller): SignIn => ({
  id,
  name,
  ...describeDevice(device),
  created_at: times.created_at.toISOString(),
  last_used_at: times.last_used_at.toISOString(),
  current: handle === caller.signIn,
});
