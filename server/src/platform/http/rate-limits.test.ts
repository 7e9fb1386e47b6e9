import type { SignedIn, TokenPair } from '@hourshare/contract/sign-ins';
import { endpoints, type Endpoint } from '@hourshare/contract/endpoints';
import type { MemberMeterWithToken, MeterWithToken } from '@hourshare/contract/meters';
import Fastify from 'fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildApp } from '../../app.ts';
import { openTestApi, TEST_PASSWORD, type Answer, type CallOptions, type TestApi } from '../../testing/api.ts';
import { everyCase } from '../../testing/every-case.ts';
import { createLog } from '../log.ts';
import { authenticateCallers } from './authentication.ts';
import { networkOf } from './networks.ts';
import { createRateLimits } from './rate-limits.ts';
import { streamRoute } from './route.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const HOME = '203.0.113.7';
const ELSEWHERE = '198.51.100.9';

let limited: TestApi;
let proxied: TestApi;
let unlimited: TestApi;
beforeAll(async () => {
  limited = await openTestApi({ RATE_LIMIT: 'on' });
  proxied = await openTestApi({ RATE_LIMIT: 'on', TRUST_PROXY: '127.0.0.1' });
  unlimited = await openTestApi({ RATE_LIMIT: 'off' });
});
// Counters survive a reset, so every test runs on its own day, after all windows of the previous one.
let day = 0;
beforeEach(async () => {
  day++;
  for (const api of [limited, proxied, unlimited]) {
    await api.reset();
    api.clock.advance(day * 24 * HOUR);
  }
});
afterAll(async () => {
  for (const api of [limited, proxied, unlimited]) await api.close();
});

type From = Pick<CallOptions, 'remoteAddress' | 'headers'>;
const login = (api: TestApi, password: string, from: From = { remoteAddress: HOME }, username = 'mira') =>
  api.call('POST', '/api/login/', { body: { username, password }, ...from });

async function times<T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  for (let index = 0; index < count; index++) results.push(await work(index));
  return results;
}
const cookieOf = ({ headers }: Answer) => String(headers['set-cookie']).split(';')[0] ?? '';
const statuses = (answers: Answer[]) => answers.map(({ status }) => status);
const all = (count: number, status: number) => Array.from({ length: count }, () => status);
const tooMany = {
  status: 429,
  body: { code: 'rate_limited', error: 'Too many attempts. Please wait a moment and try again.' },
};

describe('failed logins', () => {
  it('are rejected from the 11th, with the time to wait', async () => {
    await limited.register('mira');
    expect(statuses(await times(10, () => login(limited, 'wrong')))).toEqual(all(10, 401));
    const eleventh = await login(limited, 'wrong');
    expect(eleventh).toMatchObject({ ...tooMany, headers: { 'retry-after': '300', 'cache-control': 'no-store' } });
    limited.clock.advance(100.5 * SECOND);
    expect((await login(limited, 'wrong')).headers['retry-after']).toBe('200');
    expect((await login(limited, TEST_PASSWORD)).status).toBe(429);
  });

  it('lock no one out: the right password works once the time to wait is over', async () => {
    await limited.register('mira');
    await times(11, () => login(limited, 'wrong'));
    limited.clock.advance(5 * MINUTE - 1);
    expect((await login(limited, TEST_PASSWORD)).status).toBe(429);
    limited.clock.advance(1);
    expect((await login(limited, TEST_PASSWORD)).status).toBe(200);
  });

  it('are rejected the same way for a name without an account', async () => {
    expect(statuses(await times(11, () => login(limited, 'wrong')))).toEqual([...all(10, 401), 429]);
  });

  it('count for the account however its name is typed', async () => {
    await limited.register('mira');
    const typed = ['mira', 'MIRA', ' mira', 'Mira '];
    const answers = await times(11, (n) => login(limited, 'wrong', { remoteAddress: HOME }, typed[n % 4]));
    expect(statuses(answers)).toEqual([...all(10, 401), 429]);
  });

  it("from another network don't keep the owner out", async () => {
    await limited.register('mira');
    await times(40, () => login(limited, 'wrong', { remoteAddress: ELSEWHERE }));
    expect((await login(limited, TEST_PASSWORD, { remoteAddress: ELSEWHERE })).status).toBe(429);
    expect((await login(limited, TEST_PASSWORD)).status).toBe(200);
  });

  it('on different accounts are rejected from the 101st per network', async () => {
    const answers = await times(101, (n) => login(limited, 'wrong', { remoteAddress: HOME }, `user${n}`));
    expect(statuses(answers)).toEqual([...all(100, 401), 429]);
  });

  it("can't slip through in parallel", async () => {
    await limited.register('mira');
    const answers = await Promise.all(Array.from({ length: 50 }, () => login(limited, 'wrong')));
    expect(statuses(answers).filter((status) => status === 401)).toHaveLength(10);
    expect(statuses(answers).filter((status) => status === 429)).toHaveLength(40);
  });

  it("count while successful logins don't", async () => {
    await limited.register('mira');
    expect(statuses(await times(30, () => login(limited, TEST_PASSWORD)))).toEqual(all(30, 200));
    await times(9, () => login(limited, 'wrong'));
    expect(statuses(await times(5, () => login(limited, TEST_PASSWORD)))).toEqual(all(5, 200));
    expect(statuses(await times(2, () => login(limited, 'wrong')))).toEqual([401, 429]);
  });

  it('from one IPv6 network count together', async () => {
    const from = (n: number) => ({ remoteAddress: `2001:db8:1:2:${n + 1}::${n}` });
    expect(statuses(await times(11, (n) => login(limited, 'wrong', from(n))))).toEqual([...all(10, 401), 429]);
    expect((await login(limited, 'wrong', { remoteAddress: '2001:db8:1:3::1' })).status).toBe(401);
  });
});

