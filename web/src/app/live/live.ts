import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { followSharedEvents } from '../../platform/live/leader-tab.ts';
import { eventApplier } from './apply-events.ts';

/** After this long without requests, the page has loaded, also for tools that wait for a quiet network. */
const QUIET_MS = 1_000;
/** A request that hangs doesn't delay the stream for longer. */
const LATEST_MS = 10_000;
const LOOK_EVERY_MS = 200;

/** Resolves once the page has loaded all that it shows, or when it is aborted. */
function loaded(client: QueryClient, signal: AbortSignal): Promise<void> {
  const begunAt = performance.now();
  let busyAt = begunAt;
  const observer = new PerformanceObserver(() => (busyAt = performance.now()));
  observer.observe({ type: 'resource' });
  return new Promise((resolve) => {
    const timer = setInterval(() => {
      const now = performance.now();
      if (client.isFetching() > 0) busyAt = now;
      if (now - busyAt < QUIET_MS && now - begunAt < LATEST_MS && !signal.aborted) return;
      clearInterval(timer);
      observer.disconnect();
      resolve();
    }, LOOK_EVERY_MS);
  });
}

/** Keeps what is shown in step with what happens elsewhere, as long as it is mounted. */
export function useLiveUpdates(userId: number): void {
  const client = useQueryClient();
  useEffect(() => {
    const { take, stop } = eventApplier(client);
    const unfollow = followSharedEvents(userId, { onEvent: take, begin: (signal) => loaded(client, signal) });
    return () => {
      unfollow();
      stop();
    };
  }, [client, userId]);
}
