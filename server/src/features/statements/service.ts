import type { Deps } from '../../deps.ts';
import { removeDeletedAssets } from '../assets/service.ts';
import { endPeriods } from '../periods/upkeep/service.ts';
import { hideName } from './names/store.ts';

export { userScope } from './sql.ts';
export { isCovered, lineStatus, toMarkedLine } from './wire.ts';

/** Ends the running period of an asset in the transaction that deletes it. With nothing left to close, the asset goes at once. */
export function handleAssetEvents({ events }: Deps): void {
  events.on('assetDeleted', async (deps, { assetId, now }) => {
    await endPeriods(deps.db, assetId, now);
    await removeDeletedAssets(deps, [assetId]);
  });
}

/** Replaces the name of a deleted account that chose to hide it. */
export function handleAccountEvents({ events }: Deps): void {
  events.on('accountDeleting', async ({ db }, { userId, names }) => {
    if (names) await hideName(db, userId, names);
  });
}
