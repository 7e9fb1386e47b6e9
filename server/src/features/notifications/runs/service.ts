import type { Deps } from '../../../deps.ts';
import { repeat } from '../../../platform/jobs.ts';
import { claimRun } from './store.ts';

/** The part of a job's pause after which another run may start: timers aren't exact. */
const PAUSE_PART = 0.9;

/** As `repeat`, for work that one of several servers does for all. Work that is killed is done again after the pause. */
export const repeatOnOneServer = (
  name: string,
  everyMilliseconds: number,
  work: (deps: Deps) => Promise<void>,
  deps: Deps,
): (() => Promise<void>) =>
  repeat(
    name,
    everyMilliseconds,
    async () => {
      if (await claimRun(deps.db, name, everyMilliseconds * PAUSE_PART)) await work(deps);
    },
    deps,
  );
