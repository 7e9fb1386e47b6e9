import type { SignedIn } from '@hourshare/contract/sign-ins';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildApp } from '../../app.ts';
import { createPasswords, HashingOverloaded } from '../../platform/passwords.ts';
import { openTestApi, TEST_PASSWORD, type TestApi } from '../../testing/api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
beforeEach(() => api.reset());
afterAll(() => api.close());

const login = (body: unknown, headers?: Record<string, string>) =>
  api.call<SignedIn>('POST', '/api/login/', { body, ...(headers ? { headers } : {}) });

describe('a login', () => {
  it('returns the user and a new pair of tokens each time', async () => {
    const registered = await api.register('mira');
    const first = await login({ username: 'mira', password: TEST_PASSWORD });
    const second = await login({ username: 'mira', password: TEST_PASSWORD });
    expect(first.status).toBe(200);
    expect(Object.keys(first.body).toSorted()).toEqual(['access', 'refresh', 'user']);
    expect(first.body.user).toEqual(registered.user);
    expect(new Set([registered.refresh, first.body.refresh, second.body.refresh]).size).toBe(3);
    for (const { access } of [first.body, second.body])
      expect((await api.call('GET', '/api/me/', { token: access })).body).toEqual(registered.user);
  });

  it('issues URL-safe tokens and a three-part access token', async () => {
    const { access, refresh } = await api.register('mira');
    expect(access).toMatch(/^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]{43}$/);
    expect(refresh).toMatch(/^[A-Za-z0-9._-]{60,512}$/);
    const [header, claims] = access.split('.').map((part) => Buffer.from(part, 'base64url').toString());
    expect(JSON.parse(header!)).toEqual({ alg: 'HS256', typ: 'at+jwt' });
    const { sub, aud, iat, exp } = JSON.parse(claims!) as Record<string, unknown>;
    expect({ sub, aud, lives: Number(exp) - Number(iat) }).toEqual({ sub: '1', aud: 'hourshare', lives: 900 });
  });

  it('forbids caching and never returns the password or its hash', async () => {
    await api.register('mira');
    const { headers, text } = await login({ username: 'mira', password: TEST_PASSWORD });
    expect(headers['cache-control']).toBe('no-store');
    expect(text).not.toMatch(/password|argon2/);
  });

  it.each(['mira', 'MIRA', 'Mira', '  mira '])('accepts the username typed as "%s"', async (username) => {
    await api.register('Mira');
    expect(await login({ username, password: TEST_PASSWORD })).toMatchObject({
      status: 200,
      body: { user: { username: 'Mira' } },
    });
  });

  it('does not accept the email address as the username', async () => {
    await api.register('mira');
    expect((await login({ username: 'mira@example.org', password: TEST_PASSWORD })).status).toBe(401);
  });

  it('accepts a password of any age', async () => {
    await api.register('mira');
    api.clock.now = new Date(api.clock.now.getTime() + 10 * 365 * 24 * 3_600_000);
    expect(await login({ username: 'mira', password: TEST_PASSWORD })).toMatchObject({ status: 200 });
  });

  it('stores the device name, truncated to 200 characters', async () => {
    await api.register('mira');
    await login({ username: 'mira', password: TEST_PASSWORD }, { 'user-agent': `Test/1.0 ${'x'.repeat(400)}` });
    const { device } = await api.deps.db
      .selectFrom('sign_ins')
      .select('device')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow();
    expect(device).toBe(`Test/1.0 ${'x'.repeat(191)}`);
  });
});

