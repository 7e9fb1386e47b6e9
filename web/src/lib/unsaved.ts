import {
  createContext,
  useContext,
  useCallback,
  useEffect,
  useId,
  useRef,
  useSyncExternalStore,
  type FormEvent,
} from 'react';

/** Where in nested tabs a form is, for example "costs/split". Each tab panel extends it by its name. */
export const PlaceContext = createContext('');

interface EditedForm {
  place: string;
  /** Returns whether it was saved. Absent if the form has a button of its own. */
  save: (() => Promise<boolean>) | undefined;
}

interface Unsaved {
  forms: ReadonlyMap<string, EditedForm>;
  isSaving: boolean;
}

const changed = new Set<() => void>();
let unsaved: Unsaved = { forms: new Map(), isSaving: false };

function update(change: Partial<Unsaved>): void {
  unsaved = { ...unsaved, ...change };
  for (const notify of changed) notify();
}

function setForm(id: string, form: EditedForm | undefined): void {
  if (form === undefined && !unsaved.forms.has(id)) return;
  const forms = new Map(unsaved.forms);
  if (form === undefined) forms.delete(id);
  else forms.set(id, form);
  update({ forms });
}

const subscribe = (notify: () => void) => {
  changed.add(notify);
  return () => void changed.delete(notify);
};

/** Saves forms one after the other. Returns the first that wasn't saved, if any. */
export async function saveForms(forms: EditedForm[]): Promise<EditedForm | undefined> {
  if (unsaved.isSaving) return undefined;
  update({ isSaving: true });
  try {
    for (const form of forms) if (!(await form.save?.())) return form;
    return undefined;
  } finally {
    update({ isSaving: false });
  }
}

/**
 * Keeps a form from being left silently while it has edits. With `save`, which returns whether it saved, the form is
 * saved together with others by one button; `onSaved` may close the dialog.
 */
export function useUnsaved(isDirty: boolean, save?: () => Promise<boolean>, onSaved?: () => void) {
  const id = useId();
  const place = useContext(PlaceContext);
  const latest = useRef({ save, onSaved });
  useEffect(() => {
    latest.current = { save, onSaved };
  });
  const saveLatest = useCallback(async () => {
    const isSaved = (await latest.current.save?.()) ?? false;
    if (!isSaved) return false;
    // The form only knows after its next render, and the dialog must close without a question.
    setForm(id, undefined);
    latest.current.onSaved?.();
    return true;
  }, [id]);
  const hasSave = save !== undefined;
  useEffect(() => {
    setForm(id, isDirty ? { place, save: hasSave ? saveLatest : undefined } : undefined);
    return () => setForm(id, undefined);
  }, [id, place, isDirty, hasSave, saveLatest]);
  return {
    /** For a form that closes its dialog once it has saved by itself. */
    forgetEdits: () => setForm(id, undefined),
    /** Saves this form alone, when Enter is pressed in it. */
    submit: (event: FormEvent) => {
      event.preventDefault();
      void saveForms([{ place, save: saveLatest }]);
    },
  };
}

export const hasUnsaved = (): boolean => unsaved.forms.size > 0;

/** For when what the edits belong to has been deleted. */
export const forgetUnsaved = (): void => update({ forms: new Map() });

/** Returns the forms with edits, oldest edits first, and whether they are being saved. */
export function useUnsavedForms(): { forms: EditedForm[]; isSaving: boolean } {
  const { forms, isSaving } = useSyncExternalStore(subscribe, () => unsaved);
  return { forms: [...forms.values()], isSaving };
}
