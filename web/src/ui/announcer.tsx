import { useSyncExternalStore } from 'react';

// One polite live region for the whole page: a region that appears together with its text is often not read.
let message = '';
const listeners = new Set<() => void>();

export function announce(text: string): void {
  message = text;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function Announcer() {
  const text = useSyncExternalStore(subscribe, () => message);
  return (
    <p role="status" aria-live="polite" className="sr-only">
      {text}
    </p>
  );
}
