// Runs as a plain script before anything is painted, so it imports nothing. The pages that are made at build time show
// what the signed-out see: to who is signed in they must not flash before their own page comes (styles/main.css).
try {
  if (localStorage.getItem('user') !== null && localStorage.getItem('access_token') !== null)
    document.documentElement.dataset['signedIn'] = '';
  // As lib/theme.ts does, which comes too late for the first paint.
  const theme = localStorage.getItem('hourshare_theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset['theme'] = theme;
} catch {
  // Without storage nobody is signed in, and the theme is the system's.
}
