import type { OwnedAsset } from '@hourshare/contract/assets';
import type { UpdateShareRequest } from '@hourshare/contract/shares';
import type { Deps } from '../../../deps.ts';
import { transaction, undoableTransaction } from '../../../platform/database/transaction.ts';
import type { Client } from '../../../platform/http/client.ts';
import { ok, type Result } from '../../../platform/result.ts';
import { managedAsset, noteChange } from '../../assets/service.ts';
import { appendMessage } from '../../outbox/service.ts';
import * as store from './store.ts';
import { refuseShare, setManager, withoutManager } from '../managers/service.ts';
import type { ManagedShare } from '../sql.ts';

/** Changes a member's or an offer's allowance, and whether the member co-manages the asset, from now on. */
export function changeShare(
  deps: Deps,
  share: ManagedShare,
  { monthly_hours_allocated: allocationHours, manager }: UpdateShareRequest,
  by: Client,
): Promise<Result<OwnedAsset>> {
  return undoableTransaction(deps, async (deps) => {
    // Read first, because a user who is no longer a co-manager can't read the asset as one.
    const before = manager === false ? await managedAsset(deps, share.userId, share.assetId) : undefined;
    if (manager !== undefined) {
      const refusal = await setManager(deps, share, manager, by);
      if (refusal) return refusal;
    }
    if (allocationHours !== undefined) {
      const before = await store.setAllowance(deps.db, share, { allocationHours, now: deps.clock() });
      if (before === undefined) return refuseShare(deps, share);
      const about = { assetId: share.assetId, shareId: share.shareId, actorId: share.userId };
      const { hours, offered } = before;
      const facts = { from_hours: hours, to_hours: allocationHours, ...(offered && { offered }) };
      if (hours !== allocationHours) {
        await appendMessage(deps, 'share.changed', about, facts);
        await noteChange(deps.db, { ...share, kind: 'hours', now: deps.clock() });
      }
    }
    const asset = await managedAsset(deps, share.userId, share.assetId);
    return asset.ok || !before?.ok ? asset : ok(withoutManager(before.value, share.shareId));
  });
}

/** Counts what a co-manager added in a share, as the owner. */
export function confirmShare(deps: Deps, share: ManagedShare): Promise<Result<OwnedAsset>> {
  return transaction(deps, async (deps) => {
    if (!(await store.countAllHours(deps.db, share, deps.clock()))) return refuseShare(deps, share);
    const { userId: actorId, assetId, shareId } = share;
    await appendMessage(deps, 'share.confirmed', { assetId, shareId, actorId }, {});
    return managedAsset(deps, actorId, assetId);
  });
}
