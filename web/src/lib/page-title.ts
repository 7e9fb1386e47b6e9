import { useEffect } from 'react';
import { announce } from './announcements.ts';

/** Names the page in the tab, and to those who hear that another one came. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · HourShare`;
    announce(title);
  }, [title]);
}
