const SETTLED_MS = 60;

/**
 * Moves the focus to the page's heading if the focused element is gone after a dialog closed. Waits until the dialog
 * has left the page.
 */
export function keepFocusInPage(): void {
  // The document's own timer, which is discarded along with the page.
  const page = document;
  page.defaultView?.setTimeout(() => {
    if (page.activeElement !== null && page.activeElement !== page.body) return;
    const heading = page.querySelector<HTMLElement>('main h1');
    if (!heading) return;
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
  }, SETTLED_MS);
}
