import type { Price, SetPriceRequest, SplitPreview, SplitPreviewRequest, Statement } from '@hourshare/contract/costs';
import { Id, Month, toAmount, toCents } from '@hourshare/contract/fields';
import { LIST_PAGE_SIZE } from '@hourshare/contract/limits';
import { z } from 'zod';
import type { Deps } from '../../deps.ts';
import { isUnavailable } from '../../platform/database/failure.ts';
import { holdUsers } from '../../platform/database/hold-users.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { readPage, type Page, type PageRequest } from '../../platform/pages.ts';
import { ok, type Result } from '../../platform/result.ts';
import { assetNotFound } from '../assets/errors.ts';
import { beforeAsset, monthClosed, monthNotEnded, notAMember, statementNotFound } from './errors.ts';
import { monthsSince2000, offeredSeconds, underTrial, type PastMonth, type Trial } from './rules.ts';
import * as store from './store.ts';
import {
  inOrder,
  linesOf,
  namesIn,
  stillOpen,
  toSplit,
  toSplitLine,
  toStatement,
  triedClosed,
  triedOpen,
  type AnyMonth,
} from './wire.ts';

export { closedLine, statusOf } from './wire.ts';

const CLOSED_AT_ONCE = 200;

/** Closes every month whose time for corrections is certainly over; what the schedule does. */
export async function closeAllDue(deps: Deps): Promise<void> {
  const dueBy = await deps.confirmedTime(deps.db);
  let after = 0;
  for (;;) {
    const due = await store.dueAssets(deps.db, { now: dueBy, limit: CLOSED_AT_ONCE, after });
    for (const assetId of due) {
      try {
        // Those that another server is closing at this moment are left to it.
        await closeMonths(deps, assetId, { dueBy, skipLocked: true });
      } catch (error) {
        if (isUnavailable(error)) throw error;
        // One asset's trouble does not keep the others' months open.
        deps.log.error({ err: error, assetId }, 'the months of an asset could not be closed');
      }
    }
    if (due.length < CLOSED_AT_ONCE) return;
    after = due.at(-1) ?? after;
  }
}

/** Closes the months of an asset that have ended, whether or not their time for corrections is over. */
export async function closeEndedMonths(deps: Deps, assetId: number): Promise<void> {
  await closeMonths(deps, assetId, {});
}

/** Before costs are read: the months that somebody's figures, or an asset's, need and that are certainly due are closed. */
export async function closeDue(deps: Deps, whose: { userId: number } | { assetId: number }): Promise<void> {
  const which = 'userId' in whose ? store.assetsOf(whose.userId) : store.thisAsset(whose.assetId);
  const limit = LIST_PAGE_SIZE * 2;
  // Mostly nothing is due even by this clock, and whether it is right need not be asked.
  if ((await store.dueAssets(deps.db, { now: deps.clock(), which, limit: 1 })).length === 0) return;
  const dueBy = await deps.confirmedTime(deps.db);
  for (const assetId of await store.dueAssets(deps.db, { now: dueBy, which, limit }))
    await closeMonths(deps, assetId, { dueBy });
}

/**
 * Closes months of an asset from the first open one on, each once: whoever has the asset's row does it, and those who
 * waited for it find it done. A month that the asset spent archived has nothing to split. Answers how many were closed.
 * All that have ended, unless it is said by when they must have been due or which the last one is.
 */
function closeMonths(
  deps: Deps,
  assetId: number,
  { dueBy, through, skipLocked = false }: { dueBy?: Date; through?: string; skipLocked?: boolean },
): Promise<number> {
  return inTransaction(deps.db, async (db) => {
    const now = deps.clock();
    if (!(await store.lockAsset(db, assetId, { now, skipLocked }))) return 0;
    const open = await store.openMonths(db, { which: store.thisAsset(assetId), now });
    const closing = open
      .filter(({ ended, closes_at: closesAt }) => ended && (dueBy === undefined || closesAt <= dueBy))
      .filter(({ month }) => through === undefined || month <= through)
      .toReversed();
    for (const month of closing) {
      if (!month.archived) {
        const of = toSplit(month);
        const all = linesOf(of, namesIn(month));
        const there = await holdUsers(
          db,
          all.map(({ userId }) => userId),
        );
        const lines = all.map((line) => ({ ...line, userId: there.has(line.userId) ? line.userId : null }));
        await store.insertStatement(db, month, { offeredSeconds: offeredSeconds(of), lines, now });
      }
      await store.monthIsOver(db, assetId, month.month);
    }
    return closing.length;
  });
}

