import type { Cycle } from '@hourshare/contract/cycles';
import { Month, priceProblem, type NextPrice } from '@hourshare/contract/fields';
import { toAmount, toMinor } from '@hourshare/contract/money';
import type { Price, SetPriceRequest } from '@hourshare/contract/periods';
import type { Deps } from '../../../deps.ts';
import { transaction } from '../../../platform/database/transaction.ts';
import { readPage, type Page, type PageRequest } from '../../../platform/pages.ts';
import { ok, type Result } from '../../../platform/result.ts';
import { assetNotFound, badPrice } from '../../assets/errors.ts';
import { noteChange } from '../../assets/service.ts';
import { hasSameCycles, type Plan } from '../../assets/plans/service.ts';
import { appendMessage } from '../../outbox/service.ts';
import { loweredByOwner, monthBeforeAsset, onlyLowered, periodClosed, tooFarAhead } from '../errors.ts';
import * as owners from '../owners/store.ts';
import { calculateMonths, changePlan, firstMonthOfPrice, setCyclePrice } from '../plans/service.ts';
import * as upkeep from '../upkeep/store.ts';
import * as store from './store.ts';

/** Returns a later price, stored in minor units, in units of its currency. */
export const toNextPrice = (next: { from_month: string; price_cents: number }, currency: string): NextPrice => ({
  from_month: next.from_month,
  price: toAmount(next.price_cents, currency),
});

/** Records a change of price, for everyone affected. */
function notePrice(
  deps: Deps,
  price: { assetId: number; actorId: number; before: store.PriceBefore; priceCents: number; cycle?: Cycle | null },
): Promise<void> {
  const { assetId, actorId, before, priceCents, cycle = before.cycle } = price;
  const { month, cents: from, currency } = before;
  const facts = { month, from, to: priceCents, currency, from_cycle: before.cycle, to_cycle: cycle };
  return appendMessage(deps, 'price.changed', { assetId, actorId }, facts);
}

/** Sets the price of an asset from the first month in which it can change, and tells everyone affected. */
export async function changePrice(
  deps: Deps,
  price: { assetId: number; actorId: number; priceCents: number },
): Promise<void> {
  const planned = await firstMonthOfPrice(deps, { assetId: price.assetId, fromMonth: undefined });
  await changePriceFrom(deps, { ...price, fromMonth: planned });
}

/**
 * Sets the price of an asset from an open month on, by default the current one, and tells everyone affected. Returns whether the
 * price changed.
 */
async function changePriceFrom(
  deps: Deps,
  {
    assetId,
    actorId,
    fromMonth,
    priceCents,
  }: { assetId: number; actorId: number; fromMonth: string | undefined; priceCents: number },
): Promise<boolean> {
  const now = deps.clock();
  if (fromMonth !== undefined) await upkeep.extendPeriodsTo(deps.db, assetId, fromMonth);
  const at = fromMonth === undefined ? { now } : { month: fromMonth };
  const before = await store.priceBefore(deps.db, { assetId, ...at });
  if (!before) return false;
  const { month } = before;
  // Also at the same price, which stays that of the month when an earlier one gets another, and because months may have been added.
  await store.setPrice(deps.db, { assetId, month, priceCents, now });
  await setCyclePrice(deps, { assetId, month, priceCents });
  if (before.cents === priceCents) return false;
  await notePrice(deps, { assetId, actorId, before, priceCents });
  return true;
}

/**
 * Replaces an asset's plan from the current month on, and its price if given, and tells everyone affected. A price of the same cycles
 * starts with one of them.
 */
export async function replacePlan(
  deps: Deps,
  {
    assetId,
    actorId,
    plan,
    priceCents,
  }: { assetId: number; actorId: number; plan: Plan | null; priceCents: number | undefined },
): Promise<void> {
  const now = deps.clock();
  const before = await store.priceBefore(deps.db, { assetId, now });
  const cycle = plan?.cycle ?? null;
  const newPrice = before?.cycle && hasSameCycles(before, plan) ? undefined : priceCents;
  await changePlan(deps, { assetId, plan, priceCents: newPrice, changedAt: now });
  if (before) await notePrice(deps, { assetId, actorId, before, priceCents: newPrice ?? before.cents, cycle });
  // Calculated once, because members pay at most the lowest price that a month has had.
  if (priceCents !== newPrice && priceCents !== undefined) await changePrice(deps, { assetId, actorId, priceCents });
  else await calculateMonths(deps, { assetIds: [assetId], now, changedAt: now });
}

/** Returns an asset's prices in the months that a user manages, and the months from which they apply, oldest first. */
export function listPrices(
  deps: Deps,
  userId: number,
  assetId: number,
  request: PageRequest,
): Promise<Result<Page<Price>>> {
  return readPage(request, {
    key: Month,
    keyOf: ({ from_month }: Price) => from_month,
    toItem: (price) => price,
    read: async (page) => {
      const owned = await owners.ownedPeriods(deps.db, { assetId, userId, now: deps.clock() });
      return owned
        ? ok(toPrices(await store.readPrices(deps.db, { assetId, userId, ...page }), owned))
        : assetNotFound();
    },
  });
}

const PRICE_YEARS_AHEAD = 10;

/** Sets the price of an asset that a user manages, starting with a given open month. */
export function setPrice(
  deps: Deps,
  userId: number,
  assetId: number,
  { from_month: asked, subscription_cost: cost }: SetPriceRequest,
): Promise<Result<{ results: Price[]; next: null }>> {
  return transaction(deps, async (deps) => {
    await owners.lockManagedAsset(deps.db, { assetId, userId });
    // After the lock, because a month may have ended while another call held it.
    const now = deps.clock();
    const owned = await owners.ownedPeriods(deps.db, { assetId, userId, now });
    if (!owned) return assetNotFound();
    const problem = priceProblem(cost, owned.currency);
    if (problem) return badPrice(problem);
    if (asked < owned.first_month) return monthBeforeAsset();
    const planned = await firstMonthOfPrice(deps, { assetId, fromMonth: asked });
    const fromMonth = planned ?? asked;
    if (owned.first_open_month === null || fromMonth < owned.first_open_month) return periodClosed('from_month');
    const role = await owners.roleInMonth(deps.db, { assetId, month: fromMonth, userId });
    if (!role) return periodClosed('from_month');
    if (Number(fromMonth.slice(0, 4)) > Number(owned.current_month.slice(0, 4)) + PRICE_YEARS_AHEAD)
      return tooFarAhead(PRICE_YEARS_AHEAD);
    const priceCents = toMinor(cost, owned.currency);
    const highest = await store.highestPrice(deps.db, { assetId, month: fromMonth, now });
    if (highest !== null && priceCents > highest) return onlyLowered();
    const isLowered = async () =>
      priceCents < (await store.lowestPriceOfManagers(deps.db, { assetId, month: fromMonth, now }));
    if (role === 'manager' && (await isLowered())) return loweredByOwner();
    const isOther = await changePriceFrom(deps, { assetId, actorId: userId, fromMonth, priceCents });
    if (isOther && role === 'manager') await noteChange(deps.db, { assetId, userId, kind: 'price', now });
    return ok({
      results: toPrices(await store.readPrices(deps.db, { assetId, userId }), owned),
      next: null,
    });
  });
}

const toPrices = (
  prices: store.StoredPrice[],
  { first_open_month: firstOpen, currency }: owners.OwnedPeriods,
): Price[] =>
  prices.map(({ from_month, price_cents }) => ({
    from_month,
    subscription_cost: toAmount(price_cents, currency),
    open: firstOpen !== null && from_month >= firstOpen,
  }));
