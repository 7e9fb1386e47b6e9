import type { DialogSearch } from '../platform/paths.ts';

// News for everyone: ui/toaster.tsx shows it and is the live region that reads it. Titles of pages are only read
// (ui/announcer.tsx), because the page shows them.

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

let toasts: readonly Toast[] = [];
let lastId = 0;
let title = '';
const listeners = new Set<() => void>();

function tell(): void {
  for (const listener of listeners) listener();
}

/** Shows and reads a message. The same message again replaces the earlier one, unless that can be undone. Returns its id. */
export function announce(text: string, rest: Omit<Announcement, 'text'> = {}): number {
  lastId += 1;
  const others = toasts.filter((toast) => toast.text !== text || toast.undo);
  toasts = [...others, { id: lastId, text, ...rest }].slice(-MAX_TOASTS);
  tell();
  return lastId;
}

/** Changes the second line of a message that is still shown. */
export function showDetail(id: number, detail: string): void {
  toasts = toasts.map((toast) => (toast.id === id ? { ...toast, detail } : toast));
  tell();
}

export function dismiss(id: number): void {
  toasts = toasts.filter((toast) => toast.id !== id);
  tell();
}

/** Removes the last user's messages. */
export function dismissAll(): void {
  toasts = [];
  tell();
}

export function announceTitle(next: string): void {
  title = next;
  tell();
}

export const currentToasts = (): readonly Toast[] => toasts;
export const latestTitle = (): string => title;

export function onAnnouncement(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
