import { createAtom } from '@tanstack/react-store';
import type { DialogSearch } from '../platform/paths.ts';

// News for everyone: ui/toaster.tsx shows it and is the live region that reads it.

interface Announcement {
  text: string;
  /** A second, quieter line. */
  detail?: string | undefined;
  /** Something failed that no other place on the screen says. */
  failed?: boolean;
  /** The dialog in which to edit what was announced. */
  edit?: DialogSearch;
  /** Undoes what was announced. */
  undo?: () => void;
  /** The dialog in which to share what was added. */
  share?: DialogSearch;
}
export type Toast = Announcement & { id: number };

const MAX_TOASTS = 3;

export const toasts = createAtom<readonly Toast[]>([]);
let lastId = 0;

/** Shows and reads a message. The same message again replaces the earlier one, unless that can be undone. Returns its id. */
export function announce(text: string, rest: Omit<Announcement, 'text'> = {}): number {
  lastId += 1;
  const toast = { id: lastId, text, ...rest };
  toasts.set((shown) => [...shown.filter((each) => each.text !== text || each.undo), toast].slice(-MAX_TOASTS));
  return lastId;
}

/** Changes the second line of a message that is still shown. */
export const showDetail = (id: number, detail: string): void =>
  toasts.set((shown) => shown.map((toast) => (toast.id === id ? { ...toast, detail } : toast)));

export const dismiss = (id: number): void => toasts.set((shown) => shown.filter((toast) => toast.id !== id));

/** Removes the last user's messages. */
export const dismissAll = (): void => toasts.set([]);
