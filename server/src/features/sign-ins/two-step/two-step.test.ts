import type { RecoveryCodes, SignedIn, TwoStep, TwoStepKey } from '@hourshare/contract/sign-ins';
import type { User } from '@hourshare/contract/users';
import type { FastifyInstance } from 'fastify';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildApp } from '../../../app.ts';
import { createRateLimits } from '../../../platform/http/rate-limits.ts';
import { codeAt } from '../../../platform/one-time-codes.ts';
import { openTestApi, TEST_PASSWORD, type TestApi } from '../../../testing/api.ts';
import { makeKey, switchTwoStepOn } from '../../../testing/two-step.ts';
import { disableAccount } from '../../accounts/administration/service.ts';
import { createResetLink } from '../recovery/service.ts';

const STEP = 30_000;
const MINUTE = 60_000;

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
beforeEach(() => api.reset());
afterAll(() => api.close());

const login = (code?: string, { password = TEST_PASSWORD, remoteAddress = '203.0.113.7' } = {}) =>
  api.call<SignedIn>('POST', '/api/login/', {
    body: { username: 'mira', password, ...(code === undefined ? {} : { code }) },
    remoteAddress,
  });
const read = async (as: SignedIn) => (await api.call<TwoStep>('GET', '/api/me/two-step/', { as })).body;
const confirm = (as: SignedIn, code: string, headers = {}) =>
  api.call<RecoveryCodes>('POST', '/api/me/two-step/confirm/', { as, body: { code }, headers });
const codeIn = (key: string, milliseconds = 0) => codeAt(key, new Date(api.clock.now.getTime() + milliseconds));

async function miraWithTwoStep() {
  const mira = await api.register('mira');
  const { key, codes } = await switchTwoStepOn(api, mira);
  // The code that switched it on is used up.
  api.clock.advance(STEP);
  return { mira, key, codes };
}

