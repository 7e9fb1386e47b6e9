// A plain script that runs before the first paint, so it can't import anything. It keeps prerendered content
// from flashing for those who get another page (styles/main.css): signed-in users, and visitors in other languages.
try {
  const root = document.documentElement;
  const isSignedIn = localStorage.getItem('user') !== null && localStorage.getItem('access_token') !== null;
  if (isSignedIn) root.dataset['signedIn'] = '';
  // Duplicates ui/theme.ts, which runs after the first paint.
  const theme = localStorage.getItem('hourshare_theme');
  if (theme === 'light' || theme === 'dark') root.dataset['theme'] = theme;

  const languageOf = (locale: string | null) => locale?.split('-', 1)[0];
  /** Returns the one of these languages that platform/i18n/language.ts would prefer. */
  const prefer = (languages: string[]) =>
    [localStorage.getItem('hourshare_language'), ...navigator.languages]
      .map(
        (locale) =>
          languages.find((each) => each === locale) ??
          languages.find((each) => languageOf(each) === languageOf(locale)),
      )
      .find((each) => each !== undefined);

  // What comes after the sign-in is loaded along with what decides on that. The build names it (vite.config.ts).
  const { scripts, catalogs, languages = '' } = document.currentScript?.dataset ?? {};
  if (isSignedIn && scripts !== undefined)
    for (const address of [...scripts.split(' '), `${catalogs}${prefer(languages.split(' ')) ?? 'en'}-app.js`]) {
      const link = document.createElement('link');
      link.rel = 'modulepreload';
      link.href = address;
      document.head.append(link);
    }

  // An English public page leads to that in the preferred language.
  const links = [...document.querySelectorAll<HTMLLinkElement>('link[hreflang]:not([hreflang="x-default"])')];
  const preferred = prefer(links.map(({ hreflang }) => hreflang));
  const link = links.find(({ hreflang }) => hreflang === preferred);
  if (!isSignedIn && root.lang === 'en' && link && preferred !== 'en') {
    root.dataset['leaving'] = '';
    // The server's public address may differ from the one this visitor uses.
    const { pathname } = new URL(link.href);
    window.location.replace(`${pathname}${window.location.search}${window.location.hash}`);
  }
} catch {
  // Without storage, the user is signed out and the theme is the system's.
}
