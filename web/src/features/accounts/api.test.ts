import { beforeEach, describe, expect, it, vi } from 'vitest';
import { currentSignIn, restoreSignIn } from '../../lib/sign-in.ts';
import { errorReply, fakeServer, storeTestSignIn } from '../../testing/fake-server.ts';
import { logout, revokeSignIn } from './api.ts';
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
      expect(pendingLogout()).toBe('r');
    },
  );

  it('can be retried until the server confirms it', async () => {
    let reply: { status: number } | 'no connection' = 'no connection';
    const received = fakeServer(() => reply);
    await logout();
    await expect(revokeSignIn(pendingLogout())).rejects.toBeInstanceOf(Error);
    expect(pendingLogout()).not.toBeNull();
    reply = { status: 204 };
    await revokeSignIn(pendingLogout());
    expect(received.at(-1)?.body).toEqual({ refresh_token: 'r' });
    expect(pendingLogout()).toBeNull();
  });
});
