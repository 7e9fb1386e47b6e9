import type { Deps } from '../../../deps.ts';
import { isUnavailable } from '../../../platform/database/failure.ts';
import { transaction } from '../../../platform/database/transaction.ts';
import { inMemory } from '../../../platform/memory.ts';
import { appendMessage } from '../../outbox/service.ts';
import { changeDue, handOverDue } from '../handovers/service.ts';
import { assetsToMatch, matchOwnShareOf } from '../own/service.ts';
import * as store from './store.ts';

/** Months begin on a quarter of an hour in every time zone. */
const QUARTER_MILLISECONDS = 15 * 60_000;

/** The quarter hour since 1970 in which this process last made due changes of access, and that work while it runs. */
const upkeepOf = inMemory((): { quarter: number; running?: Promise<void> | undefined } => ({ quarter: -Infinity }));

/**
 * Makes the changes of access that are due at the start of a month. The first request in each quarter hour does this before anything
 * else, and requests repeat it until none are left, for example while the time isn't confirmed. Concurrent requests share the work;
 * the schedule runs it, too.
 */
export function updateAccessInTime(deps: Deps): Promise<void> {
  const upkeep = upkeepOf(deps);
  const quarter = Math.floor(deps.clock().getTime() / QUARTER_MILLISECONDS);
  if (quarter === upkeep.quarter) return Promise.resolve();
  upkeep.running ??= updateAccess(deps)
    .then((isDone) => {
      if (isDone) upkeep.quarter = quarter;
    })
    .finally(() => {
      upkeep.running = undefined;
    });
  return upkeep.running;
}

/**
 * Hands over assets whose new owner's first month has begun, begins access that people accepted for this month, begins and ends
 * that of owners, and ends sessions of assets that are no longer measured.
 */
export async function updateAccess(deps: Deps): Promise<boolean> {
  // First, because a new owner doesn't inherit what the former one has offered.
  const isHandedOver = await handOverDue(deps);
  const isBegun = await changeDue(deps, {
    find: store.dueShares,
    change: beginAccess,
    failure: 'access could not begin',
  });
  const isMatched = await changeDue(deps, {
    find: assetsToMatch,
    change: matchOwnShareOf,
    failure: "an owner's own share could not be changed",
  });
  await deps.react(deps, 'monthsStarted', {}).catch((err: unknown) => {
    if (isUnavailable(err)) throw err;
    // It doesn't fail every request until the schedule tries again.
    deps.log.error({ err }, 'what is no longer measured could not be ended');
  });
  return isHandedOver && isBegun && isMatched;
}

/** Begins the access of a promised share as of the start of its first month, even if it runs later. */
const beginAccess = (deps: Deps, shareId: number, dueBy: Date): Promise<void> =>
  transaction(deps, async (deps) => {
    const memberId = await store.beginAccess(deps.db, shareId, dueBy);
    if (memberId !== undefined) await appendMessage(deps, 'share.begun', { shareId, actorId: memberId }, {});
  });
