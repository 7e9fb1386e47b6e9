import { useSyncExternalStore } from 'react';

export const themeChoices = ['system', 'light', 'dark'] as const;
export type ThemeChoice = (typeof themeChoices)[number];

const KEY = 'hourshare_theme';

/** What the viewer chose on this device. Nothing stored, or nothing that means anything, follows the system. */
function themeChoice(): ThemeChoice {
  const stored = localStorage.getItem(KEY);
  return themeChoices.find((choice) => choice === stored) ?? 'system';
}

export function chooseTheme(choice: ThemeChoice): void {
  if (choice === 'system') localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, choice);
  apply();
}

// Without the attribute the style sheet follows the system, live; so do the colours of the browser's own bars.
function apply(): void {
  const choice = themeChoice();
  if (choice === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = choice;
  for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')) {
    const theme = meta.dataset['theme'];
    meta.media = choice === 'system' ? `(prefers-color-scheme: ${theme})` : choice === theme ? 'all' : 'not all';
  }
}

/** Called before anything is drawn. Another tab's choice holds here too. */
export function startTheme(): void {
  apply();
  window.addEventListener('storage', (event) => {
    if (event.key === KEY || event.key === null) apply();
  });
}

const onChoice = (changed: () => void): (() => void) => {
  const choice = new MutationObserver(changed);
  choice.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
  return () => choice.disconnect();
};

export const useThemeChoice = (): ThemeChoice => useSyncExternalStore(onChoice, themeChoice);

/** Calls back when the colours change: the system's scheme, the page's own choice in data-theme, or screen and paper. */
export function watchTheme(changed: () => void): () => void {
  const queries = ['(prefers-color-scheme: dark)', 'print'].map((query) => window.matchMedia(query));
  for (const query of queries) query.addEventListener('change', changed);
  const stop = onChoice(changed);
  return () => {
    for (const query of queries) query.removeEventListener('change', changed);
    stop();
  };
}