describe("guessing one account's password from many networks", () => {
  const attack = async (networks: number, username = 'mira') => {
    const answers = await times(networks * 10, (n) =>
      login(limited, `guess ${n}`, { remoteAddress: `198.18.${Math.floor(n / 10)}.1` }, username),
    );
    return statuses(answers).filter((status) => status === 401).length;
  };

  it('gets 50 attempts in 15 minutes, however many networks there are', async () => {
    await limited.register('mira');
    expect(await attack(20)).toBe(50);
    limited.clock.advance(15 * MINUTE);
    expect(await attack(20)).toBe(50);
  });

  it('gets as many attempts for a name without an account', async () => {
    expect(await attack(20)).toBe(50);
  });

  it("doesn't keep the owner out on a device where they have signed in before, in any network", async () => {
    await limited.register('traveler');
    const signIn = (from: From) => login(limited, TEST_PASSWORD, from, 'traveler');
    const cookie = cookieOf(await signIn({ remoteAddress: HOME }));
    await attack(20, 'traveler');
    expect((await signIn({ remoteAddress: ELSEWHERE })).status).toBe(429);
    expect((await signIn({ remoteAddress: ELSEWHERE, headers: { cookie } })).status).toBe(200);
  });

  it("doesn't keep the owner out in a network where they have signed in before", async () => {
    await limited.register('mira');
    await login(limited, TEST_PASSWORD);
    await attack(20);
    expect((await login(limited, TEST_PASSWORD)).status).toBe(200);
  });

  it("doesn't keep the owner out where they have only refreshed their sign-in", async () => {
    const { refresh: token } = await limited.register('refresher');
    const from = { remoteAddress: '198.51.100.77' };
    const renewed = await limited.call('POST', '/api/token/refresh/', { body: { refresh: token }, ...from });
    await attack(20, 'refresher');
    const elsewhere = { remoteAddress: ELSEWHERE, headers: { cookie: cookieOf(renewed) } };
    expect((await login(limited, TEST_PASSWORD, from, 'refresher')).status).toBe(200);
    expect((await login(limited, TEST_PASSWORD, elsewhere, 'refresher')).status).toBe(200);
  });

  it("gains nothing from another account's device cookie or a forged one", async () => {
    await limited.register('target');
    await limited.register('ben');
    const bens = cookieOf(await login(limited, TEST_PASSWORD, { remoteAddress: HOME }, 'ben'));
    await attack(20, 'target');
    for (const cookie of [bens, bens.replace(/.$/, 'A'), 'hourshare_device=x.y', 'hourshare_device=%00', ';=;']) {
      const from = { remoteAddress: ELSEWHERE, headers: { cookie } };
      expect((await login(limited, 'wrong', from, 'target')).status).toBe(429);
    }
  });

  it('gets 10 attempts on a device where the owner has signed in', async () => {
    await limited.register('mira');
    const cookie = cookieOf(await login(limited, TEST_PASSWORD));
    const guess = (n: number) => login(limited, 'wrong', { remoteAddress: `198.18.${n}.1`, headers: { cookie } });
    expect(statuses(await times(11, guess))).toEqual([...all(10, 401), 429]);
  });
});

