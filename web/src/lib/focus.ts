const SETTLED_MS = 60;

/**
 * Moves the focus to the top dialog, or without one to the page's heading, if the focused element is gone. Waits until a
 * dialog that was closed has left the page.
 */
export function keepFocusInPage(): void {
  // The document's own timer, which is discarded along with the page.
  const page = document;
  page.defaultView?.setTimeout(() => {
    if (page.activeElement !== null && page.activeElement !== page.body) return;
    // Dialogs come after the page's content.
    const target = [...page.querySelectorAll<HTMLElement>('main h1, [role=dialog], [role=alertdialog]')].at(-1);
    if (!target) return;
    target.tabIndex = -1;
    target.focus({ preventScroll: true });
  }, SETTLED_MS);
}
