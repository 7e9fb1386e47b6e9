import type { Deps } from '../../deps.ts';
import { Undone } from '../../platform/database/transaction.ts';
import { loweredByOwner } from './errors.ts';
import * as owners from './owners/store.ts';
import { notePrice } from './prices/service.ts';
import * as prices from './prices/store.ts';
import * as proposals from './proposals/store.ts';
import { changeTerms } from './terms/service.ts';
import * as upkeep from './upkeep/store.ts';

/** Adds and changes the periods of assets in the transactions that add and change the assets. */
export function handleAssetEvents({ events }: Deps): void {
  events.on('assetAdded', ({ db, clock }, asset) => upkeep.insertPeriods(db, { ...asset, now: clock() }));
  events.on('assetChanging', async (deps, change) => {
    const { assetId, actorId, byManager, name, timeZone, priceCents, currency, terms, proposeNow } = change;
    const db = deps.db;
    const now = deps.clock();
    if (name !== undefined) await upkeep.keepNameOfDuePeriods(db, assetId, now);
    if (terms !== undefined) await changeTerms(deps, { assetId, actorId, byManager, terms, proposeNow });
    if (timeZone !== undefined) {
      const fromMonth = await upkeep.setTimeZone(db, { assetId, timeZone, now });
      if (fromMonth !== undefined) await events.emit(deps, 'periodsMoved', { assetId, fromMonth });
    }
    if (currency !== undefined)
      await prices.convertPrices(db, { assetId, ...currency, ...(priceCents !== undefined && { priceCents }), now });
    else if (priceCents !== undefined) {
      if (byManager && priceCents < (await prices.lowestPriceOfManagers(db, { assetId, now })))
        throw new Undone(loweredByOwner());
      const before = await prices.setPrice(db, { assetId, priceCents, now });
      if (before) await notePrice(deps, { assetId, actorId, before, priceCents });
    }
  });
  events.on('assetArchived', async ({ db, clock }, { assetId, bill }) => {
    const now = clock();
    await upkeep.markPartial(db, { assetId, now, exceptFirstDay: false });
    if (bill) await upkeep.setUnbilled(db, { assetId, unbilled: bill === 'nothing', now });
  });
  events.on('assetRestoring', async ({ db, clock }, { assetId }) => {
    const now = clock();
    await upkeep.markPartial(db, { assetId, now, exceptFirstDay: true });
    await upkeep.setUnbilled(db, { assetId, unbilled: false, now });
  });
  events.on('assetDeleted', async ({ db }, { assetId, bill, now }) => {
    await proposals.withdrawProposal(db, assetId, now);
    if (bill) await upkeep.setUnbilled(db, { assetId, unbilled: bill === 'nothing', now });
  });
}

/** Transfers the open months of a deleted account to its stand-in, which already has its assets. */
export function handleAccountEvents({ events }: Deps): void {
  events.on('accountDeleting', ({ db }, { userId, standInId }) =>
    owners.moveOwnedPeriods(db, { from: userId, to: standInId }),
  );
}
