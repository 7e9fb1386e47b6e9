import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { followSharedEvents } from '../../lib/shared-events.ts';
import { eventApplier } from './apply-events.ts';

const LOOK_EVERY_MS = 350;
/** A second without requests, so that the stream comes after all that the page shows, also for tools that wait for a quiet network. */
const QUIET_LOOKS = 3;
/** A read that hangs doesn't hold the stream back for longer. */
const MOST_LOOKS = 30;

/** Resolves once nothing has been read for a moment, or when it is aborted. */
function quiet(client: QueryClient, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    let looks = 0;
    let quietLooks = 0;
    const timer = setInterval(() => {
      looks += 1;
      quietLooks = client.isFetching() === 0 ? quietLooks + 1 : 0;
      if (quietLooks < QUIET_LOOKS && looks < MOST_LOOKS && !signal.aborted) return;
      clearInterval(timer);
      resolve();
    }, LOOK_EVERY_MS);
  });
}

/** Keeps what is shown in step with what happens elsewhere, as long as it is mounted. */
export function useLiveUpdates(userId: number): void {
  const client = useQueryClient();
  useEffect(() => {
    const { take, stop } = eventApplier(client);
    const unfollow = followSharedEvents(userId, { onEvent: take, begin: (signal) => quiet(client, signal) });
    return () => {
      unfollow();
      stop();
    };
  }, [client, userId]);
}
