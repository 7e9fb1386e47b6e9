import type {
  ClaimEstimate,
  OfferEstimate,
  SplitPreview,
  SplitPreviewRequest,
  Statement,
} from '@hourshare/contract/statements';
import { Id, Month, toHours } from '@hourshare/contract/fields';
import { toAmount, toMinor } from '@hourshare/contract/money';
import { LIST_PAGE_SIZE } from '@hourshare/contract/limits';
import { z } from 'zod';
import { SENTENCES } from '@hourshare/contract/sentences';
import type { Deps } from '../../deps.ts';
import { codeOf } from '../../platform/database/error-details.ts';
import { isUnavailable } from '../../platform/database/failure.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { readPage, type Page, type PageRequest } from '../../platform/pages.ts';
import { ok, type Result } from '../../platform/result.ts';
import { lockUsers } from '../users/service.ts';
import { assetNotFound, ownerOnly } from '../assets/errors.ts';
import { noteChange, removeDeletedAssets } from '../assets/service.ts';
import { appendEvent } from '../outbox/service.ts';
import { periodClosed } from '../periods/errors.ts';
import { areConfirmed, confirmPeriod, markClosed } from '../periods/window/service.ts';
import { endPeriods } from '../periods/upkeep/service.ts';
import { followsOthersMonth, ownedPeriods, roleInMonth } from '../periods/owners/service.ts';
import { shareNotFound } from '../shares/errors.ts';
import { hasEditOfCoManager, hasOpenObjection, upholdObjections } from '../sessions/objections/service.ts';
import { handOverDue } from '../shares/handovers/service.ts';
import { findClaimedPerson } from '../shares/people/service.ts';
import { sharedAsset } from '../shares/service.ts';
import { membersMayEdit, monthNotEnded, notAMember, objectionsOpen, statementNotFound } from './errors.ts';
import {
  applyTrial,
  estimateOffer,
  monthsSince2000,
  offeredSeconds,
  usedSeconds,
  type PastPeriod,
  type Trial,
} from './rules.ts';
import * as store from './store.ts';
import {
  participantNames,
  splitLines,
  toClosedPeriod,
  toPeriodSplit,
  toPeriodToSplit,
  toSplitLine,
  toStatement,
} from './wire.ts';

export { userScope } from './store.ts';
export { isCovered, lineStatus, toMarkedLine } from './wire.ts';

/** The number of assets whose periods are closed in one transaction. */
const BATCH_SIZE = 50;

/** The SQLSTATE of a statement that timed out. */
const STATEMENT_TIMEOUT = '57014';

/** Closes every period whose time for corrections has certainly passed. Run by the schedule. */
export async function closeDuePeriods(deps: Deps): Promise<void> {
  // First, because a closed month keeps its owner: the server may have been off for longer than that takes.
  await handOverDue(deps);
  const dueBy = await deps.confirmedTime(deps.db);
  let after = 0;
  for (;;) {
    const due = await store.dueAssets(deps.db, { now: dueBy, limit: BATCH_SIZE, after });
    // Skips what another server is closing at the same time.
    const close = (assetIds: number[]) => closePeriods(deps, assetIds, { dueBy, skipLocked: true });
    try {
      if (due.length > 0) await close(due);
    } catch {
      // Retries one by one, so that an asset that fails, or a batch too large, doesn't keep the others open.
      for (const assetId of due)
        await close([assetId]).catch((err: unknown) => {
          if (isUnavailable(err) && codeOf(err) !== STATEMENT_TIMEOUT) throw err;
          deps.log.error({ err, assetId }, 'the periods of an asset could not be closed');
        });
    }
    if (due.length < BATCH_SIZE) return;
    after = due.at(-1) ?? after;
  }
}

/** Registers what Prometheus learns about months. */
export function defineMetrics({ db, clock, metrics }: Deps): void {
  metrics.gauge('hourshare_months_overdue', 'Months of assets that should have closed and are still open.', () =>
    store.countDue(db, clock()),
  );
}

