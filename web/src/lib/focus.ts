const SETTLED_MS = 60;

/**
 * What had the keyboard's focus may be gone when a dialog closes: the card was deleted, the address was opened with the
 * dialog. Then it goes on at the page's heading instead of nowhere. Waits until what was closed and what was removed
 * with it have left the page.
 */
export function keepFocusInPage(): void {
  // The page's own timer: it goes when the page does, and knows no other page.
  const page = document;
  page.defaultView?.setTimeout(() => {
    if (page.activeElement !== null && page.activeElement !== page.body) return;
    const heading = page.querySelector<HTMLElement>('main h1');
    if (!heading) return;
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
  }, SETTLED_MS);
}