describe('the device cookie', () => {
  it.each([
    [{}, /^hourshare_device=[\w-]{22}\.[\w-]{43}; Max-Age=15552000; Path=\/api\/login; HttpOnly; SameSite=Strict$/],
    [
      { APP_URL: 'https://hours.example.org' },
      /^__Host-hourshare_device=[\w-]{22}\.[\w-]{43}; Max-Age=15552000; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
    ],
  ])('is unavailable to scripts and other sites, with %j', async (environment, shape) => {
    const api = await openTestApi(environment);
    await api.register('mira');
    const answers = [await login(api, TEST_PASSWORD), await login(api, 'wrong')];
    await api.close();
    expect(answers[0]?.headers['set-cookie']).toMatch(shape);
    expect(answers[1]?.headers['set-cookie']).toBeUndefined();
  });

  it('is recognized under its own name only', async () => {
    const api = await openTestApi({ RATE_LIMIT: 'on', APP_URL: 'https://hours.example.org' });
    await api.register('mira');
    await api.register('ben');
    const current = cookieOf(await login(api, TEST_PASSWORD));
    const bens = cookieOf(await login(api, TEST_PASSWORD, { remoteAddress: HOME }, 'ben'));
    await times(10, () => login(api, 'wrong', { remoteAddress: ELSEWHERE }));
    const statusWith = async (cookie: string) =>
      (await login(api, TEST_PASSWORD, { remoteAddress: ELSEWHERE, headers: { cookie } })).status;
    const known = [await statusWith(current), await statusWith(`other=value; ${current}`)];
    const unknown = [
      await statusWith(current.replace('__Host-', '')),
      await statusWith(current.replace('__Host-', '__Secure-')),
      await statusWith(bens),
      await statusWith(current.replace(/=.*/, '=x.y')),
    ];
    await api.close();
    expect(known).toEqual(all(2, 200));
    expect(unknown).toEqual(all(4, 429));
  });
});

describe('a network with 100 failed sign-ins', () => {
  it("doesn't keep out accounts that have signed in from there", async () => {
    await limited.register('mira');
    await login(limited, TEST_PASSWORD);
    await times(110, (n) => login(limited, 'wrong', { remoteAddress: HOME }, `user${n}`));
    expect((await login(limited, TEST_PASSWORD)).status).toBe(200);
  });
});

describe('sign-outs and refreshes', () => {
  const refresh = (token: string) =>
    limited.call<TokenPair>('POST', '/api/token/refresh/', { body: { refresh: token }, remoteAddress: HOME });

  it('without a token of this server keep no one from signing in, refreshing or signing out', async () => {
    const mira = await limited.register('mira');
    await times(400, () => limited.call('POST', '/api/logout/', { body: {}, remoteAddress: HOME }));
    await times(400, (n) => refresh(`made-up.${n}.token`));
    expect((await login(limited, TEST_PASSWORD)).status).toBe(200);
    const renewed = await refresh(mira.refresh);
    expect(renewed.status).toBe(200);
    const out = { body: { refresh_token: renewed.body.refresh }, remoteAddress: HOME };
    expect((await limited.call('POST', '/api/logout/', out)).status).toBe(204);
    expect((await refresh(renewed.body.refresh)).status).toBe(401);
  });

  it('are rejected from the 61st refresh per minute of one sign-in, without affecting others', async () => {
    let { refresh: token } = await limited.register('mira');
    const ben = await limited.register('ben');
    for (let n = 0; n < 60; n++) token = (await refresh(token)).body.refresh;
    expect(await refresh(token)).toMatchObject({ ...tooMany, headers: { 'retry-after': '60' } });
    expect((await refresh(ben.refresh)).status).toBe(200);
    limited.clock.advance(MINUTE);
    expect((await refresh(token)).status).toBe(200);
  });
});

