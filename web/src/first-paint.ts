// A plain script that runs before the first paint, so it can't import anything. It keeps prerendered content
// from flashing for those who get another page (styles/main.css): signed-in users, and visitors in other languages.
try {
  const root = document.documentElement;
  const isSignedIn = localStorage.getItem('user') !== null && localStorage.getItem('access_token') !== null;
  if (isSignedIn) root.dataset['signedIn'] = '';
  // Duplicates ui/theme.ts, which runs after the first paint.
  const theme = localStorage.getItem('hourshare_theme');
  if (theme === 'light' || theme === 'dark') root.dataset['theme'] = theme;

  // An English public page leads to that in the language that platform/i18n/language.ts would prefer.
  const links = [...document.querySelectorAll<HTMLLinkElement>('link[hreflang]:not([hreflang="x-default"])')];
  const languageOf = (locale: string | null) => locale?.split('-', 1)[0];
  const preferred = [localStorage.getItem('hourshare_language'), ...navigator.languages]
    .map(
      (locale) =>
        links.find(({ hreflang }) => hreflang === locale) ??
        links.find(({ hreflang }) => languageOf(hreflang) === languageOf(locale)),
    )
    .find((link) => link !== undefined);
  if (!isSignedIn && root.lang === 'en' && preferred && preferred.hreflang !== 'en') {
    root.dataset['leaving'] = '';
    // The server's public address may differ from the one this visitor uses.
    const { pathname } = new URL(preferred.href);
    window.location.replace(`${pathname}${window.location.search}${window.location.hash}`);
  }
} catch {
  // Without storage, the user is signed out and the theme is the system's.
}
