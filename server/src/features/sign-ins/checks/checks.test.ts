import type { Check, SignedIn } from '@hourshare/contract/sign-ins';
import type { User } from '@hourshare/contract/users';
import { CHECK_MINUTES } from '@hourshare/contract/limits';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildApp } from '../../../app.ts';
import { createRateLimits } from '../../../platform/http/rate-limits.ts';
import { codeAt } from '../../../platform/one-time-codes.ts';
import { openTestApi, TEST_PASSWORD, type TestApi } from '../../../testing/api.ts';
import { browserHeaders, GOOGLE, plantFlow, plantIdentity } from '../../../testing/providers.ts';
import { switchTwoStepOn } from '../../../testing/two-step.ts';
import { disableAccount } from '../../accounts/administration/service.ts';
import { endTwoStep } from '../two-step/service.ts';
import { recordCheck } from '../store.ts';

const MINUTE = 60_000;
const NEXT_PASSWORD = 'a longer battery of horses';

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi({ APP_URL: 'http://localhost' });
});
beforeEach(() => api.reset());
afterAll(() => api.close());

const read = async (as: SignedIn) => (await api.call<Check>('GET', '/api/me/check/', { as })).body;
const check = (as: SignedIn, password = TEST_PASSWORD) =>
  api.call<Check>('POST', '/api/me/check/', { as, body: { current_password: password } });
/** A call that needs a recent check. */
const change = (as: SignedIn) => api.call('POST', '/api/me/two-step/', { as });
const inMinutes = (minutes: number) => new Date(api.clock.now.getTime() + minutes * MINUTE).toISOString();
const checks = () => api.deps.db.selectFrom('sign_ins').select(['checked_at', 'checked_with']).orderBy('id').execute();

describe('a recent check', () => {
  it('is a sign-in, for ten minutes', async () => {
    const mira = await api.register('mira');
    expect(await read(mira)).toEqual({ methods: ['password'], expires_at: inMinutes(CHECK_MINUTES) });
    api.clock.advance(CHECK_MINUTES * MINUTE - 1);
    expect((await change(mira)).status).toBe(200);
    api.clock.advance(1);
    expect(await change(mira)).toMatchObject({ status: 403, body: { code: 'check_required' } });
    expect(await read(mira)).toEqual({ methods: ['password'], expires_at: null });
  });

  it('is entering the password again', async () => {
    const mira = await api.register('mira');
    api.clock.advance(60 * MINUTE);
    expect(await check(mira)).toMatchObject({
      status: 200,
      body: { methods: ['password'], expires_at: inMinutes(CHECK_MINUTES) },
    });
    expect((await change(mira)).status).toBe(200);
    api.clock.advance(CHECK_MINUTES * MINUTE);
    expect((await change(mira)).status).toBe(403);
  });

  it('counts only for its own sign-in, and is not extended by a refresh', async () => {
    const mira = await api.register('mira');
    api.clock.advance(60 * MINUTE);
    const phone = (
      await api.call<SignedIn>('POST', '/api/login/', { body: { username: 'mira', password: TEST_PASSWORD } })
    ).body;
    expect((await change(mira)).status).toBe(403);
    expect((await change(phone)).status).toBe(200);
    api.clock.advance(CHECK_MINUTES * MINUTE);
    await api.call('POST', '/api/token/refresh/', { body: { refresh: phone.refresh } });
    expect((await change(phone)).status).toBe(403);
  });

  it('is not a wrong password, an ended sign-in, or a disabled account', async () => {
    const mira = await api.register('mira');
    api.clock.advance(60 * MINUTE);
    const before = await checks();
    expect(await check(mira, 'not my password')).toMatchObject({
      status: 400,
      body: { code: 'wrong_password', fields: { current_password: ['Your current password is incorrect'] } },
    });
    expect(await checks()).toEqual(before);
    const signIn = await api.deps.db.selectFrom('sign_ins').select('handle').executeTakeFirstOrThrow();
    const attempt = { signIn: signIn.handle, with: 'password' as const, secondStep: false, now: api.clock.now };
    await api.call('POST', '/api/logout/', { body: { refresh_token: mira.refresh } });
    expect((await check(mira)).status).toBe(401);
    expect(await recordCheck(api.deps.db, attempt)).toBe(false);
    await api.deps.db.updateTable('sign_ins').set({ ended_at: null }).execute();
    expect(await recordCheck(api.deps.db, attempt)).toBe(true);
    await disableAccount(api.deps, mira.user.id);
    await api.deps.db.updateTable('sign_ins').set({ ended_at: null }).execute();
    expect(await recordCheck(api.deps.db, attempt)).toBe(false);
  });

  it('allows ten wrong passwords in five minutes, shared with other calls that take the password', async () => {
    const { access } = await api.register('mira');
    const app = await buildApp({ ...api.deps, limits: createRateLimits(api.deps.uptime, true) });
    const headers = { authorization: `Bearer ${access}` };
    const send = async (url: string, payload: object) =>
      (await app.inject({ method: 'POST', url, headers, payload })).statusCode;
    const wrong = { current_password: 'not my password' };
    const statuses = await Promise.all([
      ...Array.from({ length: 8 }, () => send('/api/me/check/', wrong)),
      ...Array.from({ length: 8 }, () => send('/api/me/password/', { ...wrong, new_password: NEXT_PASSWORD })),
    ]);
    expect(statuses.filter((status) => status === 400)).toHaveLength(10);
    expect(statuses.filter((status) => status === 429)).toHaveLength(6);
    expect(await send('/api/me/check/', { current_password: TEST_PASSWORD })).toBe(429);
    api.clock.advance(5 * MINUTE);
    expect(await send('/api/me/check/', { current_password: TEST_PASSWORD })).toBe(200);
    await app.close();
  });
});

