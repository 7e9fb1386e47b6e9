import { createAtom } from '@tanstack/react-store';
import { useSyncExternalStore } from 'react';

// Whether the server is reachable, from the browser's network status and the outcome of the last request.
type Connection = 'online' | 'offline' | 'server unreachable';

const isReachable = createAtom(true);

/** Records whether the last request got a response. */
export const recordReachable = (now: boolean): void => isReachable.set(now);

export function connection(): Connection {
  if (!navigator.onLine) return 'offline';
  // oxlint-disable-next-line hourshare/text-in-catalog -- a state, not text
  return isReachable.get() ? 'online' : 'server unreachable';
}

export function onConnectionChange(listener: () => void): () => void {
  const { unsubscribe } = isReachable.subscribe(listener);
  window.addEventListener('online', listener);
  window.addEventListener('offline', listener);
  return () => {
    unsubscribe();
    window.removeEventListener('online', listener);
    window.removeEventListener('offline', listener);
  };
}

export const useConnection = (): Connection => useSyncExternalStore(onConnectionChange, connection);
