import type { OwnedAsset } from '@hourshare/contract/assets';
import { MANAGERS_MAX } from '@hourshare/contract/limits';
import type { Deps } from '../../../deps.ts';
import type { Client } from '../../../platform/http/client.ts';
import type { Failure } from '../../../platform/result.ts';
import { recordForBoth } from '../../security-events/service.ts';
import { ownerOnly } from '../../assets/errors.ts';
import { appendMessage } from '../../outbox/service.ts';
import * as store from './store.ts';
import { managerUnfit, shareNotFound, tooManyManagers } from '../errors.ts';
import type { ManagedShare } from '../sql.ts';

/** Makes a member a co-manager, as the owner, or ends the role, also as that member. Returns why not if it fails. */
export async function setManager(
  deps: Deps,
  share: ManagedShare,
  manager: boolean,
  by: Client,
): Promise<Failure | undefined> {
  const { db } = deps;
  const now = deps.clock();
  const found = await store.lockShareToManage(db, share, now);
  if (!found) return shareNotFound();
  const { userId } = share;
  const { ownerId, memberId } = found;
  if (ownerId !== userId && (memberId !== userId || manager)) return ownerOnly('manager_by_owner');
  if (found.manager === manager) return undefined;
  if (manager && !found.fit) return managerUnfit();
  if (manager && found.managers >= MANAGERS_MAX) return tooManyManagers();
  if (!(await store.setManager(db, { shareId: share.shareId, manager, now }))) return shareNotFound();
  const event = manager ? 'manager_named' : 'manager_removed';
  const about = { assetId: share.assetId, shareId: share.shareId, actorId: userId };
  await appendMessage(deps, 'manager.changed', about, { change: manager ? 'added' : 'removed' });
  await recordForBoth(deps, event, { accounts: [ownerId, memberId], actorId: userId, by });
  return undefined;
}

/** Returns an asset as it is once the member of a share is no co-manager. */
export const withoutManager = (asset: OwnedAsset, shareId: number): OwnedAsset => ({
  ...asset,
  shared_with: asset.shared_with.map((entry) => (entry.id === shareId ? { ...entry, manager: false } : entry)),
});

/** Returns why a user can't change a share: a co-manager may not decide about it, or they manage no asset with this share. */
export async function refuseShare({ db, clock }: Deps, share: ManagedShare): Promise<Failure> {
  const found = await store.findManagedShare(db, share, clock());
  if (!found) return shareNotFound();
  return ownerOnly(found.person ? 'guest_by_owner' : 'manager_by_owner');
}
