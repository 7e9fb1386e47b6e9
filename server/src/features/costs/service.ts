import type { Price, SetPriceRequest, Statement, StatementLine } from '@hourshare/contract/costs';
import { toAmount, toCents, toHours } from '@hourshare/contract/fields';
import { LIST_PAGE_SIZE } from '@hourshare/contract/limits';
import type { Deps } from '../../deps.ts';
import { holdUsers } from '../../platform/database/hold-users.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { ok, type Result } from '../../platform/result.ts';
import { assetNotFound } from '../assets/errors.ts';
import { beforeAsset, monthClosed, monthNotEnded, statementNotFound } from './errors.ts';
import { offeredSeconds, splitMonth, type MonthToSplit } from './rules.ts';
import * as store from './store.ts';

const CLOSED_AT_ONCE = 200;

/** Closes every month whose time for corrections is over; what the schedule does. */
export async function closeAllDue(deps: Deps): Promise<void> {
  for (;;) {
    const due = await store.dueAssets(deps.db, { now: deps.clock(), limit: CLOSED_AT_ONCE });
    let closed = 0;
    for (const assetId of due) closed += await closeMonths(deps, assetId, { only: 'due', skipLocked: true });
    // Those that another server is closing at this moment are left to it.
    if (due.length < CLOSED_AT_ONCE || closed === 0) return;
  }
}

/** Closes the months of an asset that have ended, whether or not their time for corrections is over. */
export async function closeEndedMonths(deps: Deps, assetId: number): Promise<void> {
  await closeMonths(deps, assetId, { only: 'ended' });
}

/** Before costs are read: the months that somebody's figures need and that are due are closed. */
export async function closeDue(deps: Deps, which: { userId?: number; assetId?: number }): Promise<void> {
  const due = await store.dueAssets(deps.db, { now: deps.clock(), limit: LIST_PAGE_SIZE * 2, ...which });
  for (const assetId of due) await closeMonths(deps, assetId, { only: 'due' });
}

/**
 * Closes months of an asset from the first open one on, each once: whoever has the asset's row does it, and those who
 * waited for it find it done. A month that the asset spent archived has nothing to split. Answers how many were closed.
 */
