import type { OwnedAsset } from '@hourshare/contract/assets';
import { LIST_PAGE_SIZE } from '@hourshare/contract/limits';
import type { SharedAsset, ShareRequest } from '@hourshare/contract/shares';
import { toHours } from '@hourshare/contract/fields';
import type { Deps } from '../../deps.ts';
import { ok, type Result } from '../../platform/result.ts';
import { findUser } from '../accounts/service.ts';
import { assetNotFound } from '../assets/errors.ts';
import { ownedAsset } from '../assets/service.ts';
import { alreadyShared, shareNotFound, shareWithSelf, userNotFound } from './errors.ts';
import * as store from './store.ts';

/** Gives a user monthly hours of an owner's asset; answers the asset with its members. */
export async function shareAsset(
  deps: Deps,
  ownerId: number,
  assetId: number,
  { username, monthly_hours_allocated: allocationHours }: ShareRequest,
): Promise<Result<OwnedAsset>> {
  if (!(await store.ownsAsset(deps.db, { ownerId, assetId }))) return assetNotFound();
  const member = await findUser(deps, username);
  if (!member) return userNotFound(username);
  if (member.id === ownerId) return shareWithSelf();
  const share = { assetId, memberId: member.id, allocationHours, now: deps.clock() };
  if (!(await store.insertShare(deps.db, share))) return alreadyShared();
  return ownedAsset(deps, ownerId, assetId);
}

export async function listShares(
  { db, clock }: Deps,
  memberId: number,
): Promise<Result<{ results: SharedAsset[]; next: null }>> {
  const shares = await store.sharesOf(db, { memberId, now: clock(), limit: LIST_PAGE_SIZE });
  return ok({ results: shares.map(toWire), next: null });
}

export async function sharedAsset(
  { db, clock }: Deps,
  memberId: number,
  shareId: number,
): Promise<Result<SharedAsset>> {
  const [share] = await store.sharesOf(db, { memberId, shareId, now: clock(), limit: 1 });
  return share ? ok(toWire(share)) : shareNotFound();
}

function toWire(share: store.StoredShare): SharedAsset {
  const usedHours = toHours(share.used_seconds);
  return {
    id: share.id,
    asset_name: share.name,
    owner: share.owner,
    monthly_hours_allocated: share.allocation_hours,
    current_usage: usedHours,
    usage_this_month: usedHours,
    active_session: share.active_since !== null,
    active_since: share.active_since?.toISOString() ?? null,
    asset: { id: share.asset_id, name: share.name, description: share.description, owner: share.owner },
  };
}
