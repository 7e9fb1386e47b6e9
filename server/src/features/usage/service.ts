import type { Deps } from '../../deps.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import * as store from './store.ts';

export type { WrongDay } from './store.ts';

/** Follows periods that move: what was used on their days is worked out anew. */
export function followPeriods({ events }: Deps): void {
  events.on('periodsMoved', ({ db }, { assetId, fromMonth }) => store.rebuildDays(db, assetId, fromMonth));
}

/**
 * Compares an asset's days of use with its sessions, and rebuilds the days of open periods when asked to. Gives the days
 * that were wrong; those of closed periods stay as they are, because they have been billed.
 */
export function verifyUse(
  deps: Deps,
  assetId: number,
  { repair }: { repair: boolean },
): Promise<(store.WrongDay & { repaired: boolean })[]> {
  return inTransaction(deps.db, async (db) => {
    if (repair) await store.lockAsset(db, assetId);
    const wrong = await store.wrongDays(db, assetId);
    // Periods close one after another, so all from the first open one on are open.
    const [firstOpen] = wrong
      .filter(({ closed }) => !closed)
      .map(({ month }) => month)
      .toSorted();
    if (repair && firstOpen !== undefined) await store.rebuildDays(db, assetId, firstOpen);
    return wrong.map((day) => ({ ...day, repaired: repair && !day.closed }));
  });
}
