import type { Notice } from '@hourshare/contract/notifications';

// Opening the list clears the bell's dot in this tab, and what isn't read stays unread.
const KEY = 'hourshare_seen_notice';

const seenThrough = (): number => Number(sessionStorage.getItem(KEY) ?? 0);

/** Whether something unread came since the list was last opened. */
export const hasUnseen = (notices: readonly Notice[]): boolean =>
  notices.some(({ id, read }) => !read && id > seenThrough());

export function rememberSeen(notices: readonly Notice[]): void {
  const newest = Math.max(seenThrough(), ...notices.map(({ id }) => id));
  sessionStorage.setItem(KEY, String(newest));
}
