import type { Deps } from '../../../deps.ts';
import { repeat } from '../../../platform/jobs.ts';
import { endExpiredSessions } from './service.ts';

const INTERVAL_MILLISECONDS = 5 * 60_000;

/** Ends sessions past their limit for as long as the server runs. Returns a function that stops it. */
export const scheduleSessionEnds = (deps: Deps): (() => Promise<void>) =>
  repeat('end expired sessions', INTERVAL_MILLISECONDS, () => endExpiredSessions(deps), deps);
