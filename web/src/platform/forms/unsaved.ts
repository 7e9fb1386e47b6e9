import { createAtom, useSelector } from '@tanstack/react-store';
import { createContext, useContext, useCallback, useEffect, useId, useRef, type FormEvent } from 'react';

/** Where in nested tabs a form is, for example "costs/split". Each tab panel extends it by its name. */
export const PlaceContext = createContext('');

export interface EditedForm {
  place: string;
  /** Returns whether it was saved. Absent if the form has its own button. */
  save: (() => Promise<boolean>) | undefined;
  /** Whether it is being saved by its own button. */
  isSaving: boolean;
  /** Whether a dialog covers it: closing that loses none of its edits, unlike leaving the page. */
  isCovered: boolean;
}

interface Unsaved {
  forms: ReadonlyMap<string, EditedForm>;
  isSaving: boolean;
}

const unsaved = createAtom<Unsaved>({ forms: new Map(), isSaving: false });

const update = (change: Partial<Unsaved>): void => unsaved.set((before) => ({ ...before, ...change }));

function setForm(id: string, form: EditedForm | undefined): void {
  const before = unsaved.get().forms;
  if (form === undefined && !before.has(id)) return;
  const forms = new Map(before);
  if (form === undefined) forms.delete(id);
  else forms.set(id, form);
  update({ forms });
}

/** Saves forms one after the other. Returns the first that wasn't saved, if any. */
export async function saveForms<F extends Pick<EditedForm, 'save'>>(forms: F[]): Promise<F | undefined> {
  if (unsaved.get().isSaving) return undefined;
  update({ isSaving: true });
  try {
    for (const form of forms) if (!(await form.save?.())) return form;
    return undefined;
  } finally {
    update({ isSaving: false });
  }
}

interface UnsavedOptions {
  /** Saves the form together with others by one button, and returns whether it did. */
  save?: () => Promise<boolean>;
  /** Whether the form's own button is saving it. */
  isSaving?: boolean;
  /** Whether the form is on a page below an open dialog. */
  isCovered?: boolean;
  /** May close the form or its dialog. Not called once the form is gone, nor if something was typed since it was sent. */
  onSaved?: () => void;
}

/** Keeps a form from being left silently while it has edits. */
export function useUnsaved(
  isDirty: boolean,
  { save, isSaving = false, isCovered = false, onSaved }: UnsavedOptions = {},
) {
  const id = useId();
  const place = useContext(PlaceContext);
  const latest = useRef<UnsavedOptions>({});
  useEffect(() => {
    latest.current = { ...(save && { save }), ...(onSaved && { onSaved }) };
  });
  useEffect(() => () => void (latest.current = {}), []);
  const finish = useCallback(() => {
    if (!unsaved.get().forms.has(id)) latest.current.onSaved?.();
  }, [id]);
  const saveLatest = useCallback(async () => {
    const isSaved = (await latest.current.save?.()) ?? false;
    if (isSaved) finish();
    return isSaved;
  }, [finish]);
  const hasSave = save !== undefined;
  useEffect(() => {
    setForm(id, isDirty ? { place, save: hasSave ? saveLatest : undefined, isSaving, isCovered } : undefined);
    return () => setForm(id, undefined);
  }, [id, place, isDirty, hasSave, saveLatest, isSaving, isCovered]);
  return {
    /** For a form with its own button: call it after `markSaved`. */
    finish,
    /** Saves this form alone, when Enter is pressed in it. */
    submit: (event: FormEvent) => {
      event.preventDefault();
      void saveForms([{ save: saveLatest }]);
    },
  };
}

export const unsavedForms = (): EditedForm[] => [...unsaved.get().forms.values()];

export const hasUnsaved = (): boolean => unsaved.get().forms.size > 0;

/** For when what the edits belong to has been deleted, or the user gives them up. */
export const forgetUnsaved = (): void => update({ forms: new Map() });

/** Returns the forms with edits, oldest edits first, and whether they are being saved. */
export function useUnsavedForms(): { forms: EditedForm[]; isSaving: boolean } {
  const { forms, isSaving } = useSelector(unsaved);
  const edited = [...forms.values()];
  return { forms: edited, isSaving: isSaving || edited.some((form) => form.isSaving) };
}

type Ask = (proceed: () => void) => void;
let ask: Ask | undefined;
let isHeld = false;

/** Sets who asks before edits are lost. Returns a function that unsets it. */
export function askWith(next: Ask): () => void {
  ask = next;
  return () => void (ask = undefined);
}

/** Does something that loses edits, such as a sign-out; asks first if there are any. */
export const loseEdits = (proceed: () => void): void => (hasUnsaved() && ask ? ask(proceed) : proceed());

/** Remembers whether leaving has begun, and waits for an answer or for a save. */
export const holdLeaving = (hold: boolean): void => void (isHeld = hold);
export const isLeavingHeld = (): boolean => isHeld;