/** Ends the running period of an asset in the transaction that deletes it. With nothing left to close, the asset goes at once. */
export function handleAssetEvents({ events }: Deps): void {
  events.on('assetDeleted', async (deps, { assetId, now }) => {
    await endPeriods(deps.db, assetId, now);
    await removeDeletedAssets(deps, [assetId]);
  });
}

/** Replaces the name of a deleted account that chose to hide it. */
export function handleAccountEvents({ events }: Deps): void {
  events.on('accountDeleting', async ({ db }, { userId, names }) => {
    if (names) await store.hideName(db, userId, names);
  });
}

/**
 * Closes due periods of a scope. Reads of statements call it first, so that what they show is final. No read waits for more than a
 * batch: the others stay estimates until the schedule or the next read closes them.
 */
export async function closeDueInScope(deps: Deps, { open: condition }: store.Scope): Promise<void> {
  // Usually nothing is due even by this clock, which saves confirming the time.
  if ((await store.dueAssets(deps.db, { now: deps.clock(), condition, limit: 1 })).length === 0) return;
  const dueBy = await deps.confirmedTime(deps.db);
  const due = await store.dueAssets(deps.db, { now: dueBy, condition, limit: BATCH_SIZE });
  if (due.length > 0) await closePeriods(deps, due, { dueBy });
}

/**
 * Closes ended periods of assets, all or up to an instant or a month, and returns them without those that have nothing to
 * split: months spent archived, or neither billed nor used. The lock on an asset's row makes sure that each is closed once. The last
 * one of a deleted asset takes the asset with it.
 */
function closePeriods(
  deps: Deps,
  assetIds: number[],
  { dueBy, through, skipLocked = false }: { dueBy?: Date; through?: string; skipLocked?: boolean },
): Promise<store.ClosedPeriod[]> {
  return inTransaction(deps.db, async (db) => {
    const now = deps.clock();
    const locked = await store.lockAssets(db, assetIds, { skipLocked });
    const closing = (await store.endedOpenPeriods(db, locked, now)).filter(
      ({ month, closes_at: closesAt }) =>
        (dueBy === undefined || closesAt <= dueBy) && (through === undefined || month <= through),
    );
    if (closing.length === 0) return [];
    // Locked before anything is read, so that none of these accounts is deleted or renamed between reading and writing.
    const existing = await lockUsers(db, await store.participantIds(db, locked));
    // First, because it changes the use that is split.
    await upholdObjections({ ...deps, db }, closing);
    const keys = new Set(closing.map(periodKey));
    const periods = await store.readPeriods(db, store.openScope(locked), { ended: true, now });
    const statements = periods
      .filter((period): period is store.OpenPeriod => period.members !== null && keys.has(periodKey(period)))
      .filter(({ unbilled, members }) => !unbilled || usedSeconds({ members }) > 0)
      .map((period) => {
        const periodToSplit = toPeriodToSplit(period);
        const places = [period.owner_id, ...period.members.map(({ userId }) => userId)].toSorted((a, b) => a - b);
        const lines = splitLines(periodToSplit, participantNames(period)).map((line, index) => {
          const { shareId = null, objectedAt = null } = period.members[index - 1] ?? {};
          const place = places.indexOf(line.userId);
          return { ...line, shareId, objectedAt: line.amountCents > 0 ? objectedAt : null, place };
        });
        return { period, offeredSeconds: offeredSeconds(periodToSplit), lines };
      });
    const written = statements.map((statement) => ({
      ...statement,
      lines: statement.lines.map((line) => ({ ...line, userId: existing.has(line.userId) ? line.userId : null })),
    }));
    const ids = written.length === 0 ? [] : await store.insertStatements(db, written, now);
    await markClosed(db, closing, now);
    for (const { asset_id: assetId, month } of closing) {
      const statement = written.find(({ period }) => period.asset_id === assetId && period.month === month);
      const userIds = statement?.lines.flatMap(({ userId }) => userId ?? []) ?? [];
      const row = ids.find((each) => each.asset_id === assetId && each.month === month);
      const facts = { month, statement_id: row?.statement_id ?? null };
      await appendEvent({ ...deps, db }, 'period.closed', { assetId, userIds }, facts);
    }
    const removed = await removeDeletedAssets({ ...deps, db }, locked);
    return written.map((statement) => toClosedPeriod(statement, ids, { removed, now }));
  });
}