describe('switching two-step sign-in on', () => {
  it('takes a code of the key, and returns ten recovery codes', async () => {
    const mira = await api.register('mira');
    const { status, body } = await api.call<TwoStepKey>('POST', '/api/me/two-step/', { as: mira });
    expect(status).toBe(200);
    expect(body.key).toMatch(/^[A-Z2-7]{32}$/);
    expect(body.address).toBe(
      `otpauth://totp/HourShare:mira?issuer=HourShare&secret=${body.key}&algorithm=SHA1&digits=6&period=30`,
    );
    expect(await read(mira)).toEqual({ since: null, recovery_codes_left: 0 });
    expect((await login()).status).toBe(200);

    expect(await confirm(mira, '12345')).toMatchObject({
      status: 400,
      body: { code: 'wrong_code', fields: { code: ['That code is wrong or was already used'] } },
    });
    for (const odd of ['٢٨٧٠٨٢', '12345\u0000', '😀😀😀', 'x'.repeat(51)])
      expect((await confirm(mira, odd)).status).toBe(400);
    expect(await read(mira)).toEqual({ since: null, recovery_codes_left: 0 });
    const code = codeIn(body.key);
    const confirmed = await confirm(mira, `${code.slice(0, 3)} ${code.slice(3)}`);
    expect(confirmed.status).toBe(201);
    expect(new Set(confirmed.body.recovery_codes).size).toBe(10);
    for (const each of confirmed.body.recovery_codes) expect(each).toMatch(/^[a-z2-7]{4}(-[a-z2-7]{4}){5}$/);
    expect(await read(mira)).toEqual({ since: api.clock.now.toISOString(), recovery_codes_left: 10 });
    expect((await api.call<User>('GET', '/api/me/', { as: mira })).body.two_step).toBe(true);
  });

  it('returns the same recovery codes to a repeated request, and stores them encrypted', async () => {
    const mira = await api.register('mira');
    const code = codeIn(await makeKey(api, mira));
    const key = { 'idempotency-key': 'once' };
    const first = await confirm(mira, code, key);
    expect(first.status).toBe(201);
    expect((await confirm(mira, code, key)).text).toBe(first.text);
    const kept = JSON.stringify(await api.deps.db.selectFrom('idempotency_keys').selectAll().execute());
    expect(kept).not.toContain(first.body.recovery_codes[0]);
    expect(await confirm(mira, code)).toMatchObject({ status: 400, body: { code: 'two_step_on' } });
  });

  it('stores neither the key nor recovery codes in plain text', async () => {
    const { key, codes } = await miraWithTwoStep();
    const rows = JSON.stringify([
      await api.deps.db.selectFrom('two_step_keys').selectAll().execute(),
      await api.deps.db.selectFrom('recovery_codes').selectAll().execute(),
    ]);
    expect(rows).not.toContain(key);
    for (const code of codes) expect(rows).not.toContain(code.replaceAll('-', ''));
  });

  it('waits ten minutes for the first code', async () => {
    const mira = await api.register('mira');
    const proof = { as: mira, body: { current_password: TEST_PASSWORD } };
    const keep = async (minutes: number) => {
      const key = await makeKey(api, mira);
      api.clock.advance(minutes * MINUTE);
      expect((await api.call('POST', '/api/me/check/', proof)).status).toBe(200);
      return confirm(mira, codeIn(key));
    };
    expect(await keep(10)).toMatchObject({ status: 400, body: { code: 'wrong_code' } });
    expect((await keep(9)).status).toBe(201);
  });

  it('replaces only a key whose first code was never entered', async () => {
    const mira = await api.register('mira');
    const first = await makeKey(api, mira);
    const second = await makeKey(api, mira);
    expect((await confirm(mira, codeIn(first))).status).toBe(400);
    expect((await confirm(mira, codeIn(second))).status).toBe(201);
    expect(await api.call('POST', '/api/me/two-step/', { as: mira })).toMatchObject({
      status: 400,
      body: { code: 'two_step_on' },
    });
    expect((await login(codeIn(second, STEP))).status).toBe(200);
  });
});

describe.each([
  ['POST', '/api/me/two-step/', undefined],
  ['POST', '/api/me/two-step/confirm/', { code: '123456' }],
  ['POST', '/api/me/two-step/recovery-codes/', undefined],
  ['DELETE', '/api/me/two-step/', undefined],
])('%s %s', (method, path, body) => {
  it('needs a recent check', async () => {
    const { mira } = await miraWithTwoStep();
    api.clock.advance(10 * MINUTE);
    const before = await read(mira);
    expect(await api.call(method, path, { as: mira, body })).toMatchObject({
      status: 403,
      body: { code: 'check_required' },
    });
    expect(await read(mira)).toEqual(before);
  });
});

