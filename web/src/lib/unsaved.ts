import { createContext, useContext, useEffect, useId, useSyncExternalStore } from 'react';

/** Where in nested tabs a form is, for example "costs/split". Each tab panel extends it by its name. */
export const PlaceContext = createContext('');

const changed = new Set<() => void>();
let unsaved: ReadonlyMap<string, string> = new Map();

function update(id: string, place: string | undefined): void {
  if (unsaved.get(id) === place) return;
  const next = new Map(unsaved);
  if (place === undefined) next.delete(id);
  else next.set(id, place);
  unsaved = next;
  for (const notify of changed) notify();
}

const subscribe = (notify: () => void) => {
  changed.add(notify);
  return () => void changed.delete(notify);
};

/**
 * Keeps a form from being left silently while it has edits. Returns a function that a form calls once it has saved,
 * before it closes its dialog: the state of the form is only up to date after the next render.
 */
export function useUnsaved(isDirty: boolean): () => void {
  const id = useId();
  const place = useContext(PlaceContext);
  useEffect(() => {
    update(id, isDirty ? place : undefined);
    return () => update(id, undefined);
  }, [id, place, isDirty]);
  return () => update(id, undefined);
}

export const hasUnsaved = (): boolean => unsaved.size > 0;

/** For when what the edits belong to has been deleted. */
export function forgetUnsaved(): void {
  for (const id of unsaved.keys()) update(id, undefined);
}

/** Returns whether a form at a place, or below it, has edits. */
export function useUnsavedPlaces(): (place: string) => boolean {
  const forms = useSyncExternalStore(subscribe, () => unsaved);
  return (place) => [...forms.values()].some((each) => each === place || each.startsWith(`${place}/`));
}
