import type { Statement } from '@hourshare/contract/statements';
import type { Deps } from '../../../deps.ts';
import { transaction } from '../../../platform/database/transaction.ts';
import { ok, type Result } from '../../../platform/result.ts';
import { runEach } from '../../../platform/run-each.ts';
import { assetNotFound, ownerOnly } from '../../assets/errors.ts';
import { removeDeletedAssets } from '../../assets/service.ts';
import { moveProposals } from '../../costs/service.ts';
import { appendMessage } from '../../outbox/service.ts';
import { periodClosed } from '../../periods/errors.ts';
import { followsOthersMonth, ownedPeriods, roleInMonth } from '../../periods/owners/service.ts';
import { areConfirmed, confirmPeriod, markClosed } from '../../periods/window/service.ts';
import { hasOpenObjection, upholdObjections } from '../../sessions/objections/service.ts';
import { hasOpenRequest, lapseRequests } from '../../sessions/requests/service.ts';
import { updateAccess } from '../../shares/starts/service.ts';
import { lockUsers } from '../../users/service.ts';
import { membersMayEdit, monthNotEnded, objectionsOpen, statementNotFound } from '../errors.ts';
import { membersUsedSeconds } from '../rules.ts';
import { assetScope, isAmong, type Scope } from '../sql.ts';
import { hasStatements, readOpenPeriods, readPeriods, type ClosedPeriod } from '../store.ts';
import { openCosts, toClosedCosts } from '../costs/wire.ts';
import { splitOpenPeriod, toClosedPeriod, toStatement } from '../wire.ts';
import * as store from './store.ts';

/** The number of assets whose periods are closed in one transaction. */
const BATCH_SIZE = 50;

