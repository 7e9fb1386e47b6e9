import type { Deps } from '../../deps.ts';
import { repeat } from '../../platform/jobs.ts';
import { tidyUp } from './service.ts';

const INTERVAL_MILLISECONDS = 5 * 60_000;

/** Tidies up what meters told for as long as the server runs. Returns a function that stops it. */
export const scheduleMeters = (deps: Deps): (() => Promise<void>) =>
  repeat('tidy up meters', INTERVAL_MILLISECONDS, () => tidyUp(deps), deps);
