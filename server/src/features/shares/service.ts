import type { OwnedAsset } from '@hourshare/contract/assets';
import type { SharedAsset, ShareRequest } from '@hourshare/contract/shares';
import { Id, toHours } from '@hourshare/contract/fields';
import type { Deps } from '../../deps.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { readPage, type Page, type PageRequest } from '../../platform/pages.ts';
import { ok, type Result } from '../../platform/result.ts';
import { findUser } from '../accounts/service.ts';
import { assetArchived, assetNotFound } from '../assets/errors.ts';
import { ownedAsset } from '../assets/service.ts';
import { alreadyShared, shareNotFound, shareWithSelf, userNotFound } from './errors.ts';
import * as store from './store.ts';

/** Gives a user an allowance of an owner's asset. Returns the asset with its members. */
export async function shareAsset(
  deps: Deps,
  ownerId: number,
  assetId: number,
  { username, monthly_hours_allocated: allocationHours }: ShareRequest,
): Promise<Result<OwnedAsset>> {
  const asset = await store.findOwnedAsset(deps.db, { ownerId, assetId });
  if (!asset) return assetNotFound();
  if (asset.archived) return assetArchived();
  const member = await findUser(deps, username);
  if (!member) return userNotFound(username);
  if (member.id === ownerId) return shareWithSelf();
  const share = { assetId, memberId: member.id, allocationHours, now: deps.clock() };
  const outcome = await store.insertShare(deps.db, share);
  if (outcome === 'shared') return alreadyShared();
  if (outcome === 'asset_gone') return assetNotFound();
  if (outcome === 'member_gone') return userNotFound(username);
  return ownedAsset(deps, ownerId, assetId);
}

/** Changes a member's allowance from the current month on. */
export async function changeShare(
  deps: Deps,
  share: { ownerId: number; assetId: number; shareId: number },
  allocationHours: number,
): Promise<Result<OwnedAsset>> {
  const changed = await store.setAllowance(deps.db, share, { allocationHours, now: deps.clock() });
  return changed ? ownedAsset(deps, share.ownerId, share.assetId) : shareNotFound();
}

/** Ends a share and its active session; its history stays. */
export async function endShare(
  deps: Deps,
  share: { ownerId: number; assetId: number; shareId: number },
): Promise<Result<OwnedAsset>> {
  const ended = await inTransaction(deps.db, async (db) => {
    if (!(await store.endShare(db, share, deps.clock()))) return false;
    await deps.events.emit({ ...deps, db }, 'shareEnded', share);
    return true;
  });
  return ended ? ownedAsset(deps, share.ownerId, share.assetId) : shareNotFound();
}

export function listShares(
  { db, clock }: Deps,
  memberId: number,
  request: PageRequest,
): Promise<Result<Page<SharedAsset>>> {
  return readPage(request, {
    key: Id,
    keyOf: ({ id }) => id,
    toItem: toWire,
    read: async (page) => ok(await store.readShares(db, { memberId, now: clock(), ...page })),
  });
}

export async function sharedAsset(
  { db, clock }: Deps,
  memberId: number,
  shareId: number,
): Promise<Result<SharedAsset>> {
  const [share] = await store.readShares(db, { memberId, shareId, now: clock(), limit: 1 });
  return share ? ok(toWire(share)) : shareNotFound();
}

function toWire(share: store.StoredShare): SharedAsset {
  const usedHours = toHours(share.used_seconds);
  return {
    id: share.id,
    asset_name: share.name,
    owner: share.owner,
    shared_at: share.created_at.toISOString(),
    monthly_hours_allocated: share.allocation_hours,
    current_usage: usedHours,
    usage_this_month: usedHours,
    active_session: share.active_since !== null,
    active_since: share.active_since?.toISOString() ?? null,
    last_used_at: share.last_used_at?.toISOString() ?? null,
    asset: { id: share.asset_id, name: share.name, description: share.description, owner: share.owner },
  };
}
