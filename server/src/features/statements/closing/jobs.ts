import type { Deps } from '../../../deps.ts';
import { repeat } from '../../../platform/jobs.ts';
import { archiveEndedAssets, removeAllDeletedAssets } from '../../assets/service.ts';
import { extendPeriodsEarly } from '../../periods/upkeep/service.ts';
import { closeDuePeriods } from './service.ts';

/** Closes a period within minutes of the end of its time for corrections, on whichever server is running. */
const INTERVAL_MILLISECONDS = 5 * 60_000;

/**
 * Extends periods, archives assets whose plan has ended, closes due periods, and removes deleted assets for as long as the server runs.
 * Returns a function that stops it.
 */
export function schedulePeriods(deps: Deps): () => Promise<void> {
  return repeat(
    'close periods',
    INTERVAL_MILLISECONDS,
    async () => {
      await extendPeriodsEarly(deps);
      await archiveEndedAssets(deps);
      await closeDuePeriods(deps);
      await removeAllDeletedAssets(deps);
    },
    deps,
  );
}
