// @vitest-environment happy-dom
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { currentSignIn, restoreSignIn } from '../../platform/auth/sign-in.ts';
import { aUser, errorReply, fakeServer, storeTestSignIn } from '../../testing/fake-server.ts';
import { login, logout, refreshUserInBackground, revokeSignIn } from './api.ts';
import { pendingLogout } from './pending-logout.ts';

beforeEach(() => {
  localStorage.clear();
  storeTestSignIn('a', 'r');
  restoreSignIn();
  vi.spyOn(console, 'error').mockImplementation(() => {});
});

describe('logout', () => {
  it('sends the refresh token to the server', async () => {
    const received = fakeServer(() => ({ status: 204 }));
    await logout();
    expect(received.map(({ path, body }) => [path, body])).toEqual([['/api/logout/', { refresh_token: 'r' }]]);
    expect(currentSignIn()).toBeNull();
  });

  it.each(['no connection' as const, errorReply(500, 'internal', 'Broken.')])(
    'clears local storage even if the request fails',
    async (reply) => {
      fakeServer(() => reply);
      await logout();
      expect(localStorage).toHaveLength(0);
      expect(currentSignIn()).toBeNull();
      expect(pendingLogout.get()).toBe('r');
    },
  );

  it('can be retried until the server confirms it', async () => {
    let reply: { status: number } | 'no connection' = 'no connection';
    const received = fakeServer(() => reply);
    await logout();
    await expect(revokeSignIn(pendingLogout.get())).rejects.toBeInstanceOf(Error);
    expect(pendingLogout.get()).not.toBeNull();
    reply = { status: 204 };
    await revokeSignIn(pendingLogout.get());
    expect(received.at(-1)?.body).toEqual({ refresh_token: 'r' });
    expect(pendingLogout.get()).toBeNull();
  });
});

describe('reading the user again', () => {
  it.each([
    ['logs a failure', false, 1],
    ['logs nothing about someone who has signed out in the meantime', true, 0],
  ])('%s', async (_, signsOut, logged) => {
    let end = (): void => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    fakeServer(async ({ path }) => {
      if (path !== '/api/me/') return { status: 204 };
      await ended;
      return errorReply(500, 'internal', 'Broken.');
    });
    refreshUserInBackground();
    if (signsOut) await logout();
    end();
    await new Promise((resolve) => setTimeout(resolve, 0));
    await vi.waitFor(() => expect(console.error).toHaveBeenCalledTimes(logged));
  });
});

describe('signing in', () => {
  const signInAs = (language: string | null) => {
    fakeServer(() => ({ status: 200, json: { access: 'a', refresh: 'r', user: { ...aUser, language } } }));
    return login({ username: 'mira', password: 'correct horse' });
  };

  it("brings the account's language to this device, where it stays after signing out", async () => {
    localStorage.setItem('hourshare_language', 'fr');
    await signInAs('ja');
    expect(localStorage.getItem('hourshare_language')).toBe('ja');
    await logout();
    expect(localStorage.getItem('hourshare_language')).toBe('ja');
  });

  it('stores nothing if the browser asks for the language of the account', async () => {
    await signInAs('en');
    expect(localStorage.getItem('hourshare_language')).toBeNull();
  });

  it("keeps this device's choice if the account has none", async () => {
    localStorage.setItem('hourshare_language', 'fr');
    await signInAs(null);
    expect(localStorage.getItem('hourshare_language')).toBe('fr');
  });
});
