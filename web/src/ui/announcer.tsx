import { useSyncExternalStore } from 'react';
import { latestAnnouncement, onAnnouncement } from '../lib/announcements.ts';

export function Announcer() {
  const text = useSyncExternalStore(onAnnouncement, latestAnnouncement);
  return (
    <p role="status" aria-live="polite" className="sr-only">
      {text}
    </p>
  );
}
