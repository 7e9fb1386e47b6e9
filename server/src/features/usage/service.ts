import type { Deps } from '../../deps.ts';
import type { Database } from '../../platform/database/tables.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import * as store from './store.ts';

/** Follows periods that move: what was used on their days is worked out anew. */
export function followPeriods({ events }: Deps): void {
  events.on('periodsMoved', ({ db }, { assetId, fromMonth }) => store.rebuildDays(db, assetId, fromMonth));
}

type CheckedDay = store.WrongDay & { repaired: boolean };

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
    // Periods close one after another, so all from the first open one on are open.
    const [firstOpen] = wrong
      .filter(({ closed }) => !closed)
      .map(({ month }) => month)
      .toSorted();
    if (repair && firstOpen !== undefined) await store.rebuildDays(trx, assetId, firstOpen);
    return wrong.map((day) => ({ ...day, repaired: repair && !day.closed }));
  });
}
