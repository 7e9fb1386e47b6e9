import { useSelector } from '@tanstack/react-store';
import { announcedTitle } from './page-title.ts';

/** Reads the title of each new page. Always mounted: a region inserted together with its text is often not read. */
export function Announcer() {
  const title = useSelector(announcedTitle);
  return (
    <p role="status" aria-live="polite" className="sr-only">
      {title}
    </p>
  );
}
