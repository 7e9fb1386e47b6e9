// What the bell in the top bar shows before its list is opened. The list loads after the page is usable, and this with it.

interface BellState {
  /** Names the button for screen readers; null while nothing is unread. */
  label: string | null;
  /** Whether something came since the list was last opened. */
  isNew: boolean;
}

let state: BellState = { label: null, isNew: false };
const listeners = new Set<() => void>();

export function setBell(next: BellState): void {
  if (next.label === state.label && next.isNew === state.isNew) return;
  state = next;
  for (const listener of listeners) listener();
}

export const bellState = (): BellState => state;

export function onBellChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