describe('a sign-in in two steps', () => {
  it('asks for a code only after the right password', async () => {
    const { mira, key } = await miraWithTwoStep();
    expect(await login()).toMatchObject({ status: 401, body: { code: 'second_step_required' } });
    expect(await login(undefined, { password: 'not my password' })).toMatchObject({
      status: 401,
      body: { code: 'invalid_credentials' },
    });
    expect(await login(codeIn(key), { password: 'not my password' })).toMatchObject({
      status: 401,
      body: { code: 'invalid_credentials' },
    });
    expect(await login('000000x')).toMatchObject({
      status: 401,
      body: { code: 'second_step_wrong', fields: { code: ['That code is wrong or was already used'] } },
    });
    const signIns = await api.deps.db.selectFrom('sign_ins').select('id').execute();
    expect(signIns).toHaveLength(1);
    expect(await login(codeIn(key))).toMatchObject({
      status: 200,
      body: { user: { id: mira.user.id, two_step: true } },
    });
  });

  it('accepts codes of the previous and next period, but no others', async () => {
    const { key } = await miraWithTwoStep();
    api.clock.advance(10 * STEP);
    expect((await login(codeIn(key, -2 * STEP))).status).toBe(401);
    expect((await login(codeIn(key, 2 * STEP))).status).toBe(401);
    expect((await login(codeIn(key, -STEP))).status).toBe(200);
    expect((await login(codeIn(key, STEP))).status).toBe(200);
  });

  it.each([
    ['wide (Japanese)', 0xff10],
    ['Arabic', 0x660],
    ['Persian', 0x6f0],
    ['Devanagari', 0x966],
    ['Thai', 0xe50],
  ])('accepts %s digits, with signs that are copied along', async (_, zero) => {
    const { key } = await miraWithTwoStep();
    const digits = codeIn(key).replace(/\d/g, (digit) => String.fromCodePoint(zero + Number(digit)));
    expect((await login(`\u200e${digits.slice(0, 3)}\u00a0${digits.slice(3)}\u200b`)).status).toBe(200);
  });

  it('accepts no code twice, and none earlier than the last one', async () => {
    const { key } = await miraWithTwoStep();
    expect((await login(codeIn(key))).status).toBe(200);
    expect((await login(codeIn(key))).status).toBe(401);
    expect((await login(codeIn(key, -STEP))).status).toBe(401);
    api.clock.advance(STEP);
    expect((await login(codeIn(key, -STEP))).status).toBe(401);
    expect((await login(codeIn(key))).status).toBe(200);
  });

  it('accepts each recovery code once, regardless of case and separators', async () => {
    const { mira, codes } = await miraWithTwoStep();
    const [first = '', second = '', ...others] = codes;
    expect((await login(` ${first.toUpperCase().replaceAll('-', ' ')}`)).status).toBe(200);
    expect((await login(first)).status).toBe(401);
    expect((await login(second.replaceAll('-', ''))).status).toBe(200);
    const dashes = ['\u2010', '\u2011', '\u2013', '\u2014', '\u2212', '\uff0d', '.', ' - '];
    for (const [index, code] of others.entries())
      expect((await login(code.replaceAll('-', dashes[index] ?? ''))).status).toBe(200);
    expect(await read(mira)).toMatchObject({ recovery_codes_left: 0 });
  });

  it('needs the code on a known device, too, and after setting a password with a link', async () => {
    const { mira, key } = await miraWithTwoStep();
    const known = await login(codeIn(key));
    const cookie = String(known.headers['set-cookie']).split(';')[0] ?? '';
    const body = { username: 'mira', password: TEST_PASSWORD };
    expect(await api.call('POST', '/api/login/', { body, headers: { cookie } })).toMatchObject({
      body: { code: 'second_step_required' },
    });
    const token = (await createResetLink(api.deps, mira.user.id))?.split('#')[1];
    const password = 'a longer battery of horses';
    await api.call('POST', '/api/password-reset/confirm/', { body: { token, password } });
    expect(await login(undefined, { password })).toMatchObject({ body: { code: 'second_step_required' } });
    api.clock.advance(STEP);
    expect((await login(codeIn(key), { password })).status).toBe(200);
  });

  it('tells the user of a disabled account so, without asking for a code', async () => {
    const { mira, key } = await miraWithTwoStep();
    await disableAccount(api.deps, mira.user.id);
    for (const code of [undefined, codeIn(key)])
      expect(await login(code)).toMatchObject({ status: 403, body: { code: 'account_disabled' } });
  });

  it('ignores a code if none is needed', async () => {
    await api.register('mira');
    expect((await login('123456')).status).toBe(200);
  });

  describe('with limits', () => {
    let app: FastifyInstance;
    beforeEach(async () => (app = await buildApp({ ...api.deps, limits: createRateLimits(api.deps.uptime, true) })));
    afterEach(() => app.close());
    const attempt = (code: string | undefined, remoteAddress: string) => {
      const payload = { username: 'mira', password: TEST_PASSWORD, ...(code === undefined ? {} : { code }) };
      return app.inject({ method: 'POST', url: '/api/login/', payload, remoteAddress });
    };

    it('allows ten wrong codes in 15 minutes from all networks, and then refuses even the right one', async () => {
      const { key } = await miraWithTwoStep();
      const answers = await Promise.all(
        Array.from({ length: 30 }, (_, n) => attempt(`wrong ${n}`, `203.0.113.${n + 1}`)),
      );
      const statuses = answers.map(({ statusCode }) => statusCode);
      expect(statuses.filter((status) => status === 401)).toHaveLength(10);
      expect(statuses.filter((status) => status === 429)).toHaveLength(20);
      const blocked = await attempt(codeIn(key), '198.51.100.1');
      expect(blocked.json()).toMatchObject({ code: 'rate_limited' });
      expect(Number(blocked.headers['retry-after'])).toBeGreaterThan(0);
      api.clock.advance(15 * MINUTE);
      expect((await attempt(codeIn(key), '198.51.100.1')).statusCode).toBe(200);
    });

    it('allows ten wrong first codes in 15 minutes', async () => {
      const mira = await api.register('mira');
      const key = await makeKey(api, mira);
      const first = (code: string) =>
        app.inject({
          method: 'POST',
          url: '/api/me/two-step/confirm/',
          payload: { code },
          headers: { authorization: `Bearer ${mira.access}` },
        });
      const answers = await Promise.all(Array.from({ length: 12 }, (_, n) => first(`wrong ${n}`)));
      const statuses = answers.map(({ statusCode }) => statusCode);
      expect(statuses.filter((status) => status === 400)).toHaveLength(10);
      expect((await first(codeIn(key))).statusCode).toBe(429);
    });

    it('does not count right codes, or missing ones as failed sign-ins', async () => {
      const { key } = await miraWithTwoStep();
      for (let n = 0; n < 15; n++) {
        expect((await attempt(undefined, '203.0.113.7')).json()).toMatchObject({ code: 'second_step_required' });
        expect((await attempt(codeIn(key), '203.0.113.7')).statusCode).toBe(200);
        api.clock.advance(STEP);
      }
    });
  });

  it('works only with recovery codes after the secret of the server is replaced', async () => {
    const { key, codes } = await miraWithTwoStep();
    await api.deps.db.updateTable('two_step_keys').set({ sealed: 'sealed by another secret' }).execute();
    expect((await login(codeIn(key))).status).toBe(401);
    expect((await login(codes[0])).status).toBe(200);
  });
});

