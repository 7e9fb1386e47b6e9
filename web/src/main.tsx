import './platform/browser-gaps.ts';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { followSignIn } from './app/follow-sign-in.ts';
import { router } from './app/router.tsx';
import { setLanguage, startLanguage } from './platform/i18n/language.ts';
import { loadMessages } from './platform/i18n/messages.ts';
import { currentSignIn } from './platform/auth/sign-in.ts';
import { startTheme } from './ui/theme.ts';
import { surviveTranslation } from './platform/i18n/browser-translation.ts';
import './styles/main.css';
import './styles/marks.css';

surviveTranslation();
startTheme();
const root = document.getElementById('root');
if (!root) throw new Error('index.html has no element with the id "root"');

followSignIn();
const app = (
  <StrictMode>
    <RouterProvider router={router} />
  </StrictMode>
);
// A prerendered page is for signed-out visitors; React hydrates it once its code has loaded. Any other page renders
// from scratch.
const isPrerendered = root.dataset['page'] === window.location.pathname && currentSignIn() === null;
startLanguage(isPrerendered);
const messages = loadMessages(currentSignIn() === null ? 'public' : 'app');
if (isPrerendered) {
  // Without them the page stays as it is: it can be read, and its links work.
  Promise.all([messages, router.load()]).then(
    () => hydrateRoot(root, app),
    () => undefined,
  );
} else {
  const hasFrame = root.dataset['page'] === undefined && currentSignIn() !== null;
  if (!hasFrame) root.replaceChildren();
  delete root.dataset['page'];
  // If they fail to load, the English text in the code is shown.
  const translated = messages.catch(() => setLanguage('en'));
  // The frame of app.html stays until the page's code is there.
  const loaded = hasFrame && router.load().catch(() => undefined);
  void Promise.all([translated, loaded]).then(() => createRoot(root).render(app));
}
