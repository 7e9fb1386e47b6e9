import { createAtom } from '@tanstack/react-store';
import { useEffect } from 'react';

// oxlint-disable-next-line hourshare/text-in-catalog -- the brand, the same in every language
export const pageTitle = (title: string): string => `${title} · HourShare`;

/** The title that screen readers read (ui/announcer.tsx). */
export const announcedTitle = createAtom('');

/** Sets the document title and announces the new page to screen readers. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = pageTitle(title);
    announcedTitle.set(title);
  }, [title]);
}
