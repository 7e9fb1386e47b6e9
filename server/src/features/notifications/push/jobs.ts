import type { Deps } from '../../../deps.ts';
import { repeat } from '../../../platform/jobs.ts';
import { deleteEndedSubscriptions, sendDuePushes } from './service.ts';

const SEND_MILLISECONDS = 3000;
const CLEANUP_MILLISECONDS = 60 * 60_000;

/** Sends push messages while the server runs. Returns a function that stops it. */
export function schedulePushes(deps: Deps): () => Promise<void> {
  const stopped = new AbortController();
  const stops = [
    repeat('send push messages', SEND_MILLISECONDS, () => sendDuePushes(deps, stopped.signal), deps),
    repeat('delete old push subscriptions', CLEANUP_MILLISECONDS, () => deleteEndedSubscriptions(deps), deps),
  ];
  return async () => {
    stopped.abort();
    await Promise.all(stops.map((stop) => stop()));
  };
}
