import type { SignedIn } from '@hourshare/contract/sign-ins';
import type { ErrorAnswer } from '@hourshare/contract/errors';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openTestApi, TEST_PASSWORD, type TestApi } from '../../../testing/api.ts';

let api: TestApi;
let strictApi: TestApi;
beforeAll(async () => {
  api = await openTestApi();
  strictApi = await openTestApi({ PASSWORD_MIN_LENGTH: '12' });
});
beforeEach(async () => {
  await api.reset();
  await strictApi.reset();
});
afterAll(async () => {
  await api.close();
  await strictApi.close();
});

const mira = { username: 'mira', email: 'mira@example.org', password: TEST_PASSWORD };

const register = <T = SignedIn & ErrorAnswer>(changes: Record<string, unknown> = {}, target = api) =>
  target.call<T>('POST', '/api/register/', { body: { ...mira, ...changes } });
const login = (username: string, password: string) =>
  api.call<SignedIn>('POST', '/api/login/', { body: { username, password } });
const users = () => api.deps.db.selectFrom('users').selectAll().orderBy('id').execute();

describe('a registration', () => {
  it('returns the user and two working tokens', async () => {
    const { status, body } = await register();
    expect(status).toBe(201);
    expect(body.user).toEqual({
      id: 1,
      username: 'mira',
      email: 'mira@example.org',
      time_zone: 'UTC',
      language: null,
      email_notifications: true,
      usage_reminders: true,
      payment_details: { iban: null, link: null, text: null, methods: [] },
      email_change: null,
      email_confirmed: false,
      two_step: false,
      administrator: false,
    });
    expect(await api.call('GET', '/api/me/', { token: body.access })).toMatchObject({ status: 200, body: body.user });
    const refreshed = await api.call('POST', '/api/token/refresh/', { body: { refresh: body.refresh } });
    expect(refreshed.status).toBe(200);
  });

  it('stores the time zone sent by the browser', async () => {
    expect((await register({ time_zone: 'Europe/Berlin' })).body.user.time_zone).toBe('Europe/Berlin');
  });

  it('keeps the language of the screen it came from', async () => {
    expect((await register({ language: 'pt-BR' })).body.user.language).toBe('pt-BR');
    expect(await register({ language: 'tlh' })).toMatchObject({
      status: 400,
      body: { fields: { language: [expect.stringMatching(/^Language must be one of en, de,/)] } },
    });
  });

  it.each(['Europe/Atlantis', 'Mars', '../etc/passwd', '', ' ', 'UTC\u0000', 5, null])(
    'rejects the time zone %j and creates no account',
    async (zone) => {
      const { status, body } = await register({ time_zone: zone });
      expect(status).toBe(400);
      expect(Object.keys(body.fields ?? {})).toEqual(['time_zone']);
      expect(await users()).toEqual([]);
    },
  );

  it('rejects unknown fields', async () => {
    const { status, body } = await register({ id: 7 });
    expect(status).toBe(400);
    expect(body.fields).toEqual({ id: ['Unknown field'] });
    expect(await users()).toEqual([]);
  });
});

