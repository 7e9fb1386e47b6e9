import { useEffect, useState } from 'react';

// What was typed into a form before the page is loaded again. Kept in the history entry: it is this tab's and this page's.

declare module '@tanstack/react-router' {
  interface HistoryState {
    typed?: Record<string, string>;
  }
}

/** Keeps the text in the page's form, without passwords, for when the page has been loaded again. */
export function keepTypedText(): void {
  const inputs = [...document.querySelectorAll<HTMLInputElement>('main input[name]:not([type="password"])')];
  const typed = Object.fromEntries(inputs.map(({ name, value }) => [name, value]));
  window.history.replaceState({ ...window.history.state, typed }, '');
}

/**
 * Returns a form's first values: what was typed before this page was loaded, else the given ones. The text is given back
 * once, so that a later reload, perhaps by someone else, doesn't show it again.
 */
export function useTypedText<Values extends Record<string, string>>(values: Values): Values {
  const [first] = useState(() => withTypedText(values));
  useEffect(forgetTypedText, []);
  return first;
}

function forgetTypedText(): void {
  const state: unknown = window.history.state;
  if (typeof state !== 'object' || state === null || !('typed' in state)) return;
  const { typed: _, ...rest } = state;
  window.history.replaceState(rest, '');
}

function withTypedText<Values extends Record<string, string>>(values: Values): Values {
  const state: unknown = window.history.state;
  const typed = typeof state === 'object' && state !== null && 'typed' in state ? state.typed : null;
  if (typeof typed !== 'object' || typed === null) return values;
  const kept = Object.entries(typed).filter(([name, value]) => name in values && typeof value === 'string');
  return { ...values, ...Object.fromEntries(kept) };
}
