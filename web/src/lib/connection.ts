// Whether the server is reachable, from the browser's network status and the outcome of the last request.
type Connection = 'there' | 'offline' | 'server unreachable';

let reached = true;
const listeners = new Set<() => void>();

const tell = () => {
  for (const listener of listeners) listener();
};

/** Records whether the last request got a response. */
export function noteReached(now: boolean): void {
  if (now === reached) return;
  reached = now;
  tell();
}

export function connection(): Connection {
  if (!navigator.onLine) return 'offline';
  return reached ? 'there' : 'server unreachable';
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