describe('a username', () => {
  it.each(['abc', 'a.b', 'A_b-9', '...', '007', '__proto__', 'constructor', 'a'.repeat(30)])(
    'can be %s and is shown as typed',
    async (username) => {
      expect(await register({ username })).toMatchObject({ status: 201, body: { user: { username } } });
      expect((await login(username, TEST_PASSWORD)).body.user.username).toBe(username);
    },
  );

  it.each([
    '',
    'ab',
    'a'.repeat(31),
    'mi ra',
    ' mira',
    'mira ',
    'mira\n',
    'mi@ra',
    'mi/ra',
    'mi+ra',
    'mi\u0000ra',
    '<b>',
  ])('cannot be %j', async (username) => {
    const { status, body } = await register({ username });
    expect(status).toBe(400);
    expect(Object.keys(body.fields ?? {})).toEqual(['username']);
    expect(await users()).toEqual([]);
  });

  it.each([undefined, null, 5, true, ['mira'], { $ne: '' }])('must be text, not %j', async (username) => {
    const { status, body } = await register({ username });
    expect(status).toBe(400);
    expect(body.fields).toEqual({ username: ['Username is required'] });
  });

  it('is unique regardless of case', async () => {
    await register({ username: 'Mira.K' });
    for (const username of ['mira.k', 'MIRA.K', 'mIrA.k', 'Mira.K']) {
      const { status, body } = await register({ username, email: `${username}@example.com` });
      expect(status).toBe(400);
      expect(body).toMatchObject({ code: 'username_taken', fields: { username: ['This username is already taken'] } });
    }
    expect(await users()).toHaveLength(1);
  });

  it('cannot be imitated by any of 40 look-alikes', async () => {
    const cyrillicAndGreek = ['mirа', 'mіra', 'мira', 'miгa', 'mirα', 'mιra', 'μira', 'mırа'];
    const accents = ['míra', 'mirá', 'mïra', 'mirä', 'mi\u0301ra', 'mira\u0327', 'mıra', 'mİra', 'miŕa', 'ḿira'];
    const invisible = ['\u200b', '\u200c', '\u200d', '\u2060', '\ufeff', '\u00ad', '\u180e', '\u034f'].map(
      (c) => `mi${c}ra`,
    );
    const direction = ['\u202emira', '\u202darim', 'mira\u200f', '\u200emira', '\u2066mira\u2069', 'mira\u061c'];
    const widths = ['ｍｉｒａ', 'mir\uff41', '𝐦𝐢𝐫𝐚', 'ⓜira', 'ᵐira', 'mᵢra'];
    const spaces = ['mira\u00a0', '\u3000mira'];
    const variants = [...cyrillicAndGreek, ...accents, ...invisible, ...direction, ...widths, ...spaces];
    expect(new Set(variants).size).toBe(40);

    const answers = await Promise.all(
      ['mira', ...variants].map((username, n) => register({ username, email: `m${n}@example.org` })),
    );
    expect(answers.map(({ status }) => status)).toEqual([201, ...variants.map(() => 400)]);
    expect((await users()).map(({ username }) => username)).toEqual(['mira']);
  });
});

describe('an email address', () => {
  it('is unique regardless of case', async () => {
    await register();
    const { status, body } = await register({ username: 'ben', email: 'MIRA@Example.ORG' });
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: 'email_taken', fields: { email: ['This email address is already in use'] } });
    expect(body.fields).not.toHaveProperty('username');
    expect(await users()).toHaveLength(1);
  });

  it('is reported as taken together with the username', async () => {
    await register();
    await register({ username: 'ben', email: 'ben@example.org' });
    const both = { username: ['This username is already taken'], email: ['This email address is already in use'] };
    expect((await register()).body.fields).toEqual(both);
    expect((await register({ email: 'ben@example.org' })).body.fields).toEqual(both);
  });

  it.each([
    '',
    'mira',
    'mira@',
    '@example.org',
    'mira@localhost',
    'a b@example.org',
    'mira@example.org\r\nBcc: x@y.org',
    `${'a'.repeat(250)}@example.org`,
  ])('cannot be %j', async (email) => {
    const { status, body } = await register({ email });
    expect(status).toBe(400);
    expect(Object.keys(body.fields ?? {})).toEqual(['email']);
    expect(await users()).toEqual([]);
  });
});

