import { averageMonth } from '@hourshare/contract/cycles';
import type { Causes } from '../../causes.ts';
import type { Deps } from '../../deps.ts';
import { Undone } from '../../platform/database/transaction.ts';
import { loweredByOwner } from './errors.ts';
import * as owners from './owners/store.ts';
import { changePlan, calculateMonths } from './plans/service.ts';
import { changePrice, replacePlan } from './prices/service.ts';
import * as prices from './prices/store.ts';
import * as renewals from './renewals/store.ts';
import { completeTerms, DEFAULT_TERMS } from './rules.ts';
import { changeTerms, refuseContradiction } from './terms/service.ts';
import * as upkeep from './upkeep/store.ts';

// What happens to periods when an asset or an account changes (server/src/reactions.ts).

/** Adds the current period of a new asset, and the next ones. */
export async function addPeriods(deps: Deps, asset: Causes['assetAdded']): Promise<void> {
  const { assetId, priceCents, plan, terms: asked } = asset;
  const monthly = averageMonth(priceCents, plan?.cycle ?? null);
  const terms = completeTerms({ ...DEFAULT_TERMS, ...asked }, { priceCents: monthly, memberHours: 0 });
  refuseContradiction(terms, asked);
  await upkeep.insertPeriods(deps.db, { ...asset, terms, now: deps.clock() });
  if (!plan) return;
  await changePlan(deps, { assetId, plan, priceCents });
  await calculateMonths(deps, { assetIds: [assetId], now: deps.clock() });
}

/** Before the months of any asset. */
const FIRST_MONTH = '0000-01';

/** Changes the periods of an asset that is about to change. */
export async function changePeriods(deps: Deps, change: Causes['assetChanging']): Promise<void> {
  const { assetId, actorId, byManager, name, timeZone, priceCents, currency, plan, terms } = change;
  const db = deps.db;
  const now = deps.clock();
  if (name !== undefined) await upkeep.keepNameOfDuePeriods(db, assetId, now);
  if (timeZone !== undefined) {
    const fromMonth = await upkeep.setTimeZone(db, { assetId, timeZone, now });
    if (fromMonth !== undefined) await deps.react(deps, 'periodsMoved', { assetId, fromMonth });
  }
  if (currency !== undefined) {
    await prices.convertPrices(db, { assetId, ...currency, ...(priceCents !== undefined && { priceCents }), now });
    if (plan !== undefined) await changePlan(deps, { assetId, plan, priceCents });
    // Also of ended months. No change is recorded: it concerns no one.
    await calculateMonths(deps, { assetIds: [assetId], from: FIRST_MONTH, now });
  } else if (priceCents !== undefined && plan === undefined) {
    if (byManager && priceCents < (await prices.lowestPriceOfManagers(db, { assetId, now })))
      throw new Undone(loweredByOwner());
    await changePrice(deps, { assetId, actorId, priceCents });
  }
  if (plan !== undefined && currency === undefined) await replacePlan(deps, { assetId, actorId, plan, priceCents });
  else if (change.endsOtherwise) await calculateMonths(deps, { assetIds: [assetId], now, changedAt: now });
  if (change.endsOtherwise) await renewals.deleteContradicted(db, { assetId, now });
  // After the price, which decides what an hour costs at most by default.
  if (terms !== undefined) await changeTerms(deps, { assetId, actorId, byManager, terms });
}

/** Notes that an asset was archived during its running period, and if its owner chose so, that the period isn't billed. */
export async function archivePeriods(
  { db, clock }: Deps,
  { assetId, bill, since }: Causes['assetArchived'],
): Promise<void> {
  const now = clock();
  await upkeep.markPartial(db, { assetId, now: since ?? now, exceptFirstDay: false });
  if (bill === 'nothing') await upkeep.setUnbilled(db, { assetId, now });
}

/** Notes that an asset that is about to be restored was archived during its running period. */
export async function restorePeriods({ db, clock }: Deps, { assetId }: Causes['assetRestoring']): Promise<void> {
  await upkeep.markPartial(db, { assetId, now: clock(), exceptFirstDay: true });
}

/** Notes that the running period of a deleted asset isn't billed, if its owner chose so. */
export async function decideLastBill({ db }: Deps, { assetId, bill, now }: Causes['assetDeleted']): Promise<void> {
  if (bill === 'nothing') await upkeep.setUnbilled(db, { assetId, now });
}

/** Gives the open months of an account that is being deleted to its stand-in. */
export const moveOwnedPeriods = ({ db }: Deps, { userId, standInId }: Causes['accountDeleting']): Promise<void> =>
  owners.moveOwnedPeriods(db, { from: userId, to: standInId });
