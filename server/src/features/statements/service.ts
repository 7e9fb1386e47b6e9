import type { SplitPreview, SplitPreviewRequest, Statement } from '@hourshare/contract/statements';
import { Id, Month, toAmount } from '@hourshare/contract/fields';
import { LIST_PAGE_SIZE } from '@hourshare/contract/limits';
import { z } from 'zod';
import type { Deps } from '../../deps.ts';
import { codeOf } from '../../platform/database/error-details.ts';
import { isUnavailable } from '../../platform/database/failure.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { readPage, type Page, type PageRequest } from '../../platform/pages.ts';
import { ok, type Result } from '../../platform/result.ts';
import { lockUsers } from '../accounts/service.ts';
import { assetNotFound } from '../assets/errors.ts';
import { markClosed, ownedPeriods } from '../periods/service.ts';
import { monthNotEnded, notAMember, statementNotFound } from './errors.ts';
import { monthsSince2000, offeredSeconds, underTrial, type PastMonth, type Trial } from './rules.ts';
import * as store from './store.ts';
import { linesOf, namesIn, toClosed, toSplit, toSplitLine, toStatement, toTried } from './wire.ts';

export { ofUser } from './store.ts';
export { markedLine, statusOf } from './wire.ts';

const CLOSED_AT_ONCE = 50;

/** SQLSTATE of a statement that took longer than it may. */
const STATEMENT_TIMEOUT = '57014';

/** Closes every period whose time for corrections is certainly over; what the schedule does. */
export async function closeDuePeriods(deps: Deps): Promise<void> {
  const dueBy = await deps.confirmedTime(deps.db);
  let after = 0;
  for (;;) {
    const due = await store.dueAssets(deps.db, { now: dueBy, limit: CLOSED_AT_ONCE, after });
    // Those that another server is closing at this moment are left to it.
    const close = (assetIds: number[]) => closePeriods(deps, assetIds, { dueBy, skipLocked: true });
    try {
      if (due.length > 0) await close(due);
    } catch {
      // One asset's trouble, or too many at once, does not keep the others' periods open.
      for (const assetId of due)
        await close([assetId]).catch((err: unknown) => {
          if (isUnavailable(err) && codeOf(err) !== STATEMENT_TIMEOUT) throw err;
          deps.log.error({ err, assetId }, 'the periods of an asset could not be closed');
        });
    }
    if (due.length < CLOSED_AT_ONCE) return;
    after = due.at(-1) ?? after;
  }
}

/** Before an asset goes, or comes back from the archive, its ended periods are closed in the same transaction. */
export function followAssets({ events }: Deps): void {
  const closeEnded = async (deps: Deps, { assetId }: { assetId: number }) => {
    await closePeriods(deps, [assetId], {});
  };
  events.on('assetRestoring', closeEnded);
  events.on('assetDeleting', closeEnded);
}

/** Before statements are read: the periods that they need and that are certainly due are closed. */
export async function closeDue(deps: Deps, { open: which }: store.Scope): Promise<void> {
  const limit = LIST_PAGE_SIZE * 2;
  // Mostly nothing is due even by this clock, and whether it is right need not be asked.
  if ((await store.dueAssets(deps.db, { now: deps.clock(), which, limit: 1 })).length === 0) return;
  const dueBy = await deps.confirmedTime(deps.db);
  const due = await store.dueAssets(deps.db, { now: dueBy, which, limit });
  if (due.length > 0) await closePeriods(deps, due, { dueBy });
}

/**
 * Closes ended periods of assets, each once: whoever has an asset's row does it, and those who waited for it find it
 * done. Months that an asset spent archived have nothing to split. Closes all that have ended, or only those due by an
 * instant, or those up to a month. Returns what was closed.
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
    const keys = new Set(closing.map(keyOf));
    const periods = await store.readPeriods(db, store.openOf(locked), { ended: true, now });
    const statements = periods
      .filter((period): period is store.OpenPeriod => period.members !== null && keys.has(keyOf(period)))
      .map((period) => {
        const split = toSplit(period);
        return { period, offeredSeconds: offeredSeconds(split), lines: linesOf(split, namesIn(period)) };
      });
    const present = await lockUsers(
      db,
      statements.flatMap(({ lines }) => lines.map(({ userId }) => userId)),
    );
    const written = statements.map((statement) => ({
      ...statement,
      lines: statement.lines.map((line) => ({ ...line, userId: present.has(line.userId) ? line.userId : null })),
    }));
    const ids = written.length === 0 ? [] : await store.insertStatements(db, written, now);
    await markClosed(db, closing, now);
    return written.map((statement) => toClosed(statement, ids));
  });
}

const keyOf = ({ asset_id, month }: { asset_id: number | null; month: string }): string => `${asset_id}/${month}`;

/** The statements of an asset that a user may see, the running month's first. */
export function listStatements(
  deps: Deps,
  userId: number,
  assetId: number,
  request: PageRequest,
): Promise<Result<Page<Statement>>> {
  return readPage(request, {
    key: Month,
    keyOf: ({ month }: store.AnyPeriod) => month,
    toItem: (period) => toStatement(period, userId),
    read: async ({ limit, after }) => {
      const periods = await periodsSeenBy(deps, { userId, assetId, before: after, limit });
      return periods ? ok(periods) : assetNotFound();
    },
  });
}

