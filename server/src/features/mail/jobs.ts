import type { Deps } from '../../deps.ts';
import { repeat } from '../../platform/jobs.ts';
import { sendDueMails } from './service.ts';

const INTERVAL_MILLISECONDS = 2000;
/** How long the server waits for a message in progress when it stops. */
const GRACE_MILLISECONDS = 4000;

/** Sends waiting messages while the server runs, if there is a mail server. Returns a function that stops it. */
export function scheduleMails(deps: Deps): () => Promise<void> {
  if (!deps.mailer) return async () => undefined;
  const stopped = new AbortController();
  const stop = repeat('send mail', INTERVAL_MILLISECONDS, () => sendDueMails(deps, stopped.signal), deps);
  return async () => {
    const grace = setTimeout(() => stopped.abort(), GRACE_MILLISECONDS);
    await stop();
    clearTimeout(grace);
  };
}