describe('changes of email address', () => {
  it("are rejected after 20 failures in an hour, so that addresses can't be guessed", async () => {
    const mira = await limited.register('mira');
    await limited.register('ben');
    const body = { email: 'ben@example.org', current_password: TEST_PASSWORD };
    const change = (email = body.email) => limited.call('PATCH', '/api/me/', { as: mira, body: { ...body, email } });
    const answers: Answer[] = [];
    for (let n = 0; n < 20; n++) {
      if (n === 10) limited.clock.advance(5 * MINUTE);
      answers.push(await change());
    }
    expect(statuses(answers)).toEqual(all(20, 400));
    limited.clock.advance(5 * MINUTE);
    expect(await change()).toMatchObject(tooMany);
    expect((await change('mira@example.net')).status).toBe(429);
    limited.clock.advance(HOUR);
    expect((await change('mira@example.net')).status).toBe(200);
  });

  it("also count by network, so that more accounts don't guess faster", async () => {
    // Each fails less often than a user may.
    const users = await times(8, (n) => limited.register(`user${n}`));
    const body = { email: 'user0@example.org', current_password: TEST_PASSWORD };
    const change = (as: SignedIn) => limited.call('PATCH', '/api/me/', { as, body, remoteAddress: HOME });
    expect(statuses(await times(61, (n) => change(users[1 + (n % 7)]!)))).toEqual([...all(60, 400), 429]);
  });

  it('are rejected after 10 wrong passwords', async () => {
    const mira = await limited.register('mira');
    const body = { email: 'mira@example.net', current_password: 'wrong' };
    const answers = await times(11, () => limited.call('PATCH', '/api/me/', { as: mira, body }));
    expect(statuses(answers)).toEqual([...all(10, 400), 429]);
  });
});

describe('the networks of an IPv6 /48', () => {
  it('together get ten times the attempts of one', () => {
    const limits = createRateLimits(() => 0, true);
    const take = (key: string) => limits.take({ name: 'test', max: 2, windowSeconds: 60 }, key) === undefined;
    const one = (site: number, network: number) => `${networkOf(`2001:db8:${site}:${network}::1`)} mira`;
    for (let network = 1; network <= 10; network++)
      expect([1, 2, 3].map(() => take(one(1, network)))).toEqual([true, true, false]);
    expect(take(one(1, 99))).toBe(false);
    expect(take(one(2, 99))).toBe(true);
    limits.giveBack({ name: 'test', max: 2, windowSeconds: 60 }, one(1, 1));
    expect(take(one(1, 99))).toBe(true);
    expect(take(one(1, 99))).toBe(false);
  });
});

describe('a window', () => {
  it("doesn't change when the clock is set", async () => {
    await times(11, () => login(limited, 'wrong'));
    limited.clock.now = new Date(limited.clock.now.getTime() + 40 * 24 * HOUR);
    expect((await login(limited, 'wrong')).status).toBe(429);
    limited.clock.now = new Date(limited.clock.now.getTime() - 80 * 24 * HOUR);
    limited.clock.advance(5 * MINUTE);
    expect((await login(limited, 'wrong')).status).toBe(401);
  });
});