describe('a failed login', () => {
  it('returns the same bytes and headers for an unknown user as for a wrong password', async () => {
    await api.register('mira');
    const wrong = await login({ username: 'mira', password: 'wrong horse battery' });
    const unknown = await login({ username: 'nobody', password: 'wrong horse battery' });
    expect(wrong).toMatchObject({
      status: 401,
      body: { error: 'Wrong username or password.', code: 'invalid_credentials' },
    });
    const comparable = ({ status, text, headers: { date: _date, 'x-request-id': _id, ...headers } }: typeof wrong) => ({
      status,
      text,
      headers,
    });
    expect(comparable(unknown)).toEqual(comparable(wrong));
  });

  it('treats usernames and passwords that no account can have as wrong credentials', async () => {
    await api.register('mira');
    const names = [
      'm',
      'x'.repeat(5000),
      'mi\u0000ra',
      '\u0000',
      'míra',
      '\ud800',
      "' or 1=1 --",
      '%',
      '__proto__',
      'mira\u200b',
    ];
    const answers = await Promise.all(names.map((username) => login({ username, password: TEST_PASSWORD })));
    expect(answers.map(({ status }) => status)).toEqual(names.map(() => 401));
    const passwords = ['x', '\u0000', '\ud800', 'y'.repeat(60_000), ' correct horse battery'];
    const others = await Promise.all(passwords.map((password) => login({ username: 'mira', password })));
    expect(others.map(({ status }) => status)).toEqual(passwords.map(() => 401));
  });

  // These letters lowercase to i and k; they must not open a second rate limit for the same account.
  it.each(['mİkİ', 'mi\u212ai', 'MI\u212aI'])('does not match the look-alike %s to miki', async (username) => {
    await api.register('miki');
    expect((await login({ username, password: TEST_PASSWORD })).status).toBe(401);
  });

  it('never causes a server error with generated usernames and passwords', async () => {
    await api.register('mira');
    const anything = fc.string({ unit: 'binary', minLength: 1, maxLength: 40 });
    const statuses = new Set<number>();
    const ask = async (username: string, password: string) => {
      statuses.add((await login({ username, password })).status);
    };
    await fc.assert(fc.asyncProperty(anything, anything, ask), { numRuns: 100 });
    expect([...statuses].filter((status) => ![400, 401].includes(status))).toEqual([]);
  });

  it.each([
    [{}, { username: ['Username is required'], password: ['Password is required'] }],
    [
      { username: ' ', password: '' },
      { username: ['Username is required'], password: ['Password is required'] },
    ],
    [
      { username: 5, password: ['x'] },
      { username: ['Username is required'], password: ['Password is required'] },
    ],
    [{ username: 'mira', password: 'x', remember: true }, { remember: ['Unknown field'] }],
  ])('reports the problems of %j by field', async (body, fields) => {
    expect(await login(body)).toMatchObject({ status: 400, body: { code: 'validation_failed', fields } });
  });

  it('creates no sign-in', async () => {
    await api.register('mira');
    await login({ username: 'mira', password: 'wrong horse battery' });
    expect(await api.deps.db.selectFrom('sign_ins').select('id').execute()).toHaveLength(1);
  });
});

