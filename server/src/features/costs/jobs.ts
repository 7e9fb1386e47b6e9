import type { Deps } from '../../deps.ts';
import { repeat } from '../../platform/jobs.ts';
import { repeatCosts } from './service.ts';

/** A cost comes again within an hour of the day on which it does. */
const INTERVAL_MILLISECONDS = 60 * 60_000;

/** Enters costs that come again for as long as the server runs. Returns a function that stops it. */
export const scheduleCosts = (deps: Deps): (() => Promise<void>) =>
  repeat('repeat costs', INTERVAL_MILLISECONDS, () => repeatCosts(deps), deps);
