/**
 * Focuses an element that replaces the focused one. Doesn't steal the focus if it has moved, such as while lists were
 * reloading.
 */
export function takeFocus(target: HTMLElement | null): void {
  const { activeElement: focused } = document;
  if (focused === null || focused.contains(target) || target?.contains(focused)) target?.focus();
}

const SETTLED_MS = 60;

const dialogsOf = (page: Document) => [...page.querySelectorAll<HTMLElement>('[role=dialog], [role=alertdialog]')];

/**
 * Moves the focus to what follows, else to the top dialog, or without one to the page's heading, if the focused element is
 * gone. Waits until a dialog that was closed has left the page, and leaves the focus to one that opens meanwhile.
 */
export function keepFocusInPage(findNext: () => HTMLElement | null = () => null): void {
  // The document's own timer, which is discarded along with the page.
  const page = document;
  const before = dialogsOf(page);
  page.defaultView?.setTimeout(() => {
    if (page.activeElement !== null && page.activeElement !== page.body) return;
    const open = dialogsOf(page);
    if (!open.every((dialog) => before.includes(dialog))) return;
    const next = findNext();
    const top = open.at(-1);
    // What follows may be in a list that has left the page.
    if (next?.isConnected && (!top || top.contains(next))) return next.focus({ preventScroll: true });
    const target = top ?? page.querySelector<HTMLElement>('main h1');
    if (!target) return;
    target.tabIndex = -1;
    target.focus({ preventScroll: true });
  }, SETTLED_MS);
}

/** A ref that focuses what replaces the focused element, so that screen readers read it. Needs a tabIndex of -1. */
export const focusOnMount = (element: HTMLElement | null): void => element?.focus({ preventScroll: true });
