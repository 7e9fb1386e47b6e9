export const themeChoices = ['system', 'light', 'dark'] as const;
export type ThemeChoice = (typeof themeChoices)[number];

const KEY = 'hourshare_theme';

/** Returns the theme chosen on this device; the system's if none or an invalid one is stored. */
export function themeChoice(): ThemeChoice {
  const stored = localStorage.getItem(KEY);
  return themeChoices.find((choice) => choice === stored) ?? 'system';
}

export function chooseTheme(choice: ThemeChoice): void {
  if (choice === 'system') localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, choice);
  apply();
}

// Without the attribute, the style sheet follows the system, and so does the browser's theme color.
function apply(): void {
  const choice = themeChoice();
  if (choice === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = choice;
  for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')) {
    const theme = meta.dataset['theme'];
    // oxlint-disable-next-line hourshare/text-in-catalog -- a media query
    meta.media = choice === 'system' ? `(prefers-color-scheme: ${theme})` : choice === theme ? 'all' : 'not all';
  }
}

/** Applies the theme before the first render and follows changes in other tabs. */
export function startTheme(): void {
  apply();
  window.addEventListener('storage', (event) => {
    if (event.key === KEY || event.key === null) apply();
  });
}
