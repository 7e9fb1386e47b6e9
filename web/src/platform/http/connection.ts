// Whether the server is reachable, from the browser's network status and the outcome of the last request.
type Connection = 'online' | 'offline' | 'server unreachable';

let isReachable = true;
const listeners = new Set<() => void>();

const notify = () => {
  for (const listener of listeners) listener();
};

/** Records whether the last request got a response. */
export function recordReachable(now: boolean): void {
  if (now === isReachable) return;
  isReachable = now;
  notify();
}

export function connection(): Connection {
  if (!navigator.onLine) return 'offline';
  // oxlint-disable-next-line hourshare/text-in-catalog -- a state, not text
  return isReachable ? 'online' : 'server unreachable';
}

export function onConnectionChange(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener('online', listener);
  window.addEventListener('offline', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('online', listener);
    window.removeEventListener('offline', listener);
  };
}