const periodKey = ({ asset_id, month }: { asset_id: number | null; month: string }): string => `${asset_id}/${month}`;

/** Returns the statements of an asset that a user may see, the running month's first. */
export function listStatements(
  deps: Deps,
  userId: number,
  assetId: number,
  request: PageRequest,
): Promise<Result<Page<Statement>>> {
  return readPage(request, {
    key: Month,
    keyOf: ({ month }: Statement) => month,
    toItem: (statement) => statement,
    read: async ({ limit, after }) => {
      const statements = await readVisibleStatements(deps, { userId, assetId, before: after, limit });
      return statements ? ok(statements) : assetNotFound();
    },
  });
}

/** Returns an asset's statement of one month, `YYYY-MM`, as a user may see it. */
export async function readStatement(
  deps: Deps,
  userId: number,
  assetId: number,
  month: string,
): Promise<Result<Statement>> {
  const statements = await readVisibleStatements(deps, { userId, assetId, month, limit: 1 });
  if (!statements) return assetNotFound();
  return statements[0] ? ok(statements[0]) : statementNotFound();
}

/** Returns an asset's statements as a user may see them; undefined if they have never had access to the asset. */
async function readVisibleStatements(
  deps: Deps,
  {
    userId,
    assetId,
    ...page
  }: { userId: number; assetId: number; month?: string; before?: string | undefined; limit: number },
): Promise<Statement[] | undefined> {
  const scope = store.assetScope(assetId);
  if (!(await store.hasStatements(deps.db, { assetId, userId }))) return undefined;
  await closeDueInScope(deps, scope);
  const periods = await store.readPeriods(deps.db, scope, { seenBy: userId, ...page, now: deps.clock() });
  return periods.map((period) => toStatement(period, userId));
}

const MonthKey = z.tuple([Id.nullable(), z.int().min(0)]);

/**
 * Returns one month's statements of all assets that a user owns, is or was a member of, or either; by default the current
 * month's.
 */
export function listAllStatements(
  deps: Deps,
  userId: number,
  { month, role, ...request }: PageRequest & { month?: string | undefined; role?: 'owner' | 'member' | undefined },
): Promise<Result<Page<Statement>>> {
  return readPage(request, {
    key: MonthKey,
    keyOf: (period: store.AnyPeriod): store.MonthKey => [period.asset_id, period.lines === null ? 0 : period.id],
    toItem: (period) => toStatement(period, userId),
    read: async (page) => {
      const scope = store.userScope(userId, role);
      await closeDueInScope(deps, scope);
      const filter = { month: month ?? store.CURRENT, seenBy: userId, ...page };
      return ok(await store.readPeriods(deps.db, scope, { ...filter, now: deps.clock() }));
    },
  });
}

/** Returns the statements of all closed months in which a user has a line, in the order in which they were closed. */
export function listClosedStatements(
  deps: Deps,
  userId: number,
  request: PageRequest,
): Promise<Result<Page<Statement>>> {
  return readPage(request, {
    key: Id,
    keyOf: ({ id }: store.ClosedPeriod) => id,
    toItem: (period) => toStatement(period, userId),
    read: async (page) => {
      const ids = await store.closedStatementIds(deps.db, { userId, ...page });
      const periods = await store.readPeriods(deps.db, store.statementScope(ids), { now: deps.clock() });
      const closed = periods.filter((period) => period.lines !== null);
      return ok(closed.toSorted((one, another) => one.id - another.id));
    },
  });
}

/**
 * Records that a member has nothing to edit in an ended month. Returns its statement. Editing a session of that month
 * withdraws it.
 */
