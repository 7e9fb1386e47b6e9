import type { Causes } from '../../causes.ts';
import type { Deps } from '../../deps.ts';
import type { Database } from '../../platform/database/database.ts';
import { transaction } from '../../platform/database/transaction.ts';
import * as store from './store.ts';

/** Rebuilds the days of use of periods whose start or end has moved. */
export const rebuildDays = ({ db }: Deps, { assetId, fromMonth }: Causes['periodsMoved']): Promise<void> =>
  store.rebuildDays(db, assetId, fromMonth);

type CheckedDay = store.WrongDay & { closed: boolean; repaired: boolean };

const BATCH_SIZE = 500;

/**
 * Compares the days of use of every asset with its sessions, and yields the wrong days of each asset. With `repair`,
 * rebuilds those of open periods; closed periods have been billed and stay as they are.
 */
export async function* verifyUsage(
  db: Database,
  { repair }: { repair: boolean },
): AsyncGenerator<{ assetId: number; days: CheckedDay[] }> {
  for (let after = 0; ;) {
    const ids = await store.assetIds(db, { after, limit: BATCH_SIZE });
    for (const assetId of ids) yield { assetId, days: await verifyAsset(db, assetId, repair) };
    const last = ids.at(-1);
    if (last === undefined || ids.length < BATCH_SIZE) return;
    after = last;
  }
}

function verifyAsset(db: Database, assetId: number, repair: boolean): Promise<CheckedDay[]> {
  return transaction({ db }, async ({ db: trx }) => {
    if (repair) await store.lockAsset(trx, assetId);
    const wrong = await store.wrongDays(trx, assetId);
    if (wrong.length === 0) return [];
    // Billed days stay as they are, and so do all days before them.
    const firstOpen = await store.firstOpenDay(trx, assetId);
    const checked = wrong.map((day) => {
      const closed = firstOpen === undefined || day.day < firstOpen;
      return { ...day, closed, repaired: repair && !closed };
    });
    if (firstOpen !== undefined && checked.some(({ repaired }) => repaired))
      await store.rebuildDays(trx, assetId, firstOpen);
    return checked;
  });
}