describe('new recovery codes', () => {
  it('replace all earlier ones', async () => {
    const { mira, codes } = await miraWithTwoStep();
    await login(codes[0]);
    const { status, body } = await api.call<RecoveryCodes>('POST', '/api/me/two-step/recovery-codes/', { as: mira });
    expect(status).toBe(200);
    expect(body.recovery_codes).toHaveLength(10);
    expect((await login(codes[1])).status).toBe(401);
    expect((await login(body.recovery_codes[9])).status).toBe(200);
  });

  it('exist only while two-step sign-in is on', async () => {
    const mira = await api.register('mira');
    expect(await api.call('POST', '/api/me/two-step/recovery-codes/', { as: mira })).toMatchObject({
      status: 400,
      body: { code: 'two_step_off' },
    });
  });
});

describe('switching two-step sign-in off', () => {
  it('deletes the key and the codes, and makes the password enough again', async () => {
    const { mira, codes } = await miraWithTwoStep();
    expect((await api.call('DELETE', '/api/me/two-step/', { as: mira })).status).toBe(204);
    expect(await read(mira)).toEqual({ since: null, recovery_codes_left: 0 });
    expect((await login()).status).toBe(200);
    await switchTwoStepOn(api, mira);
    expect((await login(codes[0])).status).toBe(401);
    expect((await api.call('DELETE', '/api/me/two-step/', { as: mira })).status).toBe(204);
    expect((await api.call('DELETE', '/api/me/two-step/', { as: mira })).status).toBe(204);
  });

  it('discards a key whose first code was never entered', async () => {
    const mira = await api.register('mira');
    const key = await makeKey(api, mira);
    await api.call('DELETE', '/api/me/two-step/', { as: mira });
    expect((await confirm(mira, codeIn(key))).status).toBe(400);
  });
});

