import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { followSignIn } from './app/follow-sign-in.ts';
import { router } from './app/router.tsx';
import { startTheme } from './lib/theme.ts';
import './styles/main.css';
import './styles/marks.css';

startTheme();
const place = document.getElementById('root');
if (!place) throw new Error('index.html has no element with the id "root"');

followSignIn();
createRoot(place).render(
  <StrictMode>
    <RouterProvider router={router} />
  </StrictMode>,
);