describe('X-Forwarded-For', () => {
  const forwarded = (address: string, remoteAddress = '127.0.0.1') => ({
    remoteAddress,
    headers: { 'x-forwarded-for': address, 'x-real-ip': address, forwarded: `for=${address}` },
  });

  it('is ignored unless a proxy is trusted', async () => {
    const answers = await times(11, (n) => login(limited, 'wrong', forwarded(`203.0.113.${n}`)));
    expect(statuses(answers)).toEqual([...all(10, 401), 429]);
  });

  it('is trusted from the trusted proxy', async () => {
    expect(statuses(await times(11, () => login(proxied, 'wrong', forwarded(HOME))))).toEqual([...all(10, 401), 429]);
    expect((await login(proxied, 'wrong', forwarded(ELSEWHERE))).status).toBe(401);
  });

  it('is ignored from anyone else', async () => {
    const answers = await times(11, (n) => login(proxied, 'wrong', forwarded(`203.0.113.${n}`, ELSEWHERE)));
    expect(statuses(answers)).toEqual([...all(10, 401), 429]);
  });

  it('is trusted only in the part that the proxy itself added', async () => {
    const answers = await times(11, (n) => login(proxied, 'wrong', forwarded(`203.0.113.${n}, ${ELSEWHERE}`)));
    expect(statuses(answers)).toEqual([...all(10, 401), 429]);
  });

  it.each([
    ['ports', (n: number) => `203.0.113.7:${40_000 + n}`],
    ['ports after brackets', (n: number) => `[2001:db8::${n}]:${40_000 + n}`],
    ['trusted proxies with ports', (n: number) => `203.0.113.${n}, ${HOME}, 127.0.0.1:${40_000 + n}`],
    ['what is no address', (n: number) => `junk-${n}`],
  ])("doesn't tell callers apart by %s", async (_, address) => {
    const answers = await times(11, (n) => login(proxied, 'wrong', forwarded(address(n))));
    expect(statuses(answers)).toEqual([...all(10, 401), 429]);
  });

  it('may contain anything without causing an error', async () => {
    const odd = ['', ',', 'unknown', '::', ':::', '1:2:3:4:5:6:7:8:9', '203.0.113.7:4711', 'x'.repeat(4000), '%00'];
    const answers = await times(odd.length, (n) => login(proxied, 'wrong', forwarded(odd[n]!)));
    expect(statuses(answers)).toEqual(all(odd.length, 401));
  });
});

describe('a forwarded address from a peer that TRUST_PROXY does not name', () => {
  it('triggers one warning', async () => {
    let written = '';
    const log = createLog('info', { write: (line) => (written += line) });
    const app = await buildApp({ ...proxied.deps, log });
    const ask = (remoteAddress: string, headers: Record<string, string>) =>
      app.inject({ url: '/healthz', remoteAddress, headers });
    // The last two are of the proxy's own machine, and of a proxy that knows no address.
    for (const address of [HOME, '127.0.0.1', '']) await ask('127.0.0.1', { 'x-forwarded-for': address });
    await ask(ELSEWHERE, {});
    expect(written).toBe('');
    for (const name of ['x-forwarded-for', 'forwarded', 'x-forwarded-for'])
      await ask(ELSEWHERE, { [name]: 'for=203.0.113.7' });
    await app.close();
    const lines = written.trim().split('\n');
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      level: 40,
      peer: ELSEWHERE,
      msg: expect.stringContaining('TRUST_PROXY') as string,
    });
  });
});

describe('shares', () => {
  const share = (as: SignedIn, asset: number, username: string, from: From = {}) =>
    limited.call('POST', `/api/assets/${asset}/share/`, {
      as,
      body: { username, monthly_hours_allocated: 5 },
      ...from,
    });

  it('are rejected after 20 failures in an hour', async () => {
    const mira = await limited.register('mira');
    const { id } = await limited.addAsset(mira);
    expect(statuses(await times(20, (n) => share(mira, id, `guess${n}`)))).toEqual(all(20, 404));
    await limited.register('ben');
    expect(await share(mira, id, 'ben')).toMatchObject({ ...tooMany, headers: { 'retry-after': '3600' } });
    limited.clock.advance(HOUR);
    expect((await share(mira, id, 'ben')).status).toBe(201);
  });

  it("aren't limited when they succeed", async () => {
    const mira = await limited.register('mira');
    const { body: ben } = await limited.call<SignedIn>('POST', '/api/register/', {
      body: { username: 'ben', email: 'ben@example.org', password: TEST_PASSWORD },
      remoteAddress: ELSEWHERE,
    });
    // Only three offers a day may wait for an answer.
    const trust = { username: 'mira', monthly_amount: 1000, currency: 'USD' };
    await limited.call('POST', '/api/trusted-owners/', { as: ben, body: trust });
    const assets = await times(30, () => limited.addAsset(mira));
    expect(statuses(await times(30, (n) => share(mira, assets[n]!.id, 'ben')))).toEqual(all(30, 201));
  });

  it("also count failures by network, so that more accounts don't guess faster", async () => {
    const users = await times(4, (n) => limited.register(`user${n}`));
    const assets = await times(4, (n) => limited.addAsset(users[n]!));
    const guess = (n: number) => share(users[n % 4]!, assets[n % 4]!.id, `guess${n}`, { remoteAddress: HOME });
    expect(statuses(await times(61, guess))).toEqual([...all(60, 404), 429]);
  });

  it("can't slip through in parallel", async () => {
    const mira = await limited.register('mira');
    const { id } = await limited.addAsset(mira);
    const answers = await Promise.all(Array.from({ length: 60 }, (_, n) => share(mira, id, `guess${n}`)));
    expect(statuses(answers).filter((status) => status === 404)).toHaveLength(20);
    expect(statuses(answers).filter((status) => status === 429)).toHaveLength(40);
  });
});

