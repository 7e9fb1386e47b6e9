import type { SignIn } from '@hourshare/contract/sign-ins';
import type { ExportedSignIn } from '@hourshare/contract/exports';
import { Id } from '@hourshare/contract/fields';
import type { Deps } from '../../../deps.ts';
import { transaction } from '../../../platform/database/transaction.ts';
import type { Client } from '../../../platform/http/client.ts';
import { describeDevice } from '../../../platform/http/devices.ts';
import { readPage, type Page, type PageRequest } from '../../../platform/pages.ts';
import { ok, type Result } from '../../../platform/result.ts';
import type { Caller } from '../../../platform/tokens.ts';
import { recordEndedSignIns } from '../../security-events/service.ts';
import { signInNotFound } from '../errors.ts';
import { refuseUnchecked } from '../factors/service.ts';
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

/** Ends one of the caller's sign-ins. Without a recent check, only the current one, because signing out never needs one. */
export function endSignIn(deps: Deps, caller: Caller, id: number, client: Client): Promise<Result<undefined>> {
  return transaction(deps, async (deps): Promise<Result<undefined>> => {
    const refused = await refuseUnchecked(deps, caller);
    const which = { only: id, ...(refused && { handle: caller.signIn }) };
    if ((await endSignIns(deps, caller, which, client)) > 0) return ok(undefined);
    return refused ?? signInNotFound();
  });
}

/** Ends all of the caller's sign-ins except the current one. */
export function endOtherSignIns(deps: Deps, caller: Caller, client: Client): Promise<Result<undefined>> {
  return transaction(deps, async (deps): Promise<Result<undefined>> => {
    const refused = await refuseUnchecked(deps, caller);
    if (refused) return refused;
    await endSignIns(deps, caller, { keep: caller.signIn }, client);
    return ok(undefined);
  });
}

/** Needs a transaction. */
async function endSignIns(deps: Deps, { userId }: Caller, which: store.Which, by: Client): Promise<number> {
  const handles = await store.endOwnSignIns(deps.db, { userId, ...which, now: deps.clock() });
  await recordEndedSignIns(deps, { userId, by, reason: 'ended_by_user', handles });
  return handles.length;
}

const toSignIn = ({ id, name, device, handle, ...times }: store.StoredSignIn, caller: Caller): SignIn => ({
  id,
  name,
  ...describeDevice(device),
  created_at: times.created_at.toISOString(),
  last_used_at: times.last_used_at.toISOString(),
  current: handle === caller.signIn,
});

/** Returns a user's sign-ins: active ones, and those that ended since the user last signed in; oldest first. */
export const exportSignIns = (
  { db }: Deps,
  userId: number,
  request: PageRequest,
): Promise<Result<Page<ExportedSignIn>>> =>
  readPage(request, {
    key: Id,
    keyOf: ({ id }: store.SignInRow) => id,
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
