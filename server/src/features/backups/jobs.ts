import type { Deps } from '../../deps.ts';
import { repeat } from '../../platform/jobs.ts';
import { backUpDaily } from './daily/service.ts';

const INTERVAL_MILLISECONDS = 10 * 60_000;

/** Makes daily backups for as long as the server runs. Returns a function that stops it, and abandons an unfinished one. */
export function scheduleBackups(deps: Deps): () => Promise<void> {
  const ending = new AbortController();
  let isStart = true;
  const backUp = async () => {
    await backUpDaily(deps, ending.signal, { isStart });
    isStart = false;
  };
  const stop = repeat('make the daily backup', INTERVAL_MILLISECONDS, backUp, deps);
  return async () => {
    ending.abort();
    await stop();
  };
}
