import type { Deps } from '../../deps.ts';
import { repeat } from '../../platform/jobs.ts';
import { backUpDaily } from './daily/service.ts';

const INTERVAL_MILLISECONDS = 10 * 60_000;

/** Makes daily backups for as long as the server runs. Returns a function that stops it, and abandons an unfinished one. */
export function scheduleBackups(deps: Deps): () => Promise<void> {
  const ending = new AbortController();
  const stop = repeat('make the daily backup', INTERVAL_MILLISECONDS, () => backUpDaily(deps, ending.signal), deps);
  return async () => {
    ending.abort();
    await stop();
  };
}
