// @vitest-environment happy-dom
import { expect, it, vi } from 'vitest';
import { pendingLogout } from '../features/accounts/pending-logout.ts';
import { currentSignIn } from '../platform/auth/sign-in.ts';
import { storeTestSignIn } from '../testing/fake-server.ts';
import { followSignIn } from './follow-sign-in.ts';

// As without a connection, when the browser can't load another script.
vi.mock('../features/accounts/api.ts', () => {
  throw new Error('no connection');
});

it('removes an unreadable stored user even if the code that signs out cannot be loaded', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  storeTestSignIn('a', 'r');
  localStorage.setItem('user', '{broken');
  followSignIn();
  await vi.waitFor(() => expect(localStorage).toHaveLength(0));
  expect(currentSignIn()).toBeNull();
  expect(pendingLogout.get()).toBe('r');
});
