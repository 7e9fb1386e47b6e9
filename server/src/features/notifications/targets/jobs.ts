import type { Deps } from '../../../deps.ts';
import { repeat } from '../../../platform/jobs.ts';
import { sendDueToTargets } from './service.ts';

const SEND_MILLISECONDS = 3000;

/** Sends notices elsewhere while the server runs. Returns a function that stops it. */
export function scheduleTargets(deps: Deps): () => Promise<void> {
  const stopped = new AbortController();
  const stop = repeat('send notices elsewhere', SEND_MILLISECONDS, () => sendDueToTargets(deps, stopped.signal), deps);
  return async () => {
    stopped.abort();
    await stop();
  };
}
