// What a screen reader is to say politely. One live region for the whole page reads it (ui/announcer.tsx): a region
// that appears together with its text is often not read.
let latest = '';
const listeners = new Set<() => void>();

export function announce(text: string): void {
  latest = text;
  for (const listener of listeners) listener();
}

export const latestAnnouncement = (): string => latest;

export function onAnnouncement(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
