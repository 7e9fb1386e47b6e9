import type {
  Balance,
  BalanceLine,
  Price,
  Settlement,
  SettleRequest,
  SetPriceRequest,
  SplitLine,
  SplitPreview,
  SplitPreviewRequest,
  Statement,
  StatementLine,
} from '@hourshare/contract/costs';
import { toAmount, toCents, toHours } from '@hourshare/contract/fields';
import { LIST_PAGE_SIZE } from '@hourshare/contract/limits';
import type { Deps } from '../../deps.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { fail, ok, type Result } from '../../platform/result.ts';
import { findUser } from '../accounts/service.ts';
import { assetNotFound } from '../assets/errors.ts';
import {
  beforeAsset,
  lineNotFound,
  lineSettled,
  linesChanged,
  markNotAllowed,
  monthClosed,
  monthNotEnded,
  notAMember,
  nothingToSettle,
  severalCurrencies,
  statementNotFound,
} from './errors.ts';
import { netOf, offeredSeconds, splitMonth, underTrial, weights, type MonthToSplit, type Trial } from './rules.ts';
import * as store from './store.ts';

const CLOSED_AT_ONCE = 200;

/** Closes every month whose time for corrections is over, and ends sessions past their limit; what the schedule does. */
export async function closeAllDue(deps: Deps): Promise<void> {
  while ((await store.endSessionsPastLimit(deps.db, deps.clock(), CLOSED_AT_ONCE)) === CLOSED_AT_ONCE);
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
async function closeDue(deps: Deps, which: { userId?: number; assetId?: number }): Promise<void> {
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
        const all = linesOf(of, namesIn(month));
        const there = await store.holdUsers(
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

/** Who has a line, in the order of the lines: the owner, then members by username. */
const namesIn = ({ owner, members }: store.OpenMonth): string[] => [owner, ...members.map(({ username }) => username)];

function linesOf(of: MonthToSplit, names: readonly string[]): (store.NewLine & { userId: number })[] {
  return splitMonth(of).map((line, index) => {
    const member = of.members[index - 1];
    return {
      ...line,
      username: names[index] ?? '',
      allocationHours: member?.allocationHours ?? of.terms.ownerHours,
      usedSeconds: member?.usedSeconds ?? 0,
      days: member?.days ?? 0,
    };
  });
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
  const which = { which: store.thisAsset(assetId), ...(month === undefined ? {} : { month }) };
  const open = await store.openMonths(deps.db, { ...which, now });
  return statementsOf(open, await store.closedMonths(deps.db, which), userId);
}

/** Statements of one month of all that a user owns, or is or was a member of; without a month, of the running one. */
export async function listAllStatements(
  deps: Deps,
  userId: number,
  month?: string,
): Promise<Result<{ results: Statement[]; next: null }>> {
  const now = deps.clock();
  await closeDue(deps, { userId });
  const which = store.assetsOf(userId);
  const open = await store.openMonths(deps.db, { which, month: month ?? store.CURRENT, now });
  const closed = month === undefined ? [] : await store.closedMonths(deps.db, { which, month });
  return ok({ results: statementsOf(open, closed, userId).slice(0, LIST_PAGE_SIZE), next: null });
}

/** Open and closed months as a user may see them; those of which they may see no line are left out. */
function statementsOf(open: store.OpenMonth[], closed: store.ClosedMonth[], userId: number): Statement[] {
  return [
    ...stillOpen(open, closed).map((each) => estimate(each, userId)),
    ...closed.map((each) => closedStatement(each, userId)),
  ].filter(({ lines }) => lines.length > 0);
}

/** What of open months is to be split. Between the two reads one may have been closed. */
function stillOpen(open: store.OpenMonth[], closed: store.ClosedMonth[]): store.OpenMonth[] {
  const keyOf = ({ asset_id, month }: { asset_id: number; month: string }) => `${asset_id}/${month}`;
  const closedKeys = new Set(closed.map(keyOf));
  return open.filter((each) => !each.archived && !closedKeys.has(keyOf(each)));
}

const toSplitLine = (line: store.NewLine): SplitLine => ({
  username: line.username,
  role: line.role,
  used_hours: toHours(line.usedSeconds),
  allocated_hours: line.allocationHours,
  days: line.days,
  amount: toAmount(line.amountCents),
  base_amount: toAmount(line.baseCents),
  odd_cents: line.oddCents,
});

/** What each method divides by. */
function dividersOf(of: MonthToSplit): Pick<Statement, 'offered_hours' | 'allotted_hour_days' | 'shared_days'> {
  const total = (method: 'allocation' | 'equal') => weights(of, method).reduce((sum, weight) => sum + weight, 0);
  return {
    offered_hours: toHours(offeredSeconds(of)),
    allotted_hour_days: total('allocation'),
    shared_days: total('equal'),
  };
}

function estimate(month: store.OpenMonth, userId: number): Statement {
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
    ...dividersOf(toSplit(month)),
    lines: linesOf(toSplit(month), namesIn(month))
      .filter((line) => month.owner_id === userId || line.userId === userId)
      .map((line) => ({ id: null, ...toSplitLine(line), status: null, settled: false })),
  };
}

function closedStatement(month: store.ClosedMonth, userId: number): Statement {
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
    ...dividersOf(triedClosed(month).of),
    offered_hours: toHours(month.offered_seconds),
    lines: month.lines.filter((line) => month.owner_id === userId || line.user_id === userId).map(closedLine),
  };
}

const statusOf = ({ paid, sent, settled }: { paid: boolean; sent: boolean; settled: boolean }) =>
  paid || settled ? 'paid' : sent ? 'sent' : 'due';

const asWritten = (line: store.StoredLine): store.NewLine => ({
  userId: line.user_id,
  username: line.username,
  role: line.role,
  allocationHours: line.allocation_hours,
  usedSeconds: line.used_seconds,
  days: line.days,
  baseCents: line.base_cents,
  oddCents: line.odd_cents,
  amountCents: line.amount_cents,
});

const closedLine = (line: store.StoredLine): StatementLine => ({
  id: line.id,
  ...toSplitLine(asWritten(line)),
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

const PAST_MONTHS_TRIED = 3;

/** A month that other terms are tried on, and how it is split as it stands. */
interface TriedMonth {
  of: MonthToSplit;
  names: string[];
  currency: string;
  lines: store.NewLine[];
}

const triedOpen = (month: store.OpenMonth): TriedMonth => {
  const [of, names] = [toSplit(month), namesIn(month)];
  return { of, names, currency: month.currency, lines: linesOf(of, names) };
};

function triedClosed(month: store.ClosedMonth): TriedMonth {
  const lines = month.lines.map(asWritten);
  const of: MonthToSplit = {
    month: month.month,
    priceCents: month.price_cents,
    terms: { method: month.split_method, basePercent: month.base_percent, ownerHours: month.owner_hours },
    // An account that is gone has no id left: it stands behind those that are there, each apart.
    ownerId: month.owner_id ?? Number.MAX_SAFE_INTEGER,
    members: lines
      .slice(1)
      .map((line, index) => ({ ...line, userId: line.userId ?? Number.MAX_SAFE_INTEGER - 1 - index })),
  };
  return { of, names: lines.map(({ username }) => username), currency: month.currency, lines };
}

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
  const now = deps.clock();
  const asset = await store.assetFor(deps.db, { assetId, userId: ownerId, now });
  if (asset?.owner_id !== ownerId) return assetNotFound();
  const which = store.thisAsset(assetId);
  const opened = await store.openMonths(deps.db, { which, now });
  const closed = await store.closedMonths(deps.db, { which });
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

/**
 * Marks a closed line: its member says that they have sent the money, or takes that back; the owner says that it has
 * come, or takes that back. What a settlement has covered stays.
 */
export function markLine(
  deps: Deps,
  userId: number,
  lineId: number,
  status: 'due' | 'sent' | 'paid',
): Promise<Result<StatementLine>> {
  return inTransaction(deps.db, async (db) => {
    const line = await store.lockLine(db, { lineId, userId });
    if (!line) return lineNotFound();
    const now = statusOf(line);
    if (line.settled) return lineSettled();
    if (now === status) return ok(closedLine(line));
    const isOwner = line.statement_owner === userId;
    // The owner decides whether it is paid; without that, whether it was sent is the member's to say.
    const allowed = isOwner ? status === 'paid' || now === 'paid' : status !== 'paid' && now !== 'paid';
    if (!allowed || (isOwner && status === 'sent' && !line.sent)) return markNotAllowed();
    if (isOwner) await store.setMark(db, lineId, { paid_at: status === 'paid' ? deps.clock() : null });
    else await store.setMark(db, lineId, { sent_at: status === 'sent' ? deps.clock() : null });
    const marked = await store.lockLine(db, { lineId, userId });
    return marked ? ok(closedLine(marked)) : lineNotFound();
  });
}

/** What a user and each other user owe one another, by currency, over all assets and closed months. */
export async function listBalances(deps: Deps, userId: number): Promise<Result<{ results: Balance[]; next: null }>> {
  await closeDue(deps, { userId });
  const balances = new Map<string, store.OwedLine[]>();
  for (const line of await store.openLines(deps.db, userId)) {
    const key = `${line.other_id ?? line.other_name}/${line.currency}`;
    balances.set(key, [...(balances.get(key) ?? []), line]);
  }
  return ok({ results: [...balances.values()].map(toBalance), next: null });
}

function toBalance(lines: store.OwedLine[]): Balance {
  const { owedToUser, owedByUser, net } = netOf(lines.map(toOwed));
  return {
    username: lines[0]?.other_name ?? '',
    they_owe: toAmount(owedToUser),
    you_owe: toAmount(owedByUser),
    net: toAmount(net),
    currency: lines[0]?.currency ?? '',
    lines: lines.map((line) => ({ ...toBalanceLine(line), status: line.sent ? 'sent' : 'due' })),
  };
}

const toOwed = (line: Pick<store.OwedLine, 'amount_cents' | 'owed_to_user'>) => ({
  cents: line.amount_cents,
  owedToUser: line.owed_to_user,
});

const toBalanceLine = (
  line: Pick<store.OwedLine, 'id' | 'asset_id' | 'asset_name' | 'month' | 'amount_cents' | 'owed_to_user'>,
): Omit<BalanceLine, 'status'> => ({
  id: line.id,
  asset_id: line.asset_id,
  asset_name: line.asset_name,
  month: line.month,
  amount: toAmount(line.amount_cents),
  direction: line.owed_to_user ? 'they_owe' : 'you_owe',
});

export async function listSettlements(
  { db }: Deps,
  userId: number,
): Promise<Result<{ results: Settlement[]; next: null }>> {
  const settlements = await store.settlementsOf(db, { userId, limit: LIST_PAGE_SIZE });
  return ok({ results: settlements.map(toSettlement), next: null });
}

const toSettlement = (settlement: store.StoredSettlement): Settlement => ({
  id: settlement.id,
  username: settlement.other_name,
  direction: settlement.paid_by_user ? 'you_paid' : 'they_paid',
  amount: toAmount(settlement.amount_cents),
  currency: settlement.currency,
  settled_at: settlement.settled_at.toISOString(),
  recorded_by: settlement.recorded_by,
  lines: settlement.lines.map(toBalanceLine),
});

/**
 * Records that two users have settled the open lines between them in one currency, in both directions, with one payment
 * of what is left when they are set off against one another. Either of the two may record it, and both see who did.
 */
export async function settle(
  deps: Deps,
  userId: number,
  { username, currency, lines: named }: SettleRequest,
): Promise<Result<Settlement>> {
  await closeDue(deps, { userId });
  const other = await findUser(deps, username);
  return inTransaction(deps.db, async (db) => {
    const there = await store.holdUsers(db, other ? [userId, other.id] : [userId]);
    const found = await store.lockOpenLines(db, {
      userId,
      otherId: other && there.has(other.id) ? other.id : null,
      otherName: username,
    });
    if (found.length === 0 && !other) return fail('user_not_found', { message: `User "${username}" not found` });
    const wanted = new Set(named);
    const lines = found.filter(
      (line) => (currency === undefined || line.currency === currency) && (!named || wanted.has(line.id)),
    );
    if (named && lines.length !== wanted.size) return linesChanged();
    const [first] = lines;
    if (!first) return nothingToSettle();
    if (lines.some((line) => line.currency !== first.currency)) return severalCurrencies();
    const { net } = netOf(lines.map(toOwed));
    const self = { id: userId, name: first.own_name };
    const them = { id: first.other_id, name: first.other_name };
    const settlementId = await store.insertSettlement(db, {
      payer: net < 0 ? self : them,
      payee: net < 0 ? them : self,
      recordedBy: first.own_name,
      amountCents: Math.abs(net),
      currency: first.currency,
      lineIds: lines.map(({ id }) => id),
      now: deps.clock(),
    });
    const [settlement] = await store.settlementsOf(db, { userId, settlementId, limit: 1 });
    return settlement ? ok(toSettlement(settlement)) : nothingToSettle();
  });
}