describe('a new password', () => {
  it.each([
    ['1234567', 'Password must be at least 8 characters long'],
    ['', 'Password is required'],
    ['x'.repeat(129), 'Password must be at most 128 characters long'],
    ['password', 'This password is too easy to guess. Choose a stronger one'],
    ['PassWord1', 'This password is too easy to guess. Choose a stronger one'],
    ['1234567890', 'This password is too easy to guess. Choose a stronger one'],
    ['MIRA@example.org', "Password can't be your username or email address"],
  ])('cannot be %j, and the field says why', async (password, sentence) => {
    const { status, body } = await register({ password });
    expect(status).toBe(400);
    expect(body.error).toBe(sentence);
    expect(body.fields).toEqual({ password: [sentence] });
    expect(await users()).toEqual([]);
  });

  it('cannot be the username in any case', async () => {
    const { body } = await register({ username: 'Wolkenkuckucksheim', password: 'wolkenKUCKUCKSheim' });
    expect(body.fields).toEqual({ password: ["Password can't be your username or email address"] });
  });

  it.each([
    ['8 letters', 'zq7!kvw9'],
    ['128 letters', 'zq7!kvw9'.repeat(16)],
    ['8 characters of two bytes', 'äöüßéñçø'],
    ['8 characters beyond the basic plane', '🦊🦋🌵🍉🚲🎺🧭🪁'],
    ['128 characters beyond the basic plane', '🦊🦋🌵🍉🚲🎺🧭🪁'.repeat(16)],
    ['spaces at its ends', '  kvw9zq7!  '],
    ['a NUL inside', 'kvw9\u0000zq7!'],
  ])('can have %s', async (_, password) => {
    expect((await register({ password })).status).toBe(201);
    expect((await login('mira', password)).status).toBe(200);
  });

  it.each([
    ['7 characters of four bytes', '🦊🦋🌵🍉🚲🎺🧭', 'Password must be at least 8 characters long'],
    ['129 characters of four bytes', '🦊'.repeat(129), 'Password must be at most 128 characters long'],
  ])('cannot have %s, counting characters and not bytes', async (_, password, sentence) => {
    expect((await register({ password })).body.fields).toEqual({ password: [sentence] });
  });

  it('is compared in full, without truncation', async () => {
    const base = 'The quick brown fox jumps over the lazy dog, again and again. '.repeat(2).slice(0, 99);
    await register({ password: `${base}A${'z'.repeat(28)}` });
    expect((await login('mira', `${base}B${'z'.repeat(28)}`)).status).toBe(401);
    expect((await login('mira', `${base}A${'z'.repeat(27)}y`)).status).toBe(401);
    expect((await login('mira', `${base}A${'z'.repeat(27)}`)).status).toBe(401);
    expect((await login('mira', `${base}A${'z'.repeat(28)}`)).status).toBe(200);
  });

  it('is compared exactly: NULs, case, and spaces matter', async () => {
    await register({ password: 'kvw9zq7!\u0000tail' });
    for (const other of [
      'kvw9zq7!',
      'kvw9zq7!\u0000tale',
      'KVW9ZQ7!\u0000tail',
      ' kvw9zq7!\u0000tail',
      'kvw9zq7!\u0000tail ',
    ])
      expect((await login('mira', other)).status).toBe(401);
  });

  it('must be at least PASSWORD_MIN_LENGTH characters long', async () => {
    const sentence = 'Password must be at least 12 characters long';
    expect((await register({ password: 'zq7!kvw9pl2' }, strictApi)).body.fields).toEqual({ password: [sentence] });
    expect((await register({ password: 'zq7!kvw9pl2x' }, strictApi)).status).toBe(201);
  });
});

describe('concurrent registrations', () => {
  const outcome = (answers: { status: number }[]) =>
    [201, 400].map((status) => answers.filter((answer) => answer.status === status).length);

  it('let exactly one of 60 take a username, without server errors', async () => {
    const names = ['mira', 'Mira', 'MIRA', 'mIRA'];
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, n) => register({ username: names[n % 4], email: `m${n}@example.org` })),
    );
    expect(outcome(answers)).toEqual([1, 59]);
    expect(new Set(answers.map(({ body }) => body.code))).toEqual(new Set([undefined, 'username_taken']));
    expect(await users()).toHaveLength(1);
    expect(await api.deps.db.selectFrom('sign_ins').select('user_id').execute()).toHaveLength(1);
  });

  it('let exactly one of 60 take an email address, without server errors', async () => {
    const answers = await Promise.all(Array.from({ length: 60 }, (_, n) => register({ username: `mira${n}` })));
    expect(outcome(answers)).toEqual([1, 59]);
    expect(await users()).toHaveLength(1);
  });
});
