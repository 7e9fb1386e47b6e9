import { useSyncExternalStore } from 'react';
import { latestTitle, onAnnouncement } from './toasts.ts';

/** Reads the title of each new page. Always mounted: a region inserted together with its text is often not read. */
export function Announcer() {
  const title = useSyncExternalStore(onAnnouncement, latestTitle);
  return (
    <p role="status" aria-live="polite" className="sr-only">
      {title}
    </p>
  );
}