/** The statements of an asset that a user may see, the running month's first. */
export function listStatements(
  deps: Deps,
  userId: number,
  assetId: number,
  request: PageRequest,
): Promise<Result<Page<Statement>>> {
  return readPage(request, {
    key: Month,
    keyOf: ({ month }: AnyMonth) => month,
    toItem: (month) => toStatement(month, userId),
    read: async ({ limit, after }) => {
      const months = await monthsFor(deps, { userId, assetId, before: after, limit });
      return months ? ok(months) : assetNotFound();
    },
  });
}

export async function statement(
  deps: Deps,
  userId: number,
  assetId: number,
  month: string,
): Promise<Result<Statement>> {
  const months = await monthsFor(deps, { userId, assetId, month, limit: 1 });
  if (!months) return assetNotFound();
  return months[0] ? ok(toStatement(months[0], userId)) : statementNotFound();
}

/** Undefined when the asset is none of the user's business. */
async function monthsFor(
  deps: Deps,
  {
    userId,
    assetId,
    ...page
  }: { userId: number; assetId: number; month?: string; before?: string | undefined; limit: number },
): Promise<AnyMonth[] | undefined> {
  const now = deps.clock();
  const asset = await store.assetFor(deps.db, { assetId, userId, now });
  if (!asset) return undefined;
  await closeDue(deps, { assetId });
  const open = await store.openMonths(deps.db, { which: store.thisAsset(assetId), seenBy: userId, ...page, now });
  const closed = await store.closedMonths(deps.db, { which: store.closedIn(assetId), seenBy: userId, ...page });
  return inOrder(open, closed);
}

const MonthKey = z.tuple([Id.nullable(), z.int().min(0)]);

/** Statements of one month of all that a user owns, or is or was a member of; without a month, of the running one. */
export function listAllStatements(
  deps: Deps,
  userId: number,
  { month, ...request }: PageRequest & { month?: string | undefined },
): Promise<Result<Page<Statement>>> {
  return readPage(request, {
    key: MonthKey,
    keyOf: (each: AnyMonth): store.MonthKey => [each.asset_id, 'members' in each ? 0 : each.id],
    toItem: (each) => toStatement(each, userId),
    read: async (page) => {
      const now = deps.clock();
      await closeDue(deps, { userId });
      const running = { which: store.assetsOf(userId), month: month ?? store.CURRENT, seenBy: userId };
      const open = await store.openMonths(deps.db, { ...running, ...page, now });
      const closed =
        month === undefined ? [] : await store.closedMonths(deps.db, { which: store.closedOf(userId), month, ...page });
      return ok(inOrder(open, closed));
    },
  });
}

/** Closes an ended month of an owner's asset, and those before it, before the time for corrections is over. */
export async function closeMonth(
  deps: Deps,
  ownerId: number,
  assetId: number,
  month: string,
): Promise<Result<Statement>> {
  const asset = await ownAsset(deps, ownerId, assetId);
  if (!asset) return assetNotFound();
  if (month < asset.created_month || month > asset.current_month) return statementNotFound();
  if (month === asset.current_month) return monthNotEnded();
  await closeMonths(deps, assetId, { through: month });
  return statement(deps, ownerId, assetId, month);
}

/**
 * The last months of all assets of an owner, or of one that is known to be theirs, by asset and newest first: `count` at
 * most, the running one being the first.
 */
export async function lastMonths(
  deps: Deps,
  { ownerId, assetId, count }: { ownerId: number; assetId?: number; count: number },
): Promise<Map<number, PastMonth[]>> {
  const now = deps.clock();
  await closeDue(deps, assetId === undefined ? { userId: ownerId } : { assetId });
  const which = assetId === undefined ? store.ownedBy(ownerId) : store.thisAsset(assetId);
  const whichClosed = assetId === undefined ? store.closedOfOwner(ownerId) : store.closedIn(assetId);
  const open = await store.openMonths(deps.db, { which, now });
  // Somewhere a month may already have begun that in UTC has not, so none is read too few.
  const since = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - count, 1)).toISOString().slice(0, 7);
  const closed = await store.closedMonths(deps.db, { which: whichClosed, since });
  const last = new Map(open.filter(({ ended }) => !ended).map((each) => [each.asset_id, monthsSince2000(each.month)]));
  const byAsset = new Map<number, PastMonth[]>();
  const add = (id: number, month: string, past: PastMonth) => {
    if (monthsSince2000(month) + count <= (last.get(id) ?? 0)) return;
    const known = byAsset.get(id);
    if (known) known.push(past);
    else byAsset.set(id, [past]);
  };
  for (const each of stillOpen(open, closed))
    add(each.asset_id, each.month, { running: !each.ended, ...triedOpen(each) });
  for (const each of closed)
    if (each.asset_id !== null) add(each.asset_id, each.month, { running: false, ...triedClosed(each) });
  return byAsset;
}