describe('registrations', () => {
  it('are rejected from the 21st in an hour per network, without affecting others', async () => {
    const register = (n: number, remoteAddress = HOME) =>
      limited.call('POST', '/api/register/', {
        body: { username: `user${n}`, email: `user${n}@example.org`, password: TEST_PASSWORD },
        remoteAddress,
      });
    // Taken names count as well, because guessing would try them.
    expect(statuses(await times(20, (n) => register(n % 10)))).toEqual([...all(10, 201), ...all(10, 400)]);
    expect(await register(20)).toMatchObject({ ...tooMany, headers: { 'retry-after': '3600' } });
    expect((await register(20, ELSEWHERE)).status).toBe(201);
    limited.clock.advance(HOUR);
    expect((await register(21)).status).toBe(201);
  });

  it('count together for passwords, passkeys, and providers, and requests for a passkey count only if refused', async () => {
    const from = { remoteAddress: HOME };
    const body = { username: 'mira', email: 'mira@example.org' };
    const options = (username: string) =>
      limited.call('POST', '/api/register/passkey/options/', {
        body: { ...body, username, email: `${username}@example.org` },
        ...from,
      });
    expect(statuses(await times(30, (n) => options(`user${n}`)))).toEqual(all(30, 200));
    const withPassword = () =>
      limited.call('POST', '/api/register/', { body: { ...body, password: TEST_PASSWORD }, ...from });
    expect((await withPassword()).status).toBe(201);
    expect(statuses(await times(9, withPassword))).toEqual(all(9, 400));
    expect(statuses(await times(5, () => options('mira')))).toEqual(all(5, 400));
    const withProvider = () =>
      limited.call('POST', '/api/providers/register/', { body: { ticket: 'x', username: 'ben' }, ...from });
    expect(statuses(await times(6, withProvider))).toEqual([...all(5, 400), 429]);
    for (const refused of [await withPassword(), await options('new')]) expect(refused).toMatchObject(tooMany);
  });
});

const bytes = 'A'.repeat(43);
const UNKNOWN_PASSKEY = {
  id: bytes,
  rawId: bytes,
  type: 'public-key',
  response: { clientDataJSON: bytes, authenticatorData: bytes, signature: bytes },
};

const NOON = '2026-03-10T12:00:00Z';

describe('what a user makes or fails at again and again', () => {
  it.each([
    ['/api/me/access-tokens/', 60, 3600, { name: 'Report' }],
    ['/api/assets/999/people/', 100, 3600, { name: 'Grandma', monthly_hours_allocated: 5 }],
    ['/api/assets/999/share/999/claim/', 100, 3600, {}],
    ['/api/assets/999/invitations/', 100, 3600, { monthly_hours_allocated: 5 }],
    ['/api/assets/999/meters/999/imports/', 60, 60, { rows: [{ name: 'Ben', start: NOON, end: NOON }] }],
    ['/api/notifications/targets/', 30, 3600, { format: 'json', address: 'http://a.example.org', kinds: ['sign_in'] }],
    ['/api/me/identities/', 20, 3600, { ticket: 'x' }],
    ['/api/me/check/passkey/', 30, 300, { passkey: UNKNOWN_PASSKEY }],
  ])('is limited: %s, %d in %d seconds', async (path, max, seconds, body) => {
    const ask = (as: SignedIn) => limited.call('POST', path, { as, body });
    const mira = await limited.register('mira');
    expect(statuses(await times(max, () => ask(mira)))).not.toContain(429);
    expect(await ask(mira)).toMatchObject({ ...tooMany, headers: { 'retry-after': String(seconds) } });
    expect((await ask(await limited.register('ben'))).status).not.toBe(429);
  });
});

