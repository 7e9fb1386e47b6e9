// Messages for screen readers. One live region reads them all (ui/announcer.tsx), because a region inserted together
// with its text is often not read.
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
