import { useSyncExternalStore } from 'react';
import { themeChoice, type ThemeChoice } from './theme.ts';

const onChoice = (changed: () => void): (() => void) => {
  const choice = new MutationObserver(changed);
  choice.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
  return () => choice.disconnect();
};

export const useThemeChoice = (): ThemeChoice => useSyncExternalStore(onChoice, themeChoice);

/**
 * Calls back when colors change through the system, the page's theme, or printing. Returns a function that stops it.
 */
export function watchTheme(changed: () => void): () => void {
  const queries = ['(prefers-color-scheme: dark)', 'print'].map((query) => window.matchMedia(query));
  for (const query of queries) query.addEventListener('change', changed);
  const stop = onChoice(changed);
  return () => {
    for (const query of queries) query.removeEventListener('change', changed);
    stop();
  };
}
