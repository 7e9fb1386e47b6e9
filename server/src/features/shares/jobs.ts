import type { Deps } from '../../deps.ts';
import { repeat } from '../../platform/jobs.ts';
import { endExpiredOffers } from './service.ts';

const INTERVAL_MILLISECONDS = 60 * 60_000;

/** Ends expired offers for as long as the server runs. Returns a function that stops it. */
export const scheduleOfferEnds = (deps: Deps): (() => Promise<void>) =>
  repeat('end expired offers', INTERVAL_MILLISECONDS, () => endExpiredOffers(deps), deps.log);
