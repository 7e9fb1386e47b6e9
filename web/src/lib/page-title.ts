import { useEffect } from 'react';
import { announce } from './announcements.ts';

export const pageTitle = (title: string): string => `${title} · HourShare`;

/** Names the page in the tab, and to those who hear that another one came. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = pageTitle(title);
    announce(title);
  }, [title]);
}