function closeMonths(
  deps: Deps,
  assetId: number,
  { only, through, skipLocked = false }: { only: 'due' | 'ended'; through?: string; skipLocked?: boolean },
): Promise<number> {
  return inTransaction(deps.db, async (db) => {
    const now = deps.clock();
    if (!(await store.lockAsset(db, assetId, { now, skipLocked }))) return 0;
    const open = await store.openMonths(db, { which: store.thisAsset(assetId), now });
    const closing = open
      .filter(({ due, ended, month }) => (only === 'due' ? due : ended) && (through === undefined || month <= through))
      .toReversed();
    for (const month of closing) {
      if (!month.archived) {
        const of = toSplit(month);
        const all = linesOf(month);
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

const toSplit = (month: store.OpenMonth): MonthToSplit => ({
  month: month.month,
  priceCents: month.price_cents,
  terms: { method: month.split_method, basePercent: month.base_percent, ownerHours: month.owner_hours },
  ownerId: month.owner_id,
  members: month.members,
});

/** The lines of a month as it stands: the owner's first, then members by username. */
function linesOf(month: store.OpenMonth): (store.NewLine & { userId: number })[] {
  return splitMonth(toSplit(month)).map((line, index) => {
    const member = month.members[index - 1];
    return {
      ...line,
      username: member?.username ?? month.owner,
      allocationHours: member?.allocationHours ?? month.owner_hours,
      usedSeconds: member?.usedSeconds ?? 0,
      days: member?.days ?? 0,
    };
  });
}

interface Viewer {
  userId: number;
  isOwner: boolean;
}

/** The statements of an asset that a user may see, the running month's first. */
export async function listStatements(
  deps: Deps,
  userId: number,
  assetId: number,
): Promise<Result<{ results: Statement[]; next: null }>> {
  const statements = await statementsFor(deps, { userId, assetId });
  return statements ? ok({ results: statements.slice(0, LIST_PAGE_SIZE), next: null }) : assetNotFound();
}

export async function statement(
  deps: Deps,
  userId: number,
  assetId: number,
  month: string,
): Promise<Result<Statement>> {
  const statements = await statementsFor(deps, { userId, assetId, month });
  if (!statements) return assetNotFound();
  return statements[0] ? ok(statements[0]) : statementNotFound();
}

/** Undefined when the asset is none of the user's business. */
async function statementsFor(
  deps: Deps,
  { userId, assetId, month }: { userId: number; assetId: number; month?: string },
): Promise<Statement[] | undefined> {
  const now = deps.clock();
  const asset = await store.assetFor(deps.db, { assetId, userId, now });
  if (!asset) return undefined;
  await closeDue(deps, { assetId });
  const viewer = { userId, isOwner: asset.owner_id === userId };
  const one = month === undefined ? {} : { month };
  const open = await store.openMonths(deps.db, { which: store.thisAsset(assetId), now, ...one });
  const closed = await store.closedMonths(deps.db, { assetId, ...one });
  return [
    ...open.filter(({ archived }) => !archived).map((each) => estimate(each, viewer)),
    ...closed.map((each) => closedStatement(each, viewer)),
  ].filter(({ lines }) => lines.length > 0);
}

function estimate(month: store.OpenMonth, { userId, isOwner }: Viewer): Statement {
  return {
    asset_id: month.asset_id,
    asset_name: month.asset_name,
    owner: month.owner,
    month: month.month,
    ended: month.ended,
    closed: false,
    closes_at: month.closes_at.toISOString(),
    price: toAmount(month.price_cents),
    currency: month.currency,
    split_method: month.split_method,
    base_percent: month.base_percent,
    owner_hours: month.owner_hours,
    offered_hours: toHours(offeredSeconds(toSplit(month))),
    lines: linesOf(month)
      .filter((line) => isOwner || line.userId === userId)
      .map((line) => ({
        id: null,
        username: line.username,
        role: line.role,
        used_hours: toHours(line.usedSeconds),
        allocated_hours: line.allocationHours,
        days: line.days,
        amount: toAmount(line.amountCents),
        base_amount: toAmount(line.baseCents),
        odd_cents: line.oddCents,
        status: null,
        settled: false,
      })),
  };
}

function closedStatement(month: store.ClosedMonth, { userId, isOwner }: Viewer): Statement {
  return {
    asset_id: month.asset_id,
    asset_name: month.asset_name,
    owner: month.owner,
    month: month.month,
    ended: true,
    closed: true,
    closes_at: month.closes_at.toISOString(),
    price: toAmount(month.price_cents),
    currency: month.currency,
    split_method: month.split_method,
    base_percent: month.base_percent,
    owner_hours: month.owner_hours,
    offered_hours: toHours(month.offered_seconds),
    lines: month.lines.filter((line) => isOwner || line.user_id === userId).map(closedLine),
  };
}

/** Whether a closed line is due, sent or paid. */
export const statusOf = ({ paid, sent, settled }: { paid: boolean; sent: boolean; settled: boolean }) =>
  paid || settled ? 'paid' : sent ? 'sent' : 'due';

/** A closed line as it is told. */
export const closedLine = (line: store.StoredLine): StatementLine => ({
  id: line.id,
  username: line.username,
  role: line.role,
  used_hours: toHours(line.used_seconds),
  allocated_hours: line.allocation_hours,
  days: line.days,
  amount: toAmount(line.amount_cents),
  base_amount: toAmount(line.base_cents),
  odd_cents: line.odd_cents,
  status: line.role === 'owner' ? null : statusOf(line),
  settled: line.settled,
});

/** Closes an ended month of an owner's asset, and those before it, before the time for corrections is over. */
export async function closeMonth(
  deps: Deps,
  ownerId: number,
  assetId: number,
  month: string,
): Promise<Result<Statement>> {
  const asset = await store.assetFor(deps.db, { assetId, userId: ownerId, now: deps.clock() });
  if (asset?.owner_id !== ownerId) return assetNotFound();
  if (month < asset.created_month || month > asset.current_month) return statementNotFound();
  if (month === asset.current_month) return monthNotEnded();
  await closeMonths(deps, assetId, { only: 'ended', through: month });
  return statement(deps, ownerId, assetId, month);
}

/** What an owner's asset costs, from which month on, oldest first. */
export async function listPrices(
  deps: Deps,
  ownerId: number,
  assetId: number,
): Promise<Result<{ results: Price[]; next: null }>> {
  const about = { assetId, userId: ownerId, now: deps.clock() };
  if ((await store.assetFor(deps.db, about))?.owner_id !== ownerId) return assetNotFound();
  await closeDue(deps, { assetId });
  const asset = await store.assetFor(deps.db, about);
  if (!asset) return assetNotFound();
  const prices = await store.pricesOf(deps.db, assetId);
  return ok({
    results: prices.map(({ from_month, price_cents }) => ({
      from_month,
      subscription_cost: toAmount(price_cents),
      open: from_month >= asset.first_open_month,
    })),
    next: null,
  });
}

/** Sets what an owner's asset costs from a month on, which must not be closed. */
export async function setPrice(
  deps: Deps,
  ownerId: number,
  assetId: number,
  { from_month: fromMonth, subscription_cost: cost }: SetPriceRequest,
): Promise<Result<{ results: Price[]; next: null }>> {
  const before = await listPrices(deps, ownerId, assetId);
  if (!before.ok) return before;
  const set = await inTransaction(deps.db, async (db): Promise<Result<undefined>> => {
    const asset = await store.lockAsset(db, assetId, { now: deps.clock() });
    if (asset?.owner_id !== ownerId) return assetNotFound();
    if (fromMonth < asset.created_month) return beforeAsset();
    if (fromMonth < asset.first_open_month) return monthClosed('from_month');
    await store.setPrice(db, { assetId, fromMonth, priceCents: toCents(cost) });
    return ok(undefined);
  });
  return set.ok ? listPrices(deps, ownerId, assetId) : set;
}
