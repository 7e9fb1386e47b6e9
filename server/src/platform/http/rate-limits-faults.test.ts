import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { SignedIn } from '@hourshare/contract/sign-ins';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildApp } from '../../app.ts';
import type { Deps } from '../../deps.ts';
import { freshAccess, openTestApi, TEST_PASSWORD, type CallOptions, type TestApi } from '../../testing/api.ts';
import { openTestDatabase } from '../database/testing/test-database.ts';
import { HashingOverloaded } from '../passwords.ts';
import { createRateLimits } from './rate-limits.ts';

const HOUR = 60 * 60_000;
const HOME = '203.0.113.7';
const ELSEWHERE = '198.51.100.9';

let api: TestApi;
let gone: Deps['db'];
beforeAll(async () => {
  api = await openTestApi({ RATE_LIMIT: 'on' });
  const database = await openTestDatabase();
  gone = database.db;
  await database.close();
});
// Counters survive a reset, so every test runs on its own day, after all windows of the previous one.
let day = 0;
beforeEach(async () => {
  await api.reset();
  api.clock.advance(++day * 24 * HOUR);
});
afterAll(() => api.close());

const times = async <T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> => {
  const results: T[] = [];
  for (let index = 0; index < count; index++) results.push(await work(index));
  return results;
};

const login = (username: string, password = TEST_PASSWORD, remoteAddress = HOME) =>
  api.call('POST', '/api/login/', { body: { username, password }, remoteAddress });

const share = (as: SignedIn, asset: number, username: string, remoteAddress = HOME) =>
  api.call('POST', `/api/assets/${asset}/share/`, {
    as,
    body: { username, monthly_hours_allocated: 5 },
    remoteAddress,
  });

/** Returns 25 responses of the same server while something it needs is missing. */
async function whileWithout(change: Partial<Deps>, method: string, url: string, options: CallOptions) {
  const app = await buildApp({ ...api.deps, ...change });
  const bearer = options.as && (await freshAccess(api.deps, options.as));
  const answers = await times(25, () =>
    app.inject({
      method: method as 'POST',
      url,
      remoteAddress: HOME,
      payload: options.body as object,
      headers: { ...options.headers, ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }) },
    }),
  );
  await app.close();
  return new Set(answers.map(({ statusCode, headers }) => `${statusCode} ${headers['retry-after']}`));
}

describe("an attempt that the server couldn't check", () => {
  const overloaded: Deps['passwords'] = {
    hash: () => Promise.reject(new HashingOverloaded()),
    matches: () => Promise.reject(new HashingOverloaded()),
    isOutdated: () => false,
    stop: () => undefined,
  };
  const mira = { username: 'mira', password: TEST_PASSWORD };

  it("doesn't count as a failed login, neither when hashing is overloaded nor without a database", async () => {
    await api.register('mira');
    const unavailable = new Set(['503 2']);
    expect(await whileWithout({ passwords: overloaded }, 'POST', '/api/login/', { body: mira })).toEqual(unavailable);
    expect(await whileWithout({ db: gone }, 'POST', '/api/login/', { body: mira })).toEqual(unavailable);
    expect((await login('mira')).status).toBe(200);
    expect((await times(11, () => login('mira', 'wrong'))).map(({ status }) => status)).toEqual([
      ...Array.from({ length: 10 }, () => 401),
      429,
    ]);
  });

  it("doesn't count as a wrong password when changing it", async () => {
    const as = await api.register('mira');
    const body = { current_password: TEST_PASSWORD, new_password: 'another horse battery' };
    const options = { as, body };
    expect(await whileWithout({ db: gone }, 'POST', '/api/me/password/', options)).toEqual(new Set(['503 2']));
    expect((await api.call('POST', '/api/me/password/', options)).status).toBe(204);
  });

  it.each([{}, { 'idempotency-key': 'one' }])("doesn't count as a failed share, with %j", async (headers) => {
    const owner = await api.register('mira');
    await api.register('ben');
    const { id } = await api.addAsset(owner);
    const options = { as: owner, body: { username: 'ben', monthly_hours_allocated: 5 }, headers };
    expect(await whileWithout({ db: gone }, 'POST', `/api/assets/${id}/share/`, options)).toEqual(new Set(['503 2']));
    expect((await share(owner, id, 'ben')).status).toBe(201);
  });
});

describe('an attempt rejected by one limit', () => {
  it("doesn't count for the other: a share rejected by network costs its user nothing", async () => {
    const users = await times(4, (n) => api.register(`user${n}`));
    const assets = await times(4, (n) => api.addAsset(users[n]!));
    await times(60, (n) => share(users[n % 3]!, assets[n % 3]!.id, `guess${n}`));
    const [last, theirs] = [users[3]!, assets[3]!];
    const refused = await times(30, (n) => share(last, theirs.id, `guess${n}`));
    expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([429]));
    const elsewhere = await times(21, (n) => share(last, theirs.id, `guess${n}`, ELSEWHERE));
    expect(elsewhere.map(({ status }) => status)).toEqual([...Array.from({ length: 20 }, () => 404), 429]);
  });

  it("doesn't count for the other: a login rejected by network costs the account nothing there", async () => {
    // Has never signed in from this network, so the account isn't known there.
    await api.register('newcomer');
    await times(100, (n) => login(`user${n}`, 'wrong'));
    expect(new Set((await times(20, () => login('newcomer'))).map(({ status }) => status))).toEqual(new Set([429]));
    api.clock.advance(5 * 60_000);
    expect((await login('newcomer')).status).toBe(200);
  });
});

describe('the memory of counters', () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;

  it("doesn't grow with input: overlong names count as one", async () => {
    const long = (n: number) => `${'x'.repeat(31)}${n}${'y'.repeat(50_000)}`;
    const answers = await times(11, (n) => login(long(n), 'wrong'));
    expect(answers.map(({ status }) => status)).toEqual([...Array.from({ length: 10 }, () => 401), 429]);
    expect((await login('x'.repeat(30), 'wrong')).status).toBe(401);
  });

  it("doesn't grow with attempts that another limit rejects", () => {
    const limits = createRateLimits(() => 0, true);
    const few = { name: 'few', max: 1, windowSeconds: 60 };
    const refused = { name: 'refused', max: 1, windowSeconds: 60 };
    limits.take(few, 'network');
    collectGarbage();
    const before = process.memoryUsage().heapUsed;
    // Keeping every key would take 200 MB.
    for (let n = 0; n < 10_000; n++) {
      const key = `${n}`.padEnd(20_000, 'x');
      limits.take(refused, key);
      limits.giveBack(refused, key);
    }
    collectGarbage();
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(50e6);
    expect(limits.take(few, 'network')).toMatchObject({ code: 'rate_limited' });
  });

  it('is freed when windows end', () => {
    let now = 0;
    const limits = createRateLimits(() => now, true);
    const limit = { name: 'test', max: 1, windowSeconds: 60 };
    collectGarbage();
    const before = process.memoryUsage().heapUsed;
    // Keeping every key would take 200 MB.
    for (let n = 0; n < 10_000; n++) {
      now += 1000;
      limits.take(limit, `${n}`.padEnd(20_000, 'x'));
    }
    collectGarbage();
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(50e6);
    expect(limits.take(limit, '9999'.padEnd(20_000, 'x'))).toMatchObject({ code: 'rate_limited' });
  });
});