export async function confirmMonth(
  deps: Deps,
  memberId: number,
  assetId: number,
  month: string,
): Promise<Result<Statement>> {
  if (!(await store.hasStatements(deps.db, { assetId, userId: memberId }))) return assetNotFound();
  await closeDueInScope(deps, store.assetScope(assetId));
  const now = deps.clock();
  const confirmed = await inTransaction(deps.db, async (db) => {
    if (!(await confirmPeriod(db, { assetId, month, memberId, now }))) return false;
    await appendEvent({ ...deps, db }, 'period.confirmed', { assetId, actorId: memberId }, { month });
    return true;
  });
  const [period] = await store.readPeriods(deps.db, store.assetScope(assetId), {
    month,
    seenBy: memberId,
    limit: 1,
    now,
  });
  if (!period) return statementNotFound();
  if (confirmed) return ok(toStatement(period, memberId));
  return period.lines !== null ? periodClosed() : period.ended ? statementNotFound() : monthNotEnded();
}

/**
 * Closes an ended month of an asset that a user manages, and all open ones before it, early if no member has anything to edit. A
 * co-manager can't while the owner may still object to a co-manager's edit. Returns its statement.
 */
export function closeMonth(deps: Deps, userId: number, assetId: number, month: string): Promise<Result<Statement>> {
  return inTransaction(deps.db, async (db) => {
    const now = deps.clock();
    const find = () => ownedPeriods(db, { assetId, userId, now, deleted: true });
    if (!(await find())) return assetNotFound();
    await store.lockAssets(db, [assetId]);
    // Checked again, because the user may have stopped being a co-manager during the wait for the lock.
    const owned = await find();
    if (!owned) return assetNotFound();
    if (month < owned.first_month || month > owned.current_month) return statementNotFound();
    const role = await roleInMonth(db, { assetId, month, userId });
    if (!role) return statementNotFound();
    if (month === owned.current_month && !owned.ended) return monthNotEnded();
    const [before] = await store.readPeriods(db, store.assetScope(assetId), { month, limit: 1, now });
    // Such as a month that the asset was archived throughout. Closing it would close those before it.
    if (!before) return statementNotFound();
    // Those months would be closed along with it.
    if (await followsOthersMonth(db, { assetId, month })) return membersMayEdit();
    if (role === 'manager' && (await hasEditOfCoManager(db, { assetId, month, now })))
      return ownerOnly(SENTENCES.closeByOwner);
    if (!(await areConfirmed(db, { assetId, month, now }))) return membersMayEdit();
    if (await hasOpenObjection(db, { assetId, month, now })) return objectionsOpen();
    if (role === 'manager' && before.lines === null) await noteChange(db, { assetId, userId, kind: 'closed', now });
    const closed = await closePeriods({ ...deps, db }, [assetId], { through: month });
    const period = closed.find((each) => each.month === month) ?? before;
    // A month that is neither billed nor used closes without a statement, which is answered as it last was.
    return ok({ ...toStatement(period, period.owner_id ?? userId), closed: true });
  });
}

/**
 * Returns up to `count` periods of each asset that a user owns, or of one that they are known to manage, newest first. The
 * running one counts as the first.
 */
export async function readRecentPeriods(
  deps: Deps,
  { userId, assetId, count }: { userId: number; assetId?: number; count: number },
): Promise<Map<number, PastPeriod[]>> {
  const scope = store.ownerScope(userId, assetId);
  await closeDueInScope(deps, scope);
  const now = deps.clock();
  // Reads one month more, because the next one may have begun in the asset's zone but not yet in UTC.
  const firstMonth = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - count, 1)).toISOString().slice(0, 7);
  const byAsset = new Map<number, PastPeriod[]>();
  for (const period of await store.readPeriods(deps.db, scope, { since: firstMonth, now })) {
    if (period.asset_id === null) continue;
    const split = toPeriodSplit(period);
    const periods = byAsset.get(period.asset_id) ?? [];
    const newest = periods[0]?.month ?? period.month;
    if (monthsSince2000(period.month) + count <= monthsSince2000(newest)) continue;
    periods.push({ ...split.period, running: !period.ended, partial: period.partial, names: split.names });
    byAsset.set(period.asset_id, periods);
  }
  return byAsset;
}

const PREVIEWED_PAST_PERIODS = 3;

/**
 * Returns how the running month and the last ended ones with use are split, and how they would be under other terms.
 * Omitted terms stay as each month had them; nothing is saved.
 */
