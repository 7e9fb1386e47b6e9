import type { Deps } from '../../../deps.ts';
import {
  cycleStartOf,
  hasSameCycles,
  isOtherLength,
  nextRenewal,
  partsOfMonth,
  spreadStart,
  sumOfParts,
  type Plan,
} from '../../assets/plans/service.ts';
import * as store from './store.ts';

/**
 * Calculates what the months of assets with a plan cost: those to come, those that were just added, and those that are open from a
 * given one on. With `changedAt`, records changes of months that have begun.
 */
export async function calculateMonths(
  { db }: Pick<Deps, 'db'>,
  { assetIds, from, now, changedAt }: { assetIds: number[]; from?: string; now: Date; changedAt?: Date | undefined },
): Promise<void> {
  const months = await store.readPlannedMonths(db, { assetIds, now });
  const isAsked = ({ calculated, ended, month }: store.PricedMonth) =>
    !calculated || !ended || (from !== undefined && month >= from);
  const costs = months.flatMap((month) => {
    const { asset_id, plan, ends_on: endsOn, charged } = month;
    if (!month.open || !plan || !isAsked(month)) return [];
    const all = partsOfMonth(plan, month.month, { priceOf: pricesFor(months, month), endsOn });
    // An ended month only gets cheaper, even if the asset has been restored since.
    const parts = charged ? all.filter(({ cycle_from: from }) => charged.includes(from)) : all;
    return [{ asset_id, month: month.month, price_cents: sumOfParts(parts), price_parts: parts }];
  });
  await store.writeCosts(db, costs, changedAt);
}

/** Returns the months of an asset that have the cycles of one of them. */
const withSameCycles = (months: readonly store.PricedMonth[], one: store.PricedMonth): store.PricedMonth[] =>
  months.filter(
    ({ asset_id: assetId, plan }) => assetId === one.asset_id && plan !== null && hasSameCycles(plan, one.plan),
  );

/** Returns how to find the price of a cycle: that of the month in which it starts, or of the first one with such cycles. */
function pricesFor(months: readonly store.PricedMonth[], one: store.PricedMonth): (cycleFrom: string) => number {
  const known = withSameCycles(months, one);
  return (cycleFrom) => (known.find(({ month }) => month >= cycleFrom.slice(0, 7)) ?? one).cycle_cents;
}

/**
 * Sets how the price of an asset spreads over its months, from the current one on. The caller calculates what they cost. With
 * `changedAt`, records what the running month cost before it was no longer planned.
 */
export async function changePlan(
  deps: Deps,
  {
    assetId,
    plan,
    ...change
  }: { assetId: number; plan: Plan | null; priceCents: number | undefined; changedAt?: Date },
): Promise<void> {
  const now = deps.clock();
  const months = await store.readPlannedMonths(deps.db, { assetIds: [assetId], now });
  const current = months.find((month) => month.current);
  const since = current && (withSameCycles(months, current)[0]?.month ?? current.month);
  const spreadFrom =
    plan && current?.plan && since ? spreadStart(plan, current.plan, { month: current.month, since }) : null;
  await store.setPlan(deps.db, {
    assetId,
    plan: plan && { ...plan, spreadFrom },
    isOtherLength: isOtherLength(current?.plan ?? null, plan),
    ...change,
    now,
  });
}

/**
 * Returns the first month from which an asset with a plan can have another price: the one asked for, or the earliest. A price starts
 * with a cycle, and a cycle keeps its price once one of its months has ended. Undefined without a plan.
 */
export async function firstMonthOfPrice(
  deps: Deps,
  { assetId, fromMonth }: { assetId: number; fromMonth: string | undefined },
): Promise<string | undefined> {
  const months = await store.readPlannedMonths(deps.db, { assetIds: [assetId], now: deps.clock() });
  const current = months.find((month) => month.current);
  if (!current?.plan) return undefined;
  const { cycle } = current.plan;
  const oldest = withSameCycles(months, current)[0]?.month ?? current.month;
  const startOf = (date: string) => (cycle ? cycleStartOf(cycle, date) : date).slice(0, 7);
  const startIn = (month: string) => {
    const isFirst = month === oldest || startOf(`${month}-01`) === month;
    return isFirst || !cycle ? month : nextRenewal(cycle, `${month}-01`).slice(0, 7);
  };
  const running = [startOf(`${current.month}-01`), oldest].toSorted()[1] ?? current.month;
  const first = months.find(({ month }) => month === running);
  const asked = fromMonth ?? (first?.open && !first.ended ? running : current.month);
  return fromMonth !== undefined && fromMonth < oldest ? fromMonth : startIn(asked);
}

/** Sets the price of cycles from a month on, up to which periods exist. */
export async function setCyclePrice(
  deps: Deps,
  { assetId, month, priceCents }: { assetId: number; month: string; priceCents: number },
): Promise<void> {
  const now = deps.clock();
  await store.setCyclePrice(deps.db, { assetId, month, priceCents });
  await calculateMonths(deps, { assetIds: [assetId], from: month, now, changedAt: now });
}
