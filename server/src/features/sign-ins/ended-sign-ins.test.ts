import { endpoints, type Endpoint } from '@hourshare/contract/endpoints';
import type { SignedIn, TokenPair } from '@hourshare/contract/sign-ins';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildApp } from '../../app.ts';
import { freshAccess, openTestApi, TEST_PASSWORD, type TestApi } from '../../testing/api.ts';
import { everyCase } from '../../testing/every-case.ts';
import { writingCalls } from '../../testing/writing-calls.ts';

const NEXT_PASSWORD = 'a longer battery of horses';

let api: TestApi;
let otherServer: FastifyInstance;
beforeAll(async () => {
  api = await openTestApi();
  otherServer = await buildApp(api.deps);
});
beforeEach(() => api.reset());
afterAll(async () => {
  await otherServer.close();
  await api.close();
});

const post = (path: string, body: object, token?: string) =>
  api.call('POST', path, { body, ...(token === undefined ? {} : { token }) });
const signIn = async (password = TEST_PASSWORD) =>
  (await api.call<SignedIn>('POST', '/api/login/', { body: { username: 'mira', password } })).body;

/** Returns the status that an access token gets from this server and from another one on the same database. */
async function statusesOf({ access }: TokenPair): Promise<number[]> {
  const other = await otherServer.inject({ url: '/api/me/', headers: { authorization: `Bearer ${access}` } });
  return [(await api.call('GET', '/api/me/', { token: access })).status, other.statusCode];
}

describe('an access token', () => {
  it('stops working on every server as soon as its sign-in signs out', async () => {
    const phone = await api.register('mira');
    const laptop = await signIn();
    await post('/api/logout/', { refresh_token: phone.refresh });
    expect(await statusesOf(phone)).toEqual([401, 401]);
    expect(await statusesOf(laptop)).toEqual([200, 200]);
  });

  it('stops working as soon as the password is changed on another device', async () => {
    const phone = await api.register('mira');
    const laptop = await signIn();
    const body = { current_password: TEST_PASSWORD, new_password: NEXT_PASSWORD };
    expect((await post('/api/me/password/', body, laptop.access)).status).toBe(204);
    expect(await statusesOf(phone)).toEqual([401, 401]);
    expect(await statusesOf(laptop)).toEqual([200, 200]);
  });

  it('stops working as soon as a replaced refresh token of its sign-in is reused', async () => {
    const phone = await api.register('mira');
    const { body } = await api.call<TokenPair>('POST', '/api/token/refresh/', { body: { refresh: phone.refresh } });
    expect(await statusesOf(body)).toEqual([200, 200]);
    api.clock.advance(10_001);
    expect(await statusesOf(phone)).toEqual([200, 200]);
    await post('/api/token/refresh/', { refresh: phone.refresh });
    expect(await statusesOf(phone)).toEqual([401, 401]);
  });

  it('is rejected with 401 once its account is deleted', async () => {
    const phone = await api.register('mira');
    await api.deps.db.deleteFrom('users').where('id', '=', phone.user.id).execute();
    expect(await statusesOf(phone)).toEqual([401, 401]);
  });

  it('cannot change anything once its sign-in has ended', async () => {
    const phone = await api.register('mira');
    await post('/api/logout/', { refresh_token: phone.refresh });
    const answer = await api.call('PATCH', '/api/me/', {
      token: phone.access,
      body: { email: 'thief@example.org', current_password: TEST_PASSWORD, time_zone: 'Asia/Tokyo' },
    });
    expect(answer.status).toBe(401);
    expect((await signIn()).user).toEqual(phone.user);
  });
});

/** These only begin what a second call confirms. */
const BEGINNINGS = ['startPasskey', 'makeKey'];

/** Whether someone has access after a call for longer than they are signed in, or others no longer do. */
const isLasting = (method: string, path: string): boolean =>
  Object.entries<Endpoint>(endpoints).some(
    ([key, { recentCheck, administrator }]) =>
      recentCheck && !administrator && new RegExp(`^${key.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(`${method} ${path}`),
  );

it('a sign-in that ends while its request waits adds and removes no lasting access', async () => {
  const calls = Object.entries((await writingCalls(api)).calls).filter(
    ([name, [method, path]]) => isLasting(method, path) && !BEGINNINGS.includes(name),
  );
  const { turns, db, clock } = api.deps;
  const app = await buildApp({
    ...api.deps,
    turns: {
      async inTurn(userId, response, work) {
        await db.updateTable('sign_ins').set({ ended_at: clock() }).where('ended_at', 'is', null).execute();
        return turns.inTurn(userId, response, work);
      },
    },
  });
  await everyCase(
    calls,
    ([name]) => name,
    async ([name, [method, url, { as, body, headers }]]) => {
      await db.updateTable('sign_ins').set({ ended_at: null }).execute();
      const { statusCode } = await app.inject({
        method: method as 'POST',
        url,
        headers: { ...headers, authorization: `Bearer ${as ? await freshAccess(api.deps, as) : ''}` },
        payload: body as object,
      });
      // A check ends with the sign-in that made it.
      expect(statusCode).toBe(name === 'removePassword' ? 403 : 401);
    },
  );
  await app.close();
});

describe('signing out', () => {
  it('always succeeds, even with a used, invalid, or missing token', async () => {
    const { refresh } = await api.register('mira');
    for (const token of [refresh, refresh, 'x', null])
      expect((await post('/api/logout/', { refresh_token: token })).status).toBe(204);
  });
});
