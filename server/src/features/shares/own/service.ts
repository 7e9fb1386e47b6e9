import type { Causes } from '../../../causes.ts';
import type { Deps } from '../../../deps.ts';
import { transaction } from '../../../platform/database/transaction.ts';
import { endShares } from '../endings/service.ts';
import { openShares } from '../endings/store.ts';
import * as store from './store.ts';

export { assetsToMatch } from './store.ts';

// The share of an owner who uses their own asset: open exactly while the month's terms say that they take part.

/**
 * Begins, changes, or ends the own share of an asset's owner as the terms of its current period say: at that period's start, or at
 * an instant.
 */
export async function matchOwnShare(deps: Deps, assetId: number, { now, at }: { now: Date; at?: Date }): Promise<void> {
  const found = await store.lockOwnUse(deps.db, assetId, now);
  if (!found) return;
  const { ownerId, hours, share, startedAt, endedAt } = found;
  const isOwners = share?.memberId === ownerId;
  if (share && (hours === null || !isOwners))
    await endShares(deps, openShares.ofOwner(assetId), { at: at ?? endedAt ?? startedAt });
  if (hours === null) return;
  if (!share || !isOwners) await store.insertOwnShare(deps.db, { assetId, ownerId, hours, at: at ?? startedAt });
  else if (share.hours !== hours) await store.setOwnHours(deps.db, { shareId: share.id, hours, at: at ?? startedAt });
}

/** Begins, changes, or ends the own share of an owner whose asset is new, or who changed the terms of the running month. */
export const matchTerms = (deps: Deps, { assetId }: Causes['termsChanged']): Promise<void> => {
  const now = deps.clock();
  return matchOwnShare(deps, assetId, { now, at: now });
};

/** As `matchOwnShare`, for a period that has certainly begun. */
export const matchOwnShareOf = (deps: Deps, assetId: number, now: Date): Promise<void> =>
  transaction(deps, (deps) => matchOwnShare(deps, assetId, { now }));
