import type { Price, SetPriceRequest } from '@hourshare/contract/periods';
import { Month, toAmount, toCents } from '@hourshare/contract/fields';
import type { Deps } from '../../deps.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { readPage, type Page, type PageRequest } from '../../platform/pages.ts';
import { ok, type Result } from '../../platform/result.ts';
import { assetNotFound } from '../assets/errors.ts';
import { beforeAsset, periodClosed, tooFarAhead } from './errors.ts';
import * as store from './store.ts';

export { brokenPeriods, markClosed, ownedPeriods } from './store.ts';

/** Periods reach two months ahead, so for this long after they were added no asset lacks its next one. */
const COVERED_MILLISECONDS = 26 * 24 * 3_600_000;

const EXTENDED_AT_ONCE = 1000;

/**
 * Sees to it that every asset has its current period and the one after it. The database is asked only when the clock has
 * come close to the end of what was added last, or was set back; calls that come meanwhile wait for the same work.
 */
export function extendPeriods(deps: Deps): Promise<void> {
  const { periodUpkeep: upkeep } = deps;
  const passed = deps.clock().getTime() - upkeep.extendedAt;
  if (passed >= 0 && passed < COVERED_MILLISECONDS) return Promise.resolve();
  upkeep.running ??= extendAll(deps).finally(() => {
    upkeep.running = undefined;
  });
  return upkeep.running;
}

async function extendAll({ db, clock, periodUpkeep }: Deps): Promise<void> {
  const now = clock();
  for (let after = 0; ;) {
    const ids = await inTransaction(db, async (trx) => {
      const short = await store.lockShortAssets(trx, { now, after, limit: EXTENDED_AT_ONCE });
      if (short.length > 0) await store.extendPeriods(trx, short, now);
      return short;
    });
    const last = ids.at(-1);
    if (last === undefined || ids.length < EXTENDED_AT_ONCE) break;
    after = last;
  }
  periodUpkeep.extendedAt = now.getTime();
}

/** Adds and changes periods along with their asset, in its transaction. */
export function followAssets({ events }: Deps): void {
  events.on('assetAdded', ({ db, clock }, asset) => store.insertPeriods(db, { ...asset, now: clock() }));
  events.on('assetChanging', async (deps, { assetId, name, timeZone, priceCents, terms }) => {
    const db = deps.db;
    const now = deps.clock();
    if (name !== undefined) await store.keepNameOfDuePeriods(db, assetId, now);
    if (terms !== undefined) await store.setTerms(db, { assetId, terms, now });
    if (timeZone !== undefined) {
      const fromMonth = await store.setTimeZone(db, { assetId, timeZone, now });
      if (fromMonth !== undefined) await events.emit(deps, 'periodsMoved', { assetId, fromMonth });
    }
    if (priceCents !== undefined) await store.setPrice(db, { assetId, priceCents, now });
  });
  events.on('assetArchived', ({ db, clock }, { assetId }) =>
    store.markPartial(db, { assetId, now: clock(), exceptFirstDay: false }),
  );
  events.on('assetRestoring', ({ db, clock }, { assetId }) =>
    store.markPartial(db, { assetId, now: clock(), exceptFirstDay: true }),
  );
}

/** What an owner's asset costs, from which month on, oldest first. */
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
      return owned ? ok(toPrices(await store.pricesOf(deps.db, { assetId, ...page }), owned)) : assetNotFound();
    },
  });
}

const PRICE_YEARS_AHEAD = 10;

/** Sets what an owner's asset costs from a month on, which must not be closed. */
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
    if (fromMonth < owned.first_month) return beforeAsset();
    if (fromMonth < owned.first_open_month) return periodClosed('from_month');
    if (Number(fromMonth.slice(0, 4)) > Number(owned.current_month.slice(0, 4)) + PRICE_YEARS_AHEAD)
      return tooFarAhead(PRICE_YEARS_AHEAD);
    await store.extendPeriodsTo(db, assetId, fromMonth);
    await store.setPrice(db, { assetId, fromMonth, priceCents: toCents(cost), now });
    return ok({ results: toPrices(await store.pricesOf(db, { assetId }), owned), next: null });
  });
}

const toPrices = (prices: store.StoredPrice[], { first_open_month: firstOpen }: store.OwnedPeriods): Price[] =>
  prices.map(({ from_month, price_cents }) => ({
    from_month,
    subscription_cost: toAmount(price_cents),
    open: from_month >= firstOpen,
  }));
