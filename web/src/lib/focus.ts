const SETTLED_MS = 60;

/**
 * What had the keyboard's focus may be gone when a dialog closes: the card was deleted, the address was opened with the
 * dialog. Then it goes on at the page's heading instead of nowhere. Waits until what was closed and what was removed
 * with it have left the page.
 */
export function keepFocusInPage(): void {
  // The page's own timer: it goes when the page does.
  document.defaultView?.setTimeout(() => {
    if (document.activeElement !== null && document.activeElement !== document.body) return;
    const heading = document.querySelector<HTMLElement>('main h1');
    if (!heading) return;
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
  }, SETTLED_MS);
}
