import { useEffect } from 'react';
import { announce } from './announcements.ts';

export const pageTitle = (title: string): string => `${title} · HourShare`;

/** Sets the document title and announces the new page to screen readers. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = pageTitle(title);
    announce(title);
  }, [title]);
}
