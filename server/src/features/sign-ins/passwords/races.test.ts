import type { SignedIn } from '@hourshare/contract/sign-ins';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildApp } from '../../../app.ts';
import { createPasswords } from '../../../platform/passwords.ts';
import { openTestApi, TEST_PASSWORD, type TestApi } from '../../../testing/api.ts';
import { createResetLink } from '../recovery/service.ts';

let api: TestApi;
beforeAll(async () => {
  // Takes as long to hash as the server, so that requests overlap as they do there.
  api = await openTestApi({}, { passwords: createPasswords() });
});
beforeEach(() => api.reset());
afterAll(() => api.close());

const NEXT_PASSWORD = 'a longer battery of horses';
const signIn = (password: string) =>
  api.call<SignedIn>('POST', '/api/login/', { body: { username: 'mira', password } });
const change = (caller: SignedIn, next = NEXT_PASSWORD) =>
  api.call('POST', '/api/me/password/', {
    token: caller.access,
    body: { current_password: TEST_PASSWORD, new_password: next },
  });
const isAlive = async ({ access, refresh }: SignedIn) =>
  (await api.call('GET', '/api/me/', { token: access })).status === 200 ||
  (await api.call('POST', '/api/token/refresh/', { body: { refresh } })).status === 200;

/** Builds an app that holds back the results of password checks until `open` is called. */
async function appWithSlowChecks() {
  let open = () => {};
  let checked = () => {};
  const gate = new Promise<void>((resolve) => (open = resolve));
  const waiting = new Promise<void>((resolve) => (checked = resolve));
  const { passwords } = api.deps;
  const app = await buildApp({
    ...api.deps,
    passwords: {
      ...passwords,
      async matches(password, stored) {
        const matches = await passwords.matches(password, stored);
        checked();
        await gate;
        return matches;
      },
    },
  });
  return { app, open: () => open(), waiting };
}

describe('a sign-in that verified the password just before it changed', () => {
  it('is rejected and adds no sign-in', async () => {
    const mira = await api.register('mira');
    const { app, open, waiting } = await appWithSlowChecks();
    const payload = { username: 'mira', password: TEST_PASSWORD };
    const pendingLogin = app.inject({ method: 'POST', url: '/api/login/', payload });
    await waiting;
    expect((await change(mira)).status).toBe(204);
    open();
    expect((await pendingLogin).statusCode).toBe(401);
    await app.close();
    const signIns = await api.deps.db.selectFrom('sign_ins').select('ended_at').execute();
    expect(signIns).toEqual([{ ended_at: null }]);
  });

  it('never survives, whatever the timing', async () => {
    await api.register('mira');
    for (let round = 0, current = TEST_PASSWORD; round < 5; round++) {
      const next = `${NEXT_PASSWORD} ${round}`;
      const laptop = (await signIn(current)).body;
      const body = { current_password: current, new_password: next };
      const [changed, ...logins] = await Promise.all([
        api.call('POST', '/api/me/password/', { token: laptop.access, body }),
        ...Array.from({ length: 8 }, () => signIn(current)),
      ]);
      expect(changed.status).toBe(204);
      expect(await isAlive(laptop)).toBe(true);
      expect(logins.map(({ status }) => status).filter((status) => status !== 200 && status !== 401)).toEqual([]);
      const signedIn = logins.filter(({ status }) => status === 200);
      expect(await Promise.all(signedIn.map((each) => isAlive(each.body)))).toEqual(signedIn.map(() => false));
      current = next;
    }
  });
});

describe('a password set with a link', () => {
  const reset = async (userId: number, password: string) => {
    const token = (await createResetLink(api.deps, userId))?.split('#')[1];
    return api.call('POST', '/api/password-reset/confirm/', { body: { token, password } });
  };

  it('leaves no sign-in that verified the old one, regardless of timing', async () => {
    const mira = await api.register('mira');
    for (let round = 0, current = TEST_PASSWORD; round < 5; round++) {
      const next = `${NEXT_PASSWORD} ${round}`;
      const [set, ...logins] = await Promise.all([
        reset(mira.user.id, next),
        ...Array.from({ length: 8 }, () => signIn(current)),
      ]);
      expect(set.status).toBe(204);
      const signedIn = logins.filter(({ status }) => status === 200);
      expect(await Promise.all(signedIn.map((each) => isAlive(each.body)))).toEqual(signedIn.map(() => false));
      current = next;
    }
  });

  it('and a concurrent password change leave only one password valid', async () => {
    const mira = await api.register('mira');
    const [set, changed] = await Promise.all([
      reset(mira.user.id, `${NEXT_PASSWORD} by link`),
      change(mira, `${NEXT_PASSWORD} by hand`),
    ]);
    expect([204, 400]).toContain(set.status);
    expect([204, 400, 401]).toContain(changed.status);
    const works = await Promise.all(['by link', 'by hand'].map((end) => signIn(`${NEXT_PASSWORD} ${end}`)));
    expect(works.filter(({ status }) => status === 200)).toHaveLength(1);
  });
});

describe('concurrent password changes', () => {
  it('let one succeed and tell the others that their current password is wrong', async () => {
    const mira = await api.register('mira');
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => change(mira, `${NEXT_PASSWORD} ${String(n).padStart(2, '0')}`)),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 204)).toHaveLength(1);
    expect(statuses.filter((status) => status === 400)).toHaveLength(19);
    const winner = `${NEXT_PASSWORD} ${String(statuses.indexOf(204)).padStart(2, '0')}`;
    expect((await signIn(winner)).status).toBe(200);
  });
});

describe('an email change that verified the password just before it changed', () => {
  it('is rejected', async () => {
    const mira = await api.register('mira');
    const { app, open, waiting } = await appWithSlowChecks();
    const pendingChange = app.inject({
      method: 'PATCH',
      url: '/api/me/',
      headers: { authorization: `Bearer ${mira.access}` },
      payload: { email: 'thief@example.org', current_password: TEST_PASSWORD },
    });
    await waiting;
    expect((await change(mira)).status).toBe(204);
    open();
    expect((await pendingChange).statusCode).toBe(400);
    await app.close();
    expect((await signIn(NEXT_PASSWORD)).body.user.email).toBe('mira@example.org');
  });
});
