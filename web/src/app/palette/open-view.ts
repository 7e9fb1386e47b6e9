export type View = 'palette' | 'keys';

let open: ((view: View) => void) | undefined;

/** Opens something that every page has. */
export const openView = (view: View): void => open?.(view);

/** Sets what opens views. Returns a function that unsets it. */
export function onOpenView(next: (view: View) => void): () => void {
  open = next;
  return () => {
    open = undefined;
  };
}
