import type { Price, SetPriceRequest } from '@hourshare/contract/periods';
import { Month, priceProblem } from '@hourshare/contract/fields';
import { toAmount, toMinor } from '@hourshare/contract/money';
import type { Deps } from '../../deps.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { readPage, type Page, type PageRequest } from '../../platform/pages.ts';
import { ok, type Result } from '../../platform/result.ts';
import { assetNotFound, badPrice } from '../assets/errors.ts';
import { monthBeforeAsset, periodClosed, tooFarAhead } from './errors.ts';
import * as store from './store.ts';

export { brokenPeriods, markClosed, ownedPeriods } from './store.ts';

/** Periods reach two months ahead, so for this long after an extension every asset has its next one. */
const COVERAGE_MILLISECONDS = 26 * 24 * 3_600_000;

const EXTEND_BATCH_SIZE = 1000;

/**
 * Makes sure that every asset has its current period and the next. Queries the database only if the clock nears the end
 * of the last extension or was set back; concurrent calls share that work.
 */
export function extendPeriods(deps: Deps): Promise<void> {
  const { periodUpkeep: upkeep } = deps;
  const elapsed = deps.clock().getTime() - upkeep.extendedAt;
  if (elapsed >= 0 && elapsed < COVERAGE_MILLISECONDS) return Promise.resolve();
  upkeep.running ??= extendAll(deps).finally(() => {
    upkeep.running = undefined;
  });
  return upkeep.running;
}

async function extendAll({ db, clock, periodUpkeep }: Deps): Promise<void> {
  const now = clock();
  for (let after = 0; ;) {
    const ids = await inTransaction(db, async (trx) => {
      const assetIds = await store.lockAssetsToExtend(trx, { now, after, limit: EXTEND_BATCH_SIZE });
      if (assetIds.length > 0) await store.extendPeriods(trx, assetIds, now);
      return assetIds;
    });
    const last = ids.at(-1);
    if (last === undefined || ids.length < EXTEND_BATCH_SIZE) break;
    after = last;
  }
  periodUpkeep.extendedAt = now.getTime();
}

/** Adds and changes the periods of assets in the transactions that add and change the assets. */
export function handleAssetEvents({ events }: Deps): void {
  events.on('assetAdded', ({ db, clock }, asset) => store.insertPeriods(db, { ...asset, now: clock() }));
  events.on('assetChanging', async (deps, { assetId, name, timeZone, priceCents, currency, terms }) => {
    const db = deps.db;
    const now = deps.clock();
    if (name !== undefined) await store.keepNameOfDuePeriods(db, assetId, now);
    if (terms !== undefined) await store.setTerms(db, { assetId, terms, now });
    if (timeZone !== undefined) {
      const fromMonth = await store.setTimeZone(db, { assetId, timeZone, now });
      if (fromMonth !== undefined) await events.emit(deps, 'periodsMoved', { assetId, fromMonth });
    }
    if (currency !== undefined)
      await store.convertPrices(db, { assetId, ...currency, ...(priceCents !== undefined && { priceCents }), now });
    else if (priceCents !== undefined) await store.setPrice(db, { assetId, priceCents, now });
  });
  events.on('assetArchived', ({ db, clock }, { assetId }) =>
    store.markPartial(db, { assetId, now: clock(), exceptFirstDay: false }),
  );
  events.on('assetRestoring', ({ db, clock }, { assetId }) =>
    store.markPartial(db, { assetId, now: clock(), exceptFirstDay: true }),
  );
}

/** Returns the prices of an owner's asset and the months from which they apply, oldest first. */
export function listPrices(
  deps: Deps,
  ownerId: number,
  assetId: number,
  request: PageRequest,
): Promise<Result<Page<Price>>> {
  return readPage(request, {
    key: Month,
    keyOf: ({ from_month }: Price) => from_month,
    toItem: (price) => price,
    read: async (page) => {
      const owned = await store.ownedPeriods(deps.db, { assetId, ownerId, now: deps.clock() });
      return owned ? ok(toPrices(await store.readPrices(deps.db, { assetId, ...page }), owned)) : assetNotFound();
    },
  });
}

const PRICE_YEARS_AHEAD = 10;

/** Sets the price of an owner's asset from a month on, which must not be closed. */
export function setPrice(
  deps: Deps,
  ownerId: number,
  assetId: number,
  { from_month: fromMonth, subscription_cost: cost }: SetPriceRequest,
): Promise<Result<{ results: Price[]; next: null }>> {
  return inTransaction(deps.db, async (db) => {
    const now = deps.clock();
    const owned = await store.ownedPeriods(db, { assetId, ownerId, now, lock: true });
    if (!owned) return assetNotFound();
    const problem = priceProblem(cost, owned.currency);
    if (problem) return badPrice(problem);
    if (fromMonth < owned.first_month) return monthBeforeAsset();
    if (fromMonth < owned.first_open_month) return periodClosed('from_month');
    if (Number(fromMonth.slice(0, 4)) > Number(owned.current_month.slice(0, 4)) + PRICE_YEARS_AHEAD)
      return tooFarAhead(PRICE_YEARS_AHEAD);
    await store.extendPeriodsTo(db, assetId, fromMonth);
    await store.setPrice(db, { assetId, fromMonth, priceCents: toMinor(cost, owned.currency), now });
    return ok({ results: toPrices(await store.readPrices(db, { assetId }), owned), next: null });
  });
}

const toPrices = (
  prices: store.StoredPrice[],
  { first_open_month: firstOpen, currency }: store.OwnedPeriods,
): Price[] =>
  prices.map(({ from_month, price_cents }) => ({
    from_month,
    subscription_cost: toAmount(price_cents, currency),
    open: from_month >= firstOpen,
  }));
