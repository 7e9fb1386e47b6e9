import type { Deps } from '../../../deps.ts';
import { transaction } from '../../../platform/database/transaction.ts';
import { inMemory } from '../../../platform/memory.ts';
import * as installation from '../../installation/service.ts';
import { calculateMonths } from '../plans/service.ts';
import * as store from './store.ts';

export { brokenPeriods, endPeriods } from './store.ts';

const DAY_MILLISECONDS = 24 * 3_600_000;

/** Periods reach two months ahead, so for this long after an extension every asset has its next one. */
const COVERAGE_MILLISECONDS = 26 * DAY_MILLISECONDS;

/** How long before the end of that time the schedule extends periods, so that no request waits for all assets. */
const EARLY_MILLISECONDS = 3 * DAY_MILLISECONDS;

const EXTEND_BATCH_SIZE = 1000;

/** When this process last extended the periods of all assets, and the extension running now. */
export const upkeepOf = inMemory((): { extendedAt: number; running?: Promise<void> | undefined } => ({
  extendedAt: -Infinity,
}));

/**
 * Makes sure that every asset has its current period and the next. Queries the database only if the clock nears the end
 * of the last extension or was set back; concurrent calls share that work.
 */
export const extendPeriods = (deps: Deps): Promise<void> => extendWithin(deps, COVERAGE_MILLISECONDS);

/** As `extendPeriods`, days before requests would wait for it. */
export const extendPeriodsEarly = (deps: Deps): Promise<void> =>
  extendWithin(deps, COVERAGE_MILLISECONDS - EARLY_MILLISECONDS);

function extendWithin(deps: Deps, milliseconds: number): Promise<void> {
  const upkeep = upkeepOf(deps);
  const isCovered = (extendedAt: number) => {
    const elapsed = deps.clock().getTime() - extendedAt;
    return elapsed >= 0 && elapsed < milliseconds;
  };
  if (isCovered(upkeep.extendedAt)) return Promise.resolve();
  upkeep.running ??= extendUnlessCovered(deps, isCovered).finally(() => {
    upkeep.running = undefined;
  });
  return upkeep.running;
}

/** Looks at every asset, unless a server has done so recently enough. */
async function extendUnlessCovered(deps: Deps, isCovered: (extendedAt: number) => boolean): Promise<void> {
  const stored = (await installation.readPeriodExtension(deps.db))?.getTime();
  if (stored !== undefined && isCovered(stored)) upkeepOf(deps).extendedAt = stored;
  else await extendAll(deps);
}

async function extendAll(deps: Deps): Promise<void> {
  const { db, clock } = deps;
  const upkeep = upkeepOf(deps);
  const now = clock();
  for (let after: number | null = 0; after !== null;) {
    const from: number = after;
    after = await transaction({ db }, async ({ db: trx }) => {
      const { ids, last } = await store.lockAssetsToExtend(trx, { now, after: from, limit: EXTEND_BATCH_SIZE });
      if (ids.length > 0) {
        await store.extendPeriods(trx, ids, now);
        await calculateMonths({ db: trx }, { assetIds: ids, now });
      }
      return last;
    });
  }
  await installation.recordPeriodExtension(db, now);
  upkeep.extendedAt = now.getTime();
}