it('an event stream is opened 60 times a minute by a user', async () => {
  const app = Fastify();
  authenticateCallers(
    app,
    async () => ({ userId: 1, signIn: 's', checkedAt: new Date() }),
    async () => undefined,
  );
  const deps = { limits: createRateLimits(() => 0, true), streams: limited.deps.streams };
  const prepare = () => Promise.reject(new Error('It opens none.'));
  streamRoute(app, deps, 'GET /api/events/', { prepare, first: async () => [] });
  const open = () => app.inject({ url: '/api/events/', headers: { authorization: 'Bearer x' } });
  const answers = await times(61, open);
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([...all(60, 500), 429]);
  await app.close();
});

it('reads of calendars and confirmations of addresses are limited for each network', async () => {
  for (const [key, max, milliseconds, body] of [
    ['GET /api/calendar/x.ics', 300, 5 * MINUTE, undefined],
    ['POST /api/me/email-change/confirm/', 60, HOUR, { token: 'x' }],
  ] as const) {
    const [method = '', path = ''] = key.split(' ');
    const ask = (remoteAddress = HOME) => limited.call(method, path, { body, remoteAddress });
    const answers = statuses(await times(max, () => ask()));
    expect(answers.filter((status) => status < 400 || status === 429 || status >= 500)).toEqual([]);
    expect(await ask()).toMatchObject({ ...tooMany, headers: { 'retry-after': String(milliseconds / SECOND) } });
    expect((await ask(ELSEWHERE)).status).not.toBe(429);
  }
});

it('the access tokens of a user together make 300 calls a minute', async () => {
  const mira = await limited.register('mira');
  const ben = await limited.register('ben');
  const tokenOf = async (as: SignedIn) =>
    (await limited.call<{ token: string }>('POST', '/api/me/access-tokens/', { as, body: { name: 'Script' } })).body
      .token;
  const tokens = await times(6, () => tokenOf(mira));
  const read = (token: string | undefined) => limited.call('GET', '/api/assets/', { token: token ?? '' });
  expect(statuses(await times(300, (index) => read(tokens[index % 6])))).toEqual(all(300, 200));
  expect(await read(tokens[0])).toMatchObject(tooMany);
  expect((await read(await tokenOf(ben))).status).toBe(200);
  expect((await limited.call('GET', '/api/assets/', { as: mira })).status).toBe(200);
});

it('each member has their own limit for what their token tells a meter', async () => {
  const mira = await limited.register('mira');
  const asset = await limited.addAsset(mira);
  const { body } = await limited.call<MeterWithToken>('POST', `/api/assets/${asset.id}/meters/`, {
    as: mira,
    body: { name: 'Editor', kind: 'totals', per_member: true },
  });
  const tokenOf = async (name: string) => {
    const as = await limited.register(name);
    const path = `/api/shared-assets/${(await limited.share(mira, asset, as)).id}/meters/${body.meter.id}/`;
    await limited.call('POST', path, { as, body: { agreed: true } });
    return (await limited.call<MemberMeterWithToken>('POST', `${path}token/`, { as })).body.token;
  };
  const [ana, ben] = [await tokenOf('ana'), await tokenOf('ben')];
  for (const [path, max, sent] of [
    ['/api/meters/events/', 60, { events: [{ id: 'a', at: limited.clock.now.toISOString(), seconds: 1 }] }],
    ['/v1/metrics', 300, { resourceMetrics: [] }],
  ] as const) {
    const send = (token: string) => limited.call('POST', path, { token, body: sent });
    expect(statuses(await times(max, () => send(ana)))).toEqual(all(max, 200));
    expect((await send(ana)).status).toBe(429);
    expect((await send(ben)).status).toBe(200);
  }
});

