import { averageMonth } from '@hourshare/contract/cycles';
import { Id, Month } from '@hourshare/contract/fields';
import type { Statement } from '@hourshare/contract/statements';
import { z } from 'zod';
import type { Deps } from '../../../deps.ts';
import { readPage, type Page, type PageRequest } from '../../../platform/pages.ts';
import { ok, type Result } from '../../../platform/result.ts';
import { assetNotFound } from '../../assets/errors.ts';
import { closeDueInScope } from '../closing/service.ts';
import { statementNotFound } from '../errors.ts';
import { monthsSince2000, type PastPeriod } from '../rules.ts';
import { assetScope, isStatement, ownerScope, userScope } from '../sql.ts';
import * as store from '../store.ts';
import { toPeriodSplit, toStatement } from '../wire.ts';

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
  const scope = assetScope(assetId);
  if (!(await store.hasStatements(deps.db, { assetId, userId }))) return undefined;
  await closeDueInScope(deps, scope);
  const now = deps.clock();
  const periods = await store.readPeriods(deps.db, scope, { seenBy: userId, ...page, now });
  return periods.map((period) => toStatement(period, userId, now));
}

const MonthKey = z.tuple([Id.nullable(), z.int().min(0)]);

/**
 * Returns one month's statements of all assets that a user owns, is or was a member of, or either; by default the current
 * month's. With `proposed`, a member's list has also those of their own assets in which a cost waits for them.
 */
export function listAllStatements(
  deps: Deps,
  userId: number,
  {
    month,
    role,
    proposed,
    ...request
  }: PageRequest & {
    month?: string | undefined;
    role?: 'owner' | 'member' | undefined;
    proposed?: 'include' | undefined;
  },
): Promise<Result<Page<Statement>>> {
  return readPage(request, {
    key: MonthKey,
    keyOf: (period: store.AnyPeriod): store.MonthKey => [period.asset_id, period.lines === null ? 0 : period.id],
    toItem: (period) => toStatement(period, userId, deps.clock()),
    read: async (page) => {
      const scope = userScope(userId, { role, proposals: proposed === 'include' });
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
    toItem: (period) => toStatement(period, userId, deps.clock()),
    read: async (page) => {
      const ids = await store.closedStatementIds(deps.db, { userId, ...page });
      const closed = await store.readClosedPeriods(deps.db, isStatement(ids), { now: deps.clock() });
      return ok(closed.toSorted((one, another) => one.id - another.id));
    },
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
  const scope = ownerScope(userId, assetId);
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
    const averageCents = period.plan ? averageMonth(period.cycle_cents, period.plan.cycle) : undefined;
    periods.push({
      ...split.period,
      ...(averageCents !== undefined && { averageCents }),
      running: !period.ended,
      partial: period.partial,
      names: split.names,
    });
    byAsset.set(period.asset_id, periods);
  }
  return byAsset;
}