describe('an account without a password', () => {
  const withoutPassword = async () => {
    const mira = await api.register('mira');
    await api.deps.db.updateTable('users').set({ password_hash: null }).execute();
    return mira;
  };
  const setPassword = (as: SignedIn) =>
    api.call('POST', '/api/me/password/', { as, body: { new_password: NEXT_PASSWORD } });

  it('can only be confirmed by signing in again', async () => {
    const mira = await withoutPassword();
    expect(await read(mira)).toEqual({ methods: [], expires_at: inMinutes(CHECK_MINUTES) });
    expect((await check(mira)).status).toBe(400);
    api.clock.advance(CHECK_MINUTES * MINUTE);
    expect(await setPassword(mira)).toMatchObject({ status: 403, body: { code: 'check_required' } });
    const body = { keep_name: true };
    expect(await api.call('DELETE', '/api/me/', { as: mira, body })).toMatchObject({
      body: { code: 'check_required' },
    });
    const email = 'new@example.org';
    expect(await api.call('PATCH', '/api/me/', { as: mira, body: { email } })).toMatchObject({
      body: { code: 'check_required' },
    });
  });

  it('sets its first password soon after signing in', async () => {
    const mira = await withoutPassword();
    expect((await setPassword(mira)).status).toBe(204);
    const body = { username: 'mira', password: NEXT_PASSWORD };
    expect((await api.call('POST', '/api/login/', { body })).status).toBe(200);
  });
});

