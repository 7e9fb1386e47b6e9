import type { Deps } from '../../deps.ts';
import type { Database } from '../../platform/database/database.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import * as store from './store.ts';

/** Rebuilds the days of periods that start or end at other instants than before. */
export function followPeriods({ events }: Deps): void {
  events.on('periodsMoved', ({ db }, { assetId, fromMonth }) => store.rebuildDays(db, assetId, fromMonth));
}

type CheckedDay = store.WrongDay & { closed: boolean; repaired: boolean };

const ASSETS_AT_ONCE = 500;

/**
 * Compares the days of use of every asset with its sessions, and rebuilds the days of open periods when asked to. Yields
 * the days that were wrong, for each asset; those of closed periods stay as they are, because they have been billed.
 */
export async function* verifyUsage(
  db: Database,
  { repair }: { repair: boolean },
): AsyncGenerator<{ assetId: number; days: CheckedDay[] }> {
  for (let after = 0; ;) {
    const ids = await store.assetIds(db, { after, limit: ASSETS_AT_ONCE });
    for (const assetId of ids) yield { assetId, days: await verifyAsset(db, assetId, repair) };
    const last = ids.at(-1);
    if (last === undefined || ids.length < ASSETS_AT_ONCE) return;
    after = last;
  }
}

function verifyAsset(db: Database, assetId: number, repair: boolean): Promise<CheckedDay[]> {
  return inTransaction(db, async (trx) => {
    if (repair) await store.lockAsset(trx, assetId);
    const wrong = await store.wrongDays(trx, assetId);
    if (wrong.length === 0) return [];
    // What has been billed stays as it is, and so does what lies before it.
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