export async function previewSplit(
  deps: Deps,
  userId: number,
  assetId: number,
  { split_method, base_percent, owner_hours, allocations = {} }: SplitPreviewRequest,
): Promise<Result<{ results: SplitPreview[]; next: null }>> {
  const now = deps.clock();
  if (!(await ownedPeriods(deps.db, { assetId, userId, now }))) return assetNotFound();
  const periods = await store.readPeriods(deps.db, store.ownerScope(userId, assetId), {
    lastUsed: PREVIEWED_PAST_PERIODS,
    now,
  });
  const running = periods.filter(({ ended }) => !ended).map(toPeriodSplit);
  const ended = periods
    .filter((period) => period.ended)
    .map(toPeriodSplit)
    .filter(({ period }) => usedSeconds(period) > 0)
    .slice(0, PREVIEWED_PAST_PERIODS);
  const splits = [...running, ...ended];
  const hoursByName = new Map(Object.entries(allocations).map(([name, hours]) => [name.toLowerCase(), hours]));
  const members = new Set(splits.flatMap(({ names }) => names.slice(1)).map((name) => name.toLowerCase()));
  const stranger = Object.keys(allocations).find((name) => !members.has(name.toLowerCase()));
  if (stranger !== undefined) return notAMember(stranger);
  const results = splits.map(({ period, names, currency, lines }): SplitPreview => {
    const trial: Trial = {
      method: split_method,
      basePercent: base_percent,
      ownerHours: owner_hours,
      allocations: new Map(
        period.members.flatMap(({ userId }, index) => {
          const hours = hoursByName.get(names[index + 1]?.toLowerCase() ?? '');
          return hours === undefined ? [] : [[userId, hours]];
        }),
      ),
    };
    return {
      month: period.month,
      price: toAmount(period.priceCents, currency),
      currency,
      before: lines.map((line) => toSplitLine(line, { month: period.month, currency })),
      after: splitLines(applyTrial(period, trial), names).map((line) =>
        toSplitLine(line, { month: period.month, currency }),
      ),
    };
  });
  return ok({ results, next: null });
}

/** Returns about what an offered asset would have cost its member in the last ended month, or in the running one. */
export async function offerEstimate(deps: Deps, memberId: number, shareId: number): Promise<Result<OfferEstimate>> {
  const share = await sharedAsset(deps, memberId, shareId);
  if (!share.ok) return share;
  const { offer, asset, monthly_hours_allocated: allocationHours } = share.value;
  if (offer === null) return shareNotFound();
  const { price, currency, split_method: method, base_percent: basePercent, owner_hours: ownerHours } = offer;
  const periods = await store.readPeriods(deps.db, store.assetScope(asset.id), { limit: 2, now: deps.clock() });
  const period = periods.find(({ ended }) => ended) ?? periods[0];
  if (!period) return ok({ month: null, amount: null, currency, used_hours: 0, price });
  const { amountCents, usedSeconds: used } = estimateOffer(
    { ...toPeriodSplit(period).period, running: !period.ended },
    {
      memberId,
      allocationHours,
      priceCents: toMinor(price, currency),
      terms: { method, basePercent, ownerHours },
    },
  );
  return ok({
    month: period.month,
    amount: toAmount(amountCents, currency),
    currency,
    used_hours: toHours(used),
    price,
  });
}

/** Returns about what the open months would cost the person whom a claim is about so far, to anyone who has the link. */
export async function claimEstimate(deps: Deps, token: string): Promise<Result<ClaimEstimate>> {
  const person = await findClaimedPerson(deps, token);
  if (!person.ok) return person;
  const filter = { seenBy: person.value, limit: LIST_PAGE_SIZE, now: deps.clock() };
  const periods = await store.readPeriods(deps.db, store.openMemberScope(person.value), filter);
  const months = periods.flatMap((period) =>
    toStatement(period, person.value).lines.map(({ amount }) => ({
      asset_name: period.asset_name,
      month: period.month,
      ended: period.ended,
      amount,
      currency: period.currency,
    })),
  );
  return ok({ months });
}