describe('a check on another device', () => {
  let mira: SignedIn;
  /** Another sign-in of the same minute, which may be a thief's. */
  let other: SignedIn;
  const logIn = async (code?: string) => {
    const body = { username: 'mira', password: TEST_PASSWORD, ...(code !== undefined && { code }) };
    return (await api.call<SignedIn>('POST', '/api/login/', { body })).body;
  };
  const isChecked = async (as: SignedIn) => (await read(as)).expires_at !== null;
  beforeEach(async () => {
    mira = await api.register('mira');
    other = await logIn();
  });
  const act = async (method: string, path: string, body?: object, headers = {}) => {
    const answer = await api.call(method, path, { as: mira, body, headers });
    expect(answer.status).toBeLessThan(300);
  };

  it.each([
    ['a passkey is added', () => api.addPasskey(mira)],
    [
      'a passkey is removed',
      async () => {
        const { added } = await api.addPasskey(mira);
        await api.deps.db.updateTable('sign_ins').set({ checked_at: api.clock.now }).execute();
        await act('DELETE', `/api/me/passkeys/${added.id}/`);
      },
    ],
    [
      'a provider is connected',
      async () => {
        const content = { provider: 'google', issuer: GOOGLE, subject: 'ida', email: null, name: null } as const;
        await plantFlow(api.deps, { step: 'ticket', token: 'a-ticket', purpose: 'link', content });
        await act('POST', '/api/me/identities/', { ticket: 'a-ticket' }, browserHeaders);
      },
    ],
    [
      'a provider is disconnected',
      async () => act('DELETE', `/api/me/identities/${await plantIdentity(api.deps, mira.user.id, 'ida')}/`),
    ],
    [
      'the address is changed',
      () => act('PATCH', '/api/me/', { email: 'new@example.org', current_password: TEST_PASSWORD }),
    ],
    ['two-step sign-in is turned on', () => switchTwoStepOn(api, mira)],
    [
      'two-step sign-in is turned off',
      async () => {
        const { key } = await switchTwoStepOn(api, mira);
        api.clock.advance(MINUTE);
        other = await logIn(codeAt(key, api.clock.now));
        await act('DELETE', '/api/me/two-step/');
      },
    ],
    [
      'recovery codes are made',
      async () => {
        const { key } = await switchTwoStepOn(api, mira);
        api.clock.advance(MINUTE);
        other = await logIn(codeAt(key, api.clock.now));
        await act('POST', '/api/me/two-step/recovery-codes/');
      },
    ],
  ])('no longer counts once %s', async (_, work) => {
    expect(await isChecked(other)).toBe(true);
    await work();
    expect([await isChecked(mira), await isChecked(other)]).toEqual([true, false]);
    expect(await change(other)).toMatchObject({ status: 403, body: { code: 'check_required' } });
    expect((await api.call('GET', '/api/me/', { as: other })).status).toBe(200);
  });

  it('no longer counts once the administrator turns two-step sign-in off', async () => {
    await switchTwoStepOn(api, mira);
    await endTwoStep(api.deps, mira.user.id, 'administrator');
    expect([await isChecked(mira), await isChecked(other)]).toEqual([false, false]);
  });

  it("can't be repeated without a code once two-step sign-in is on, and a pending address is dropped", async () => {
    const pending = { email: 'thief@example.org', token_hash: 'h', created_at: api.clock.now };
    await api.deps.db
      .insertInto('email_changes')
      .values({ ...pending, user_id: mira.user.id, expires_at: new Date(inMinutes(60)) })
      .execute();
    await switchTwoStepOn(api, mira);
    expect(await check(other)).toMatchObject({ status: 400, body: { fields: { code: ['Code is required'] } } });
    const body = { email: 'thief@example.org', current_password: TEST_PASSWORD };
    expect(await api.call('PATCH', '/api/me/', { as: other, body })).toMatchObject({
      body: { code: 'check_required' },
    });
    expect(await api.deps.db.selectFrom('email_changes').selectAll().execute()).toEqual([]);
  });
});

it('a user with a password has to enter it, even after a recent check', async () => {
  const mira = await api.register('mira');
  const body = { new_password: NEXT_PASSWORD };
  expect(await api.call('POST', '/api/me/password/', { as: mira, body })).toMatchObject({
    status: 400,
    body: { code: 'validation_failed', fields: { current_password: ['Current password is required'] } },
  });
});

it('a passkey used just now replaces the password', async () => {
  const mira = await api.register('mira');
  const { handle } = await api.deps.db.selectFrom('sign_ins').select('handle').executeTakeFirstOrThrow();
  expect(
    await recordCheck(api.deps.db, { signIn: handle, with: 'passkey', secondStep: true, now: api.clock.now }),
  ).toBe(true);
  const setPassword = () => api.call('POST', '/api/me/password/', { as: mira, body: { new_password: NEXT_PASSWORD } });
  api.clock.advance(CHECK_MINUTES * MINUTE);
  expect((await setPassword()).status).toBe(400);
  await recordCheck(api.deps.db, { signIn: handle, with: 'passkey', secondStep: true, now: api.clock.now });
  expect((await setPassword()).status).toBe(204);
});

