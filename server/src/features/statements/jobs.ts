import type { Deps } from '../../deps.ts';
import { repeat } from '../../platform/jobs.ts';
import { extendPeriods } from '../periods/service.ts';
import { closeDuePeriods } from './service.ts';

/** So a period closes a few minutes after its time for corrections is over, on whichever server is up. */
const EVERY_MILLISECONDS = 5 * 60_000;

/** Keeps periods ahead and closes due ones for as long as the server runs. Returns a function that stops that. */
export function schedulePeriods(deps: Deps): () => Promise<void> {
  return repeat(
    'close periods',
    EVERY_MILLISECONDS,
    async () => {
      await extendPeriods(deps);
      await closeDuePeriods(deps);
    },
    deps.log,
  );
}