export async function statement(
  deps: Deps,
  userId: number,
  assetId: number,
  month: string,
): Promise<Result<Statement>> {
  const periods = await periodsSeenBy(deps, { userId, assetId, month, limit: 1 });
  if (!periods) return assetNotFound();
  return periods[0] ? ok(toStatement(periods[0], userId)) : statementNotFound();
}

/** Undefined when the user has, and had, no access to the asset. */
async function periodsSeenBy(
  deps: Deps,
  {
    userId,
    assetId,
    ...page
  }: { userId: number; assetId: number; month?: string; before?: string | undefined; limit: number },
): Promise<store.AnyPeriod[] | undefined> {
  const scope = store.ofAsset(assetId);
  if (!(await store.hasAccess(deps.db, { assetId, userId }))) return undefined;
  await closeDue(deps, scope);
  return store.readPeriods(deps.db, scope, { seenBy: userId, ...page, now: deps.clock() });
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
    keyOf: (period: store.AnyPeriod): store.MonthKey => [period.asset_id, period.lines === null ? 0 : period.id],
    toItem: (period) => toStatement(period, userId),
    read: async (page) => {
      const scope = store.ofUser(userId);
      await closeDue(deps, scope);
      const filter = { month: month ?? store.CURRENT, seenBy: userId, ...page };
      return ok(await store.readPeriods(deps.db, scope, { ...filter, now: deps.clock() }));
    },
  });
}

/** Closes an ended month of an owner's asset, and those before it, before the time for corrections is over. */
export function closeMonth(deps: Deps, ownerId: number, assetId: number, month: string): Promise<Result<Statement>> {
  return inTransaction(deps.db, async (db) => {
    const now = deps.clock();
    const owned = await ownedPeriods(db, { assetId, ownerId, now });
    if (!owned) return assetNotFound();
    if (month < owned.first_month || month > owned.current_month) return statementNotFound();
    if (month === owned.current_month) return monthNotEnded();
    const closed = await closePeriods({ ...deps, db }, [assetId], { through: month });
    const period =
      closed.find((each) => each.month === month) ??
      (await store.readPeriods(db, store.ofAsset(assetId), { month, limit: 1, now }))[0];
    return period ? ok(toStatement(period, ownerId)) : statementNotFound();
  });
}

/**
 * The last months of all assets of an owner, or of one that is known to be theirs, by asset and newest first: `count` at
 * most, the running one being the first.
 */
export async function lastMonths(
  deps: Deps,
  { ownerId, assetId, count }: { ownerId: number; assetId?: number; count: number },
): Promise<Map<number, PastMonth[]>> {
  const scope = assetId === undefined ? store.ofOwner(ownerId) : store.ofAsset(assetId);
  await closeDue(deps, scope);
  const now = deps.clock();
  // Somewhere a month may already have begun that in UTC has not, so none is read too few.
  const since = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - count, 1)).toISOString().slice(0, 7);
  const byAsset = new Map<number, PastMonth[]>();
  for (const period of await store.readPeriods(deps.db, scope, { since, now })) {
    if (period.asset_id === null) continue;
    const { of, names } = toTried(period);
    const known = byAsset.get(period.asset_id) ?? [];
    const newest = known[0]?.of.month ?? period.month;
    if (monthsSince2000(period.month) + count <= monthsSince2000(newest)) continue;
    known.push({ running: !period.ended, partial: period.partial, of, names });
    byAsset.set(period.asset_id, known);
  }
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
  const now = deps.clock();
  if (!(await ownedPeriods(deps.db, { assetId, ownerId, now }))) return assetNotFound();
  const periods = await store.readPeriods(deps.db, store.ofAsset(assetId), { lastUsed: PAST_MONTHS_TRIED, now });
  const [running, ended] = [periods.filter((each) => !each.ended), periods.filter((each) => each.ended)];
  const months = [
    ...running.map(toTried),
    ...ended
      .map(toTried)
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