describe('a link that turns emails off', () => {
  it('is looked up 300 times in five minutes for a network', async () => {
    const ask = (remoteAddress = HOME) => limited.call('POST', '/api/unsubscribe/x/', { remoteAddress });
    expect(new Set(statuses(await times(300, () => ask())))).toEqual(new Set([404]));
    expect(await ask()).toMatchObject({ ...tooMany, headers: { 'retry-after': '300' } });
    expect((await ask(ELSEWHERE)).status).toBe(404);
  });
});

// Public calls have their own limits, tested above. A shared limit per network would let a flood of one stop the
// others.
const writing = Object.entries(endpoints as Record<string, Endpoint>).filter(
  ([key, endpoint]) => !key.startsWith('GET ') && !endpoint.public,
);

describe('the 301st write in a minute', () => {
  const writeAs = (as: SignedIn, [key]: (typeof writing)[number]) => {
    const [method, path] = key.replaceAll(/\{\w+\}/g, '999').split(' ') as [string, string];
    return limited.call(method, path, { as, body: { no: 'field' }, remoteAddress: HOME });
  };

  it('is rejected at each call', async () => {
    const as = await limited.register('mira');
    const writes = (count: number) => times(count, (n) => writeAs(as, writing[n % writing.length]!));
    expect(statuses(await writes(300)).filter((status) => status >= 500 || status === 429)).toEqual([]);
    const [next] = await writes(1);
    // Takes the place of those that a call didn't count, so that only this call is named.
    await writes(writing.length);
    await everyCase(
      writing,
      ([key]) => key,
      async (call) => {
        expect(await writeAs(as, call)).toMatchObject({ ...tooMany, headers: { 'retry-after': '60' } });
      },
    );
    expect(next).toMatchObject({ ...tooMany, headers: { 'retry-after': '60' } });
    limited.clock.advance(MINUTE);
    await everyCase(
      writing,
      ([key]) => key,
      async (call) => expect((await writeAs(as, call)).status).not.toBe(429),
    );
  });

  it("doesn't affect other users or reading", async () => {
    const mira = await limited.register('mira');
    const ben = await limited.register('ben');
    await times(301, () => limited.call('POST', '/api/assets/', { as: mira, body: {} }));
    const add = (as: SignedIn) =>
      limited.call('POST', '/api/assets/', { as, body: { name: 'TV', subscription_cost: 1 } });
    expect((await add(mira)).status).toBe(429);
    expect((await add(ben)).status).toBe(201);
    expect((await limited.call('GET', '/api/assets/', { as: mira })).status).toBe(200);
  });
});

describe('with RATE_LIMIT=off', () => {
  it('nothing is ever rejected', async () => {
    await unlimited.register('mira');
    expect(statuses(await times(25, () => login(unlimited, 'wrong')))).toEqual(all(25, 401));
    expect((await login(unlimited, TEST_PASSWORD)).status).toBe(200);
    const answers = await times(400, () => unlimited.call('POST', '/api/logout/', { body: {} }));
    expect(new Set(statuses(answers))).toEqual(new Set([204]));
  });
});

describe('the network of an address', () => {
  it.each([
    [undefined, 'unknown'],
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['::FFFF:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::9', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:db8::4:5:6:7:8', '2001:db8:0:4::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['203.0.113.7:51234', '203.0.113.7'],
    ['[2001:db8::1]:51234', '2001:db8:0:0::/64'],
    ['[2001:DB8:0::1]', '2001:db8:0:0::/64'],
    ['[::ffff:203.0.113.7]:80', '203.0.113.7'],
    ['::ffff:cb00:7107', '203.0.113.7'],
    ['unknown', 'unknown'],
    ['junk-1', 'unknown'],
    ['203.0.113.7:', 'unknown'],
    ['203.0.113', 'unknown'],
    ['0xcb.0.113.7', 'unknown'],
    ['3405803783', 'unknown'],
    ['[203.0.113.7', 'unknown'],
    ['2001:db8::1::2', 'unknown'],
    ['203.0.113.7, 203.0.113.8', 'unknown'],
  ])('%s belongs to %s', (address, network) => {
    expect(networkOf(address)).toBe(network);
  });
});
