import type { Causes } from '../../causes.ts';
import type { Deps } from '../../deps.ts';
import { removeDeletedAssets } from '../assets/service.ts';
import { endPeriods } from '../periods/upkeep/service.ts';
import { hideName } from './names/store.ts';

export { userScope } from './sql.ts';
export { isCovered, lineStatus, toMarkedLine } from './wire.ts';

/** Ends the running period of a deleted asset. Removes the asset if nothing is left to close or count. */
export async function endRunningPeriod(deps: Deps, { assetId, now }: Causes['assetDeleted']): Promise<void> {
  await endPeriods(deps.db, assetId, now);
  await removeDeletedAssets(deps, [assetId]);
}

/** Replaces the name of an account that is being deleted on statements, if it is to be hidden. */
export async function hideNameOnStatements({ db }: Deps, { userId, names }: Causes['accountDeleting']): Promise<void> {
  if (names) await hideName(db, userId, names);
}
