import { beforeEach, describe, expect, it, vi } from 'vitest';
import { currentSignIn, restoreSignIn } from '../../lib/sign-in.ts';
import { errorReply, fakeServer, storeTokensOf } from '../../testing/fake-server.ts';
import { logout, tellOfLogout } from './api.ts';
import { untoldLogout } from './untold-logout.ts';

beforeEach(() => {
  localStorage.clear();
  storeTokensOf('a', 'r');
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
      expect(untoldLogout()).toBe('r');
    },
  );

  it('can be retried until the server confirms it', async () => {
    let reply: { status: number } | 'no connection' = 'no connection';
    const received = fakeServer(() => reply);
    await logout();
    await expect(tellOfLogout(untoldLogout())).rejects.toBeInstanceOf(Error);
    expect(untoldLogout()).not.toBeNull();
    reply = { status: 204 };
    await tellOfLogout(untoldLogout());
    expect(received.at(-1)?.body).toEqual({ refresh_token: 'r' });
    expect(untoldLogout()).toBeNull();
  });
});
