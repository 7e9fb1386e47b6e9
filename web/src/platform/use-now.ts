import { useSyncExternalStore } from 'react';
import { serverNow } from './http/server-clock.ts';

// One timer for all clocks on the page, so that they tick together; it runs only while one is mounted.
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;
let now = 0;

function tick(): void {
  now = serverNow();
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    now = serverNow();
    timer = setInterval(tick, 1_000);
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) clearInterval(timer);
  };
}

const snapshot = () => (listeners.size === 0 ? Math.floor(serverNow() / 1000) * 1000 : now);

/** Returns the server's time in milliseconds, updated every second. */
export const useNow = (): number => useSyncExternalStore(subscribe, snapshot, snapshot);