describe('a password hash with outdated parameters', () => {
  const outdated = createPasswords({ memoryCost: 32, timeCost: 1, parallelism: 1 });
  const storedHash = async () =>
    (await api.deps.db.selectFrom('users').select('password_hash').executeTakeFirstOrThrow()).password_hash ?? '';
  const signIn = (password = TEST_PASSWORD) => login({ username: 'mira', password });
  let before: string;
  let mira: SignedIn;
  beforeEach(async () => {
    mira = await api.register('mira');
    before = await outdated.hash(TEST_PASSWORD);
    await api.deps.db.updateTable('users').set({ password_hash: before }).execute();
  });

  it('is renewed by signing in, which ends nothing', async () => {
    expect((await signIn()).status).toBe(200);
    const renewed = await storedHash();
    expect(renewed).not.toBe(before);
    expect(api.deps.passwords.isOutdated(renewed)).toBe(false);
    expect(await api.deps.passwords.matches(TEST_PASSWORD, renewed)).toBe(true);
    expect((await api.call('GET', '/api/me/', { as: mira })).status).toBe(200);
    expect((await signIn()).status).toBe(200);
    expect(await storedHash()).toBe(renewed);
  });

  it('is renewed by entering the password to confirm who one is', async () => {
    const body = { current_password: TEST_PASSWORD };
    expect((await api.call('POST', '/api/me/check/', { as: mira, body })).status).toBe(200);
    expect(api.deps.passwords.isOutdated(await storedHash())).toBe(false);
  });

  it('stays as it is when the password is wrong, or the sign-in still lacks its code', async () => {
    expect((await signIn('wrong horse battery')).status).toBe(401);
    await api.deps.db.updateTable('users').set({ two_step_since: api.clock.now }).execute();
    expect((await signIn()).body).toMatchObject({ code: 'second_step_required' });
    expect(await storedHash()).toBe(before);
  });

  it('lets everyone in who signs in while it is renewed', async () => {
    const answers = await Promise.all(Array.from({ length: 12 }, () => signIn()));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(api.deps.passwords.isOutdated(await storedHash())).toBe(false);
  });

  it('does not replace a password that was changed meanwhile', async () => {
    const { passwords } = api.deps;
    const next = await passwords.hash('a longer battery of horses');
    const hash: typeof passwords.hash = async (password) => {
      await api.deps.db.updateTable('users').set({ password_hash: next }).execute();
      return passwords.hash(password);
    };
    const app = await buildApp({ ...api.deps, passwords: { ...passwords, hash } });
    const payload = { username: 'mira', password: TEST_PASSWORD };
    expect((await app.inject({ method: 'POST', url: '/api/login/', payload })).statusCode).toBe(200);
    await app.close();
    expect(await storedHash()).toBe(next);
  });

  it('does not keep anyone out when it cannot be renewed', async () => {
    const hash = () => Promise.reject(new HashingOverloaded());
    const app = await buildApp({ ...api.deps, passwords: { ...api.deps.passwords, hash } });
    const payload = { username: 'mira', password: TEST_PASSWORD };
    expect((await app.inject({ method: 'POST', url: '/api/login/', payload })).statusCode).toBe(200);
    await app.close();
    expect(await storedHash()).toBe(before);
  });
});

describe('password verification at login', () => {
  it('runs exactly once, whether or not the user exists and the password is right', async () => {
    await api.register('mira');
    const compared: (string | undefined)[] = [];
    const { passwords } = api.deps;
    const countingPasswords: typeof passwords = {
      ...passwords,
      matches(password, stored) {
        compared.push(stored);
        return passwords.matches(password, stored);
      },
    };
    const app = await buildApp({ ...api.deps, passwords: countingPasswords });
    const statusOf = async (username: string, password: string) =>
      (await app.inject({ method: 'POST', url: '/api/login/', payload: { username, password } })).statusCode;
    expect(await statusOf('mira', TEST_PASSWORD)).toBe(200);
    expect(await statusOf('mira', 'wrong horse battery')).toBe(401);
    expect(await statusOf('nobody', TEST_PASSWORD)).toBe(401);
    expect(await statusOf('not a username', TEST_PASSWORD)).toBe(401);
    await app.close();
    expect(compared.map((stored) => stored?.slice(0, 10))).toEqual(['$argon2id$', '$argon2id$', undefined, undefined]);
  });

  it('never accepts the placeholder password of an unknown user', async () => {
    expect(await api.deps.passwords.matches('a password that nobody has', undefined)).toBe(false);
  });

  it('takes about as long for an unknown user as for a wrong password', async () => {
    // Only the server's own hashes take most of a login's time.
    const app = await buildApp({ ...api.deps, passwords: createPasswords() });
    const post = (url: string, payload: object) => app.inject({ method: 'POST', url, payload });
    await post('/api/register/', { username: 'mira', email: 'mira@example.org', password: TEST_PASSWORD });
    const measureLogin = async (username: string) => {
      const startedAt = performance.now();
      await post('/api/login/', { username, password: 'wrong horse battery' });
      return performance.now() - startedAt;
    };
    const knownTimes: number[] = [];
    const unknownTimes: number[] = [];
    await measureLogin('nobody');
    for (let pair = 0; pair < 40; pair++) {
      knownTimes.push(await measureLogin('mira'));
      unknownTimes.push(await measureLogin('nobody'));
    }
    // The exact bound (5% over the medians of 200 pairs) needs a quiet machine. The minimum is least affected by other
    // load, and a skipped hash would take a tenth of the time.
    const ratio = Math.min(...unknownTimes) / Math.min(...knownTimes);
    await app.close();
    expect(ratio).toBeGreaterThan(0.5);
    expect(ratio).toBeLessThan(2);
  });
});
