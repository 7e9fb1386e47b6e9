import type { Deps } from '../../deps.ts';
import { repeat } from '../../platform/jobs.ts';
import { endAllPastLimit } from '../sessions/service.ts';
import { closeAllDue } from './service.ts';

/** So a month closes a few minutes after its time for corrections is over, on whichever server is up. */
const EVERY_MILLISECONDS = 5 * 60_000;

export async function doWhatIsDue(deps: Deps): Promise<void> {
  await endAllPastLimit(deps);
  await closeAllDue(deps);
}

/** Ends sessions past their limit and closes months, for as long as the server runs; the function it gives stops that. */
export const keepCosts = (deps: Deps): (() => Promise<void>) =>
  repeat('close months', EVERY_MILLISECONDS, () => doWhatIsDue(deps), deps.log);