describe('with two-step sign-in on, a check', () => {
  const STEP = 30_000;
  let mira: SignedIn;
  let key: string;
  let codes: string[];
  beforeEach(async () => {
    mira = await api.register('mira');
    ({ key, codes } = await switchTwoStepOn(api, mira));
    api.clock.advance(60 * MINUTE);
  });
  const code = () => codeAt(key, api.clock.now);
  const send = (body: object) => api.call<Check>('POST', '/api/me/check/', { as: mira, body });
  const checkWith = (given: string, password = TEST_PASSWORD) => send({ current_password: password, code: given });

  it('takes a code in addition to the right password', async () => {
    const before = await checks();
    expect(await check(mira)).toMatchObject({
      status: 400,
      body: { code: 'validation_failed', fields: { code: ['Code is required'] } },
    });
    expect(await checkWith('000000')).toMatchObject({
      status: 400,
      body: { code: 'wrong_code', fields: { code: ['That code is wrong or was already used'] } },
    });
    expect(await checks()).toEqual(before);
    expect((await change(mira)).body).toMatchObject({ code: 'check_required' });
    expect(await checkWith(code())).toMatchObject({ status: 200, body: { expires_at: inMinutes(CHECK_MINUTES) } });
    expect((await change(mira)).body).toMatchObject({ code: 'two_step_on' });
  });

  it('does not tell someone with a wrong password that a code is missing, and keeps the code usable', async () => {
    expect((await check(mira, 'not my password')).body).toMatchObject({ code: 'wrong_password' });
    expect((await checkWith(code(), 'not my password')).body).toMatchObject({ code: 'wrong_password' });
    expect((await checkWith(code())).status).toBe(200);
  });

  it('accepts each code once, also one that signed in', async () => {
    const body = { username: 'mira', password: TEST_PASSWORD, code: code() };
    expect((await api.call('POST', '/api/login/', { body })).status).toBe(200);
    expect((await checkWith(code())).body).toMatchObject({ code: 'wrong_code' });
    api.clock.advance(STEP);
    const answers = await Promise.all([1, 2, 3].map(() => checkWith(code())));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it('accepts a recovery code, once', async () => {
    const [recovery = ''] = codes;
    expect((await checkWith(recovery)).status).toBe(200);
    expect((await checkWith(recovery)).body).toMatchObject({ code: 'wrong_code' });
    const events = await api.deps.db.selectFrom('security_events').select('event').orderBy('id').execute();
    expect(events.map(({ event }) => event)).toEqual(
      expect.arrayContaining(['recovery_code_used', 'second_step_failed']),
    );
  });

  it('needs no code with a passkey', async () => {
    const { handle } = await api.deps.db.selectFrom('sign_ins').select('handle').executeTakeFirstOrThrow();
    const proof = { signIn: handle, now: api.clock.now };
    expect(await recordCheck(api.deps.db, { ...proof, with: 'password', secondStep: false })).toBe(false);
    expect(await recordCheck(api.deps.db, { ...proof, with: 'passkey', secondStep: true })).toBe(true);
    expect((await change(mira)).body).toMatchObject({ code: 'two_step_on' });
  });

  it('allows ten wrong codes in 15 minutes, besides those at sign-in, and counts no missing one', async () => {
    const app = await buildApp({ ...api.deps, limits: createRateLimits(api.deps.uptime, true) });
    const { handle: signIn } = await api.deps.db.selectFrom('sign_ins').select('handle').executeTakeFirstOrThrow();
    const post = async (url: string, payload: object) => {
      const token = await api.deps.tokens.access({ userId: mira.user.id, signIn });
      const headers = { authorization: `Bearer ${token}` };
      return (await app.inject({ method: 'POST', url, payload, headers })).statusCode;
    };
    const proof = { current_password: TEST_PASSWORD };
    for (let n = 0; n < 12; n++) expect(await post('/api/me/check/', proof)).toBe(400);
    const credentials = { username: 'mira', password: TEST_PASSWORD };
    for (let n = 0; n < 10; n++) expect(await post('/api/login/', { ...credentials, code: `wrong ${n}` })).toBe(401);
    expect(await post('/api/login/', { ...credentials, code: code() })).toBe(429);
    // Whoever guesses there can't keep the user from ending their sign-ins.
    expect(await post('/api/me/check/', { ...proof, code: code() })).toBe(200);
    for (let n = 0; n < 10; n++) expect(await post('/api/me/check/', { ...proof, code: `wrong ${n}` })).toBe(400);
    api.clock.advance(MINUTE);
    expect(await post('/api/me/check/', { ...proof, code: code() })).toBe(429);
    api.clock.advance(15 * MINUTE);
    expect(await post('/api/me/check/', { ...proof, code: code() })).toBe(200);
    await app.close();
  });

  it.each([
    ['POST', '/api/me/password/', { current_password: TEST_PASSWORD, new_password: NEXT_PASSWORD }],
    ['PATCH', '/api/me/', { current_password: TEST_PASSWORD, email: 'new@example.org' }],
    ['DELETE', '/api/me/', { current_password: TEST_PASSWORD, keep_name: false }],
  ])('is needed for %s %s in addition to the password', async (method, path, body) => {
    const before = (await api.call<User>('GET', '/api/me/', { as: mira })).body;
    const attempt = (current_password = TEST_PASSWORD) =>
      api.call(method, path, { as: mira, body: { ...body, current_password } });
    expect(await attempt()).toMatchObject({ status: 403, body: { code: 'check_required' } });
    expect((await api.call<User>('GET', '/api/me/', { as: mira })).body).toEqual(before);
    expect((await checkWith(code())).status).toBe(200);
    expect((await attempt('not my password')).body).toMatchObject({ code: 'wrong_password' });
    expect((await attempt()).status).toBeLessThan(300);
  });
});

describe('a check concurrent with a new password', () => {
  it('does not count if it verified the old password', async () => {
    const mira = await api.register('mira');
    api.clock.advance(60 * MINUTE);
    let open = () => {};
    let checked = () => {};
    const gate = new Promise<void>((resolve) => (open = resolve));
    const waiting = new Promise<void>((resolve) => (checked = resolve));
    const { passwords } = api.deps;
    const matches: typeof passwords.matches = async (...given) => {
      const result = await passwords.matches(...given);
      checked();
      await gate;
      return result;
    };
    const app = await buildApp({ ...api.deps, passwords: { ...passwords, matches } });
    const token = await api.deps.tokens.access({
      userId: mira.user.id,
      signIn: (await api.deps.db.selectFrom('sign_ins').select('handle').executeTakeFirstOrThrow()).handle,
    });
    const pending = app.inject({
      method: 'POST',
      url: '/api/me/check/',
      headers: { authorization: `Bearer ${token}` },
      payload: { current_password: TEST_PASSWORD },
    });
    await waiting;
    const body = { current_password: TEST_PASSWORD, new_password: NEXT_PASSWORD };
    expect((await api.call('POST', '/api/me/password/', { as: mira, body })).status).toBe(204);
    open();
    expect(await pending).toMatchObject({ statusCode: 400 });
    await app.close();
    expect((await read(mira)).expires_at).toBeNull();
  });

  it('never fails, regardless of timing', async () => {
    const mira = await api.register('mira');
    const body = { current_password: TEST_PASSWORD, new_password: NEXT_PASSWORD };
    const answers = await Promise.all([
      ...Array.from({ length: 4 }, () => check(mira)),
      api.call('POST', '/api/me/password/', { as: mira, body }),
      ...Array.from({ length: 4 }, () => check(mira)),
    ]);
    expect(answers.filter(({ status }) => ![200, 204, 400].includes(status))).toEqual([]);
    expect((await check(mira, NEXT_PASSWORD)).status).toBe(200);
  });
});
