import type { Session } from '@hourshare/contract/sessions';
import { hashKey, type QueryClient } from '@tanstack/react-query';
import { call } from '../../platform/http/call.ts';
import { NoConnection } from '../../platform/http/errors.ts';
import { serverNow } from '../../platform/http/server-clock.ts';
import { queue, type Press } from '../../platform/offline/queue.ts';
import { startableQueries } from '../shares/api.ts';
import { setRunning } from './api.ts';

const instant = (at: number) => new Date(at).toISOString();

/** Sends a press. The time of sending is new each time, because the server counts back from it. */
export async function sendPress({ shareId, verb, at }: Press): Promise<Session> {
  const input = { params: { id: shareId }, body: { at: instant(at), client_time: instant(Math.max(at, Date.now())) } };
  const session = await (verb === 'start'
    ? call('POST /api/shared-assets/{id}/late-start/', input)
    : call('POST /api/shared-assets/{id}/late-end/', input));
  // Such as JSON from a proxy or captive portal.
  if (!session || !('id' in session)) throw new NoConnection();
  return session;
}

/** Shows in the lists of shares what the waiting presses will do. Returns a function that stops it. */
export function showPresses(client: QueryClient): () => void {
  const show = () => {
    for (const { shareId, verb, at } of queue.get())
      setRunning(client, shareId, {
        active_session: verb === 'start',
        active_since: verb === 'start' ? instant(at + serverNow() - Date.now()) : null,
      });
  };
  const hashes = startableQueries.map(({ queryKey }) => hashKey(queryKey));
  const { unsubscribe } = queue.subscribe(show);
  // The server doesn't know of them yet, so its answers lack them, and so do stored ones.
  const unfollow = client.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated' || !hashes.includes(event.query.queryHash)) return;
    const { action } = event;
    if (action.type === 'setState' || (action.type === 'success' && !action.manual)) show();
  });
  return () => {
    unsubscribe();
    unfollow();
  };
}