const PAST_MONTHS_TRIED = 3;

/**
 * How the running month and the last ended ones with use are split, and how they would be under other terms. What is
 * not given stays as each month had it. Changes nothing.
 */
export async function previewSplit(
  deps: Deps,
  ownerId: number,
  assetId: number,
  { split_method, base_percent, owner_hours, allocations = {} }: SplitPreviewRequest,
): Promise<Result<{ results: SplitPreview[]; next: null }>> {
  if (!(await ownAsset(deps, ownerId, assetId))) return assetNotFound();
  const opened = await store.openMonths(deps.db, { which: store.thisAsset(assetId), now: deps.clock() });
  const closed = await store.closedMonths(deps.db, {
    which: store.closedIn(assetId),
    withUse: true,
    limit: PAST_MONTHS_TRIED,
  });
  const open = stillOpen(opened, closed);
  const months = [
    ...open.filter(({ ended }) => !ended).map(triedOpen),
    ...[...open.filter(({ ended }) => ended).map(triedOpen), ...closed.map(triedClosed)]
      .filter(({ of }) => of.members.some(({ usedSeconds }) => usedSeconds > 0))
      .slice(0, PAST_MONTHS_TRIED),
  ];
  const hours = new Map(Object.entries(allocations).map(([name, each]) => [name.toLowerCase(), each]));
  const known = new Set(months.flatMap(({ names }) => names.slice(1)).map((name) => name.toLowerCase()));
  const unknown = Object.keys(allocations).find((name) => !known.has(name.toLowerCase()));
  if (unknown !== undefined) return notAMember(unknown);
  const results = months.map(({ of, names, currency, lines }): SplitPreview => {
    const trial: Trial = {
      method: split_method,
      basePercent: base_percent,
      ownerHours: owner_hours,
      allocations: new Map(
        of.members.flatMap(({ userId }, index) => {
          const tried = hours.get(names[index + 1]?.toLowerCase() ?? '');
          return tried === undefined ? [] : [[userId, tried]];
        }),
      ),
    };
    return {
      month: of.month,
      price: toAmount(of.priceCents),
      currency,
      before: lines.map(toSplitLine),
      after: linesOf(underTrial(of, trial), names).map(toSplitLine),
    };
  });
  return ok({ results, next: null });
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
    read: (page) => pricesOf(deps, ownerId, assetId, page),
  });
}

async function pricesOf(
  deps: Deps,
  ownerId: number,
  assetId: number,
  page: { limit?: number; after?: string | undefined } = {},
): Promise<Result<Price[]>> {
  if (!(await ownAsset(deps, ownerId, assetId))) return assetNotFound();
  await closeDue(deps, { assetId });
  const asset = await ownAsset(deps, ownerId, assetId);
  if (!asset) return assetNotFound();
  const prices = await store.pricesOf(deps.db, { assetId, ...page });
  return ok(
    prices.map(({ from_month, price_cents }) => ({
      from_month,
      subscription_cost: toAmount(price_cents),
      open: from_month >= asset.first_open_month,
    })),
  );
}

/** Sets what an owner's asset costs from a month on, which must not be closed. */
export async function setPrice(
  deps: Deps,
  ownerId: number,
  assetId: number,
  { from_month: fromMonth, subscription_cost: cost }: SetPriceRequest,
): Promise<Result<{ results: Price[]; next: null }>> {
  // Asked first without its lock: nobody waits for, or keeps waiting, an asset that is none of their business.
  if (!(await ownAsset(deps, ownerId, assetId))) return assetNotFound();
  await closeDue(deps, { assetId });
  const set = await inTransaction(deps.db, async (db): Promise<Result<undefined>> => {
    const asset = await store.lockAsset(db, assetId, { now: deps.clock() });
    if (asset?.owner_id !== ownerId) return assetNotFound();
    if (fromMonth < asset.created_month) return beforeAsset();
    if (fromMonth < asset.first_open_month) return monthClosed('from_month');
    await store.setPrice(db, { assetId, fromMonth, priceCents: toCents(cost) });
    return ok(undefined);
  });
  if (!set.ok) return set;
  const prices = await pricesOf(deps, ownerId, assetId);
  return prices.ok ? ok({ results: prices.value, next: null }) : prices;
}

async function ownAsset(deps: Deps, ownerId: number, assetId: number): Promise<store.AssetOfCosts | undefined> {
  const asset = await store.assetFor(deps.db, { assetId, userId: ownerId, now: deps.clock() });
  return asset?.owner_id === ownerId ? asset : undefined;
}
