import { RouterProvider } from '@tanstack/react-router';
import { act, render } from '@testing-library/react';
import userEvent, { type UserEvent } from '@testing-library/user-event';
import { vi } from 'vitest';
import { router } from '../app/router.tsx';
import { queryClient } from '../platform/http/query-client.ts';
import { restoreSignIn } from '../platform/auth/sign-in.ts';
import { storeTestSignIn } from './fake-server.ts';

/** Resets the app before a test: an empty cache, no retries, and a quiet console. */
export function prepareApp(): void {
  queryClient.clear();
  const options = queryClient.getDefaultOptions();
  queryClient.setDefaultOptions({ ...options, queries: { ...options.queries, retry: false } });
  vi.spyOn(console, 'error').mockImplementation(() => {});
  vi.stubGlobal('scrollTo', () => {});
}

/** Opens a path of the app, signed in by default. */
export async function openApp(address: string, { signedIn = true } = {}): Promise<UserEvent> {
  localStorage.clear();
  if (signedIn) storeTestSignIn('a', 'r');
  restoreSignIn();
  window.history.pushState(null, '', address);
  render(<RouterProvider router={router} />);
  await act(() => router.load());
  return userEvent.setup();
}
