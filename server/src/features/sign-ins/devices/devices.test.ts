import type { SignedIn, SignIn } from '@hourshare/contract/sign-ins';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openTestApi, TEST_PASSWORD, type TestApi } from '../../../testing/api.ts';

const DAY = 24 * 60 * 60_000;
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

let api: TestApi;
let mira: SignedIn;
beforeAll(async () => {
  api = await openTestApi();
});
beforeEach(async () => {
  await api.reset();
  mira = await api.register('mira');
});
afterAll(() => api.close());

const signIn = async (userAgent = FIREFOX): Promise<SignedIn> => {
  const body = { username: 'mira', password: TEST_PASSWORD };
  return (await api.call<SignedIn>('POST', '/api/login/', { body, headers: { 'user-agent': userAgent } })).body;
};
const list = async (caller: SignedIn) =>
  (await api.call<{ sign_ins: SignIn[] }>('GET', '/api/me/sign-ins/', { as: caller })).body.sign_ins;
const idOf = async (caller: SignedIn) => (await list(caller)).find(({ current }) => current)?.id ?? Number.NaN;
const statusOf = async (caller: SignedIn) => (await api.call('GET', '/api/me/', { token: caller.access })).status;
const end = (caller: SignedIn, path = '') => api.call('DELETE', `/api/me/sign-ins/${path}`, { as: caller });
const rename = (caller: SignedIn, id: number, name: unknown) =>
  api.call<SignIn>('PATCH', `/api/me/sign-ins/${id}/`, { as: caller, body: { name } });
const refresh = ({ refresh: token }: SignedIn) => api.call('POST', '/api/token/refresh/', { body: { refresh: token } });

describe('the sign-ins of a user', () => {
  it('are listed with readable names, most recently used first, and the current one is marked', async () => {
    api.clock.advance(DAY);
    const laptop = await signIn();
    api.clock.advance(DAY);
    await refresh(mira);
    expect(await list(laptop)).toEqual([
      {
        id: await idOf(mira),
        name: null,
        browser: null,
        system: null,
        created_at: '2026-03-10T12:00:00.000Z',
        last_used_at: '2026-03-12T12:00:00.000Z',
        current: false,
      },
      {
        id: await idOf(laptop),
        name: null,
        browser: 'Firefox',
        system: 'Linux',
        created_at: '2026-03-11T12:00:00.000Z',
        last_used_at: '2026-03-11T12:00:00.000Z',
        current: true,
      },
    ]);
  });

  it('contain no secrets, and no one else’s sign-ins', async () => {
    await api.register('ben');
    const { text } = await api.call('GET', '/api/me/sign-ins/', { as: mira });
    expect(await list(mira)).toHaveLength(1);
    const rows = await api.deps.db.selectFrom('sign_ins').select(['handle', 'refresh_hash']).execute();
    for (const { handle, refresh_hash: hash } of rows) {
      expect(text).not.toContain(handle);
      expect(text).not.toContain(hash);
    }
  });

  it('end with sign-out, and when they are not used for 30 days', async () => {
    const laptop = await signIn();
    await api.call('POST', '/api/logout/', { body: { refresh_token: laptop.refresh } });
    expect(await list(mira)).toHaveLength(1);
    api.clock.advance(29 * DAY);
    const other = await signIn();
    api.clock.advance(DAY - 1);
    expect(await list(other)).toHaveLength(2);
    api.clock.advance(1);
    expect(await list(other)).toHaveLength(1);
  });
});

describe('a name', () => {
  it('is given, changed, and removed', async () => {
    const id = await idOf(mira);
    expect((await rename(mira, id, ' My laptop ')).body).toMatchObject({ id, name: 'My laptop' });
    expect((await list(mira))[0]?.name).toBe('My laptop');
    expect((await rename(mira, id, null)).body.name).toBeNull();
  });

  it('is one visible line of at most 50 characters', async () => {
    const id = await idOf(mira);
    for (const name of ['', ' ', 'a\nb', '‮gnp', 'x'.repeat(51), 5])
      expect(await rename(mira, id, name)).toMatchObject({
        status: 400,
        body: { fields: { name: [expect.any(String)] } },
      });
    expect((await rename(mira, id, 'x'.repeat(50))).status).toBe(200);
  });
});

describe('ending', () => {
  it('one stops its tokens at once', async () => {
    const laptop = await signIn();
    expect((await end(mira, `${await idOf(laptop)}/`)).status).toBe(204);
    expect([await statusOf(laptop), (await refresh(laptop)).status, await statusOf(mira)]).toEqual([401, 401, 200]);
  });

  it('needs a recent check', async () => {
    const [laptop, phone] = [await signIn(), await signIn()];
    const id = await idOf(laptop);
    api.clock.advance(10 * 60_000);
    for (const path of [`${id}/`, '', '999999/'])
      expect(await end(mira, path)).toMatchObject({ status: 403, body: { code: 'check_required' } });
    expect(await list(mira)).toHaveLength(3);
    const body = { current_password: TEST_PASSWORD };
    expect((await api.call('POST', '/api/me/check/', { as: mira, body })).status).toBe(200);
    expect((await end(mira, `${id}/`)).status).toBe(204);
    expect((await end(mira)).status).toBe(204);
    expect(await Promise.all([laptop, phone, mira].map((each) => list(each).then((all) => all?.length)))).toEqual([
      undefined,
      undefined,
      1,
    ]);
  });

  it('ending the current one signs out, without a check', async () => {
    const laptop = await signIn();
    api.clock.advance(10 * 60_000);
    expect((await end(laptop, `${await idOf(laptop)}/`)).status).toBe(204);
    expect([await statusOf(laptop), await statusOf(mira)]).toEqual([401, 200]);
  });

  it('all others keeps the current one, and those of other users', async () => {
    const [ben, laptop, phone] = [await api.register('ben'), await signIn(), await signIn()];
    expect((await end(laptop)).status).toBe(204);
    expect(await Promise.all([mira, phone, laptop, ben].map(statusOf))).toEqual([401, 401, 200, 200]);
    expect(await list(laptop)).toHaveLength(1);
  });

  it('is refused for one that has already ended, as is naming it', async () => {
    const laptop = await signIn();
    const id = await idOf(laptop);
    await end(laptop, `${id}/`);
    const absent = await end(mira, '999999/');
    expect(absent).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect((await end(mira, `${id}/`)).text).toBe(absent.text);
    expect((await rename(mira, id, 'Laptop')).text).toBe(absent.text);
  });

  it('each other at the same time leaves no ended sign-in active', async () => {
    for (let round = 0; round < 20; round++) {
      const [first, second] = [await signIn(), await signIn()];
      const ids = [await idOf(first), await idOf(second)];
      const answers = await Promise.all([end(first, `${ids[1]}/`), end(second, `${ids[0]}/`)]);
      const statuses = answers.map(({ status }) => status);
      // Each was either still signed in when it made the call, or had been ended by the other.
      expect([
        [204, 204],
        [204, 401],
        [401, 204],
      ]).toContainEqual(statuses);
      const ended = [second, first].filter((_, n) => statuses[n] === 204);
      expect(new Set(await Promise.all(ended.map(statusOf)))).toEqual(new Set([401]));
    }
  });
});