it('deleting the account deletes its key and codes', async () => {
  const { mira } = await miraWithTwoStep();
  const body = { current_password: TEST_PASSWORD, keep_name: false };
  expect((await api.call('DELETE', '/api/me/', { as: mira, body })).status).toBe(204);
  expect(await api.deps.db.selectFrom('two_step_keys').selectAll().execute()).toEqual([]);
  expect(await api.deps.db.selectFrom('recovery_codes').selectAll().execute()).toEqual([]);
});

describe('at the same time', () => {
  const parallel = <T>(count: number, work: (n: number) => Promise<T>) =>
    Promise.all(Array.from({ length: count }, (_, n) => work(n)));
  const succeeded = (answers: { status: number }[]) => answers.filter(({ status }) => status < 300).length;

  it.each(['app', 'recovery'])('one code of the %s signs in once', async (kind) => {
    const { key, codes } = await miraWithTwoStep();
    for (let round = 0; round < 3; round++) {
      const code = kind === 'app' ? codeIn(key) : (codes[round] ?? '');
      const answers = await parallel(8, (n) => login(code, { remoteAddress: `198.51.100.${n}` }));
      expect(succeeded(answers)).toBe(1);
      expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
      api.clock.advance(15 * MINUTE);
    }
  });

  it('one code switches it on once', async () => {
    const mira = await api.register('mira');
    const code = codeIn(await makeKey(api, mira));
    const answers = await parallel(8, () => confirm(mira, code));
    expect(succeeded(answers)).toBe(1);
    expect(await read(mira)).toMatchObject({ recovery_codes_left: 10 });
  });

  it('either a new key or a code of the old one takes effect', async () => {
    for (let round = 0; round < 5; round++) {
      await api.reset();
      const mira = await api.register('mira');
      const old = await makeKey(api, mira);
      const [next, made] = await Promise.all([
        api.call<Partial<TwoStepKey>>('POST', '/api/me/two-step/', { as: mira }),
        confirm(mira, codeIn(old)),
      ]);
      // Whichever came first, the stored state matches the answers.
      const isOn = made.status === 201;
      expect([next.status, made.status]).toEqual(isOn ? [400, 201] : [200, 400]);
      expect((await read(mira)).since !== null).toBe(isOn);
      api.clock.advance(STEP);
      const key = next.body.key ?? old;
      expect((await confirm(mira, codeIn(key))).status).toBe(isOn ? 400 : 201);
    }
  });

  it('a password that was verified just before it was switched on is not enough', async () => {
    const mira = await api.register('mira');
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
    const payload = { username: 'mira', password: TEST_PASSWORD };
    const pending = app.inject({ method: 'POST', url: '/api/login/', payload });
    await waiting;
    await switchTwoStepOn(api, mira);
    open();
    expect((await pending).statusCode).toBe(401);
    await app.close();
    expect(await api.deps.db.selectFrom('sign_ins').select('ended_at').execute()).toHaveLength(1);
  });

  it('switching off and signing in never fail', async () => {
    for (let round = 0; round < 5; round++) {
      await api.reset();
      api.clock.advance(60 * MINUTE);
      const { mira, key, codes } = await miraWithTwoStep();
      const answers = await Promise.all([
        api.call('DELETE', '/api/me/two-step/', { as: mira }),
        login(codeIn(key)),
        login(codes[0], { remoteAddress: '198.51.100.1' }),
        login(undefined, { remoteAddress: '198.51.100.2' }),
      ]);
      expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
      expect((await login()).status).toBe(200);
    }
  });
});