/** Closes every period whose time for corrections has certainly passed. Run by the schedule. */
export async function closeDuePeriods(deps: Deps): Promise<void> {
  // First, because a closed month keeps its owner and members, and the server may have been off for days.
  await updateAccess(deps);
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
      await runEach(deps, due, {
        work: (assetId) => close([assetId]),
        factsOf: (assetId) => ({ assetId }),
        failure: 'the periods of an asset could not be closed',
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

/**
 * Closes due periods of a scope. Reads of statements call it first, so that what they show is final. No read waits for more than a
 * batch: the others stay estimates until the schedule or the next read closes them.
 */
export async function closeDueInScope(deps: Deps, { open: condition }: Scope): Promise<void> {
  // Usually nothing is due even by this clock, which saves confirming the time.
  if ((await store.dueAssets(deps.db, { now: deps.clock(), condition, limit: 1 })).length === 0) return;
  const dueBy = await deps.confirmedTime(deps.db);
  const due = await store.dueAssets(deps.db, { now: dueBy, condition, limit: BATCH_SIZE });
  if (due.length > 0) await closePeriods(deps, due, { dueBy });
}

/**
 * Closes ended periods of assets, all or up to an instant or a month, and returns them without those that have nothing to
 * split: months spent archived, or neither billed nor used. The lock on an asset's row makes sure that each is closed once. Removes
 * deleted assets with nothing left to close or count.
 */
function closePeriods(
  deps: Deps,
  assetIds: number[],
  { dueBy, through, skipLocked = false }: { dueBy?: Date; through?: string; skipLocked?: boolean },
): Promise<ClosedPeriod[]> {
  return transaction(deps, async (deps) => {
    const now = deps.clock();
    const locked = await store.lockAssets(deps.db, assetIds, { skipLocked });
    const closing = (await store.endedOpenPeriods(deps.db, locked, now)).filter(
      ({ month, closes_at: closesAt }) =>
        (dueBy === undefined || closesAt <= dueBy) && (through === undefined || month <= through),
    );
    if (closing.length === 0) return [];
    // Locked before anything is read, so that none of these accounts is deleted or renamed between reading and writing.
    const existing = await lockUsers(deps.db, await store.participantIds(deps.db, locked));
    // First, because it changes the use that is split.
    await upholdObjections(deps, closing);
    await lapseRequests(deps, closing);
    await moveProposals(deps, closing);
    const keys = new Set(closing.map(periodKey));
    const periods = await readOpenPeriods(deps.db, isAmong(locked), { ended: true, now });
    const statements = periods
      .filter((period) => keys.has(periodKey(period)))
      .filter((period) => !period.unbilled || membersUsedSeconds(period) > 0 || period.costs.length > 0)
      .map((period) => {
        const places = [period.owner_id, ...period.members.map(({ userId }) => userId)].toSorted((a, b) => a - b);
        const { lines: split, parts } = splitOpenPeriod(period);
        const lines = split.map((line, index) => {
          const {
            shareId = null,
            objectedAt = null,
            recorded = period.owner_recorded,
          } = period.members[index - 1] ?? {};
          const place = places.indexOf(line.userId);
          return { ...line, shareId, recorded, objectedAt: store.owedCents(line) > 0 ? objectedAt : null, place };
        });
        return {
          period,
          lines,
          costs: toClosedCosts(
            openCosts(period, parts),
            lines.map(({ place }) => place),
          ),
        };
      });
    const written = statements.map((statement) => ({
      ...statement,
      lines: statement.lines.map((line) => ({ ...line, userId: existing.has(line.userId) ? line.userId : null })),
    }));
    const ids = written.length === 0 ? [] : await store.insertStatements(deps.db, written, now);
    await markClosed(deps.db, closing, now);
    for (const { asset_id: assetId, month } of closing) {
      const statement = written.find(({ period }) => period.asset_id === assetId && period.month === month);
      const userIds = statement?.lines.flatMap(({ userId }) => userId ?? []) ?? [];
      const row = ids.find((each) => each.asset_id === assetId && each.month === month);
      const facts = { month, statement_id: row?.statement_id ?? null };
      await appendMessage(deps, 'period.closed', { assetId, userIds }, facts);
    }
    const removed = await removeDeletedAssets(deps, locked);
    return written.map((statement) => toClosedPeriod(statement, ids, { removed, now }));
  });
}

const periodKey = ({ asset_id, month }: { asset_id: number | null; month: string }): string => `${asset_id}/${month}`;

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
  if (!(await hasStatements(deps.db, { assetId, userId: memberId }))) return assetNotFound();
  await closeDueInScope(deps, assetScope(assetId));
  const now = deps.clock();
  const confirmed = await transaction(deps, async (deps) => {
    if (!(await confirmPeriod(deps.db, { assetId, month, memberId, now }))) return false;
    await appendMessage(deps, 'period.confirmed', { assetId, actorId: memberId }, { month });
    return true;
  });
  const [period] = await readPeriods(deps.db, assetScope(assetId), {
    month,
    seenBy: memberId,
    limit: 1,
    now,
  });
  if (!period) return statementNotFound();
  if (confirmed) return ok(toStatement(period, memberId, now));
  return period.lines !== null ? periodClosed() : period.ended ? statementNotFound() : monthNotEnded();
}

/**
 * Closes an ended month of an owner's asset, and all open ones before it, early if no member has anything to edit. Returns its
 * statement.
 */
export function closeMonth(deps: Deps, userId: number, assetId: number, month: string): Promise<Result<Statement>> {
  return transaction(deps, async (deps) => {
    const now = deps.clock();
    const find = () => ownedPeriods(deps.db, { assetId, userId, now, deleted: true });
    if (!(await find())) return assetNotFound();
    await store.lockAssets(deps.db, [assetId]);
    // Checked again, because the user may have stopped being a co-manager during the wait for the lock.
    const owned = await find();
    if (!owned) return assetNotFound();
    if (month < owned.first_month || month > owned.current_month) return statementNotFound();
    const role = await roleInMonth(deps.db, { assetId, month, userId });
    if (!role) return statementNotFound();
    if (role === 'manager') return ownerOnly('close_by_owner');
    if (month === owned.current_month && !owned.ended) return monthNotEnded();
    const [before] = await readPeriods(deps.db, assetScope(assetId), { month, limit: 1, now });
    // Such as a month that the asset was archived throughout. Closing it would close those before it.
    if (!before) return statementNotFound();
    // Those months would be closed along with it.
    if (await followsOthersMonth(deps.db, { assetId, month })) return membersMayEdit();
    if (!(await areConfirmed(deps.db, { assetId, month, now }))) return membersMayEdit();
    const isOpen = { assetId, month, now };
    if ((await hasOpenObjection(deps.db, isOpen)) || (await hasOpenRequest(deps.db, isOpen))) return objectionsOpen();
    const closed = await closePeriods(deps, [assetId], { through: month });
    const period = closed.find((each) => each.month === month) ?? before;
    // A month that is neither billed nor used closes without a statement, which is answered as it last was.
    return ok({ ...toStatement(period, period.owner_id ?? userId, now), closed: true });
  });
}
