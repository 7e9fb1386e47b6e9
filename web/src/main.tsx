import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { followSignIn } from './app/follow-sign-in.ts';
import { router } from './app/router.tsx';
import { currentSignIn } from './lib/sign-in.ts';
import { startTheme } from './lib/theme.ts';
import './styles/main.css';
import './styles/marks.css';

startTheme();
const place = document.getElementById('root');
if (!place) throw new Error('index.html has no element with the id "root"');

followSignIn();
const app = (
  <StrictMode>
    <RouterProvider router={router} />
  </StrictMode>
);
// What was made at build time is for the signed-out; React takes it over once the page's own code is there, and until
// then it is read and its links work. Anything else starts from nothing.
if (place.dataset['page'] === window.location.pathname && currentSignIn() === null) {
  void router.load().then(() => hydrateRoot(place, app));
} else {
  place.replaceChildren();
  delete place.dataset['page'];
  createRoot(place).render(app);
}
