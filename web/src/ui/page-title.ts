import { useEffect } from 'react';
import { announceTitle } from './toasts.ts';

// oxlint-disable-next-line hourshare/text-in-catalog -- the brand, the same in every language
export const pageTitle = (title: string): string => `${title} · HourShare`;

/** Sets the document title and announces the new page to screen readers. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = pageTitle(title);
    announceTitle(title);
  }, [title]);
}
