// A plain script that runs before the first paint, so it can't import anything. It keeps prerendered signed-out content
// from flashing for signed-in users (styles/main.css).
try {
  if (localStorage.getItem('user') !== null && localStorage.getItem('access_token') !== null)
    document.documentElement.dataset['signedIn'] = '';
  // Duplicates lib/theme.ts, which runs after the first paint.
  const theme = localStorage.getItem('hourshare_theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset['theme'] = theme;
} catch {
  // Without storage, the user is signed out and the theme is the system's.
}
