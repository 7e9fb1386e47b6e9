import type { SignedIn } from '@hourshare/contract/sign-ins';
import type { OwnedAsset } from '@hourshare/contract/assets';
import type { SharedAsset } from '@hourshare/contract/shares';
import type { FastifyInstance } from 'fastify';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildApp } from '../../../app.ts';
import type { Deps } from '../../../deps.ts';
import { createConfirmedTime, type OtherClock } from '../../../platform/confirmed-time.ts';
import { freshAccess, openTestApi, type TestApi } from '../../../testing/api.ts';
import { runScheduledJobs } from '../../../testing/records.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;

let api: TestApi;
let owner: SignedIn;
let member: SignedIn;
let asset: OwnedAsset;
let share: SharedAsset;
let app: FastifyInstance | undefined;
let deps: Deps;
/** The server's uptime in milliseconds. */
let uptime: number;

beforeAll(async () => {
  api = await openTestApi();
});
beforeEach(() => api.reset());
afterEach(() => app?.close());
afterAll(() => api.close());

async function addSharedAsset(): Promise<void> {
  owner = await api.register('mira');
  member = await api.register('ben');
  asset = await api.addAsset(owner);
  share = await api.share(owner, asset, member);
}

/** Starts a server on the test's clock and, if given, another clock to compare it with. */
async function startServer(otherClock?: OtherClock): Promise<void> {
  uptime = 0;
  const confirmedTime = createConfirmedTime({ clock: api.deps.clock, uptime: () => uptime, otherClock });
  deps = { ...api.deps, confirmedTime };
  app = await buildApp(deps);
}

interface Body {
  id?: number;
  closed?: boolean;
  results?: object[];
}

async function call(method: 'GET' | 'POST' | 'PATCH', path: string, caller: SignedIn, body?: object) {
  const token = await freshAccess(api.deps, caller);
  const answer = await app!.inject({
    method,
    url: path,
    headers: { authorization: `Bearer ${token}` },
    ...(body && { payload: body }),
  });
  return { status: answer.statusCode, body: answer.json<Body>() };
}

/** Lets time pass for the clock and the process, and runs the scheduled jobs every five minutes. */
async function passTime(milliseconds: number): Promise<void> {
  for (let remaining = milliseconds; remaining > 0; remaining -= 5 * MINUTE) {
    const step = Math.min(remaining, 5 * MINUTE);
    api.clock.advance(step);
    uptime += step;
    await runScheduledJobs(deps);
  }
}

/** Runs the jobs and sends every request that could close a month or end a session. */
async function triggerEverything(): Promise<void> {
  await runScheduledJobs(deps);
  const reads = [`/api/assets/${asset.id}/statements/`, '/api/statements/', '/api/balances/'];
  for (const caller of [owner, member])
    for (const path of reads) expect((await call('GET', path, caller)).status).toBe(200);
  await call('POST', '/api/settlements/', owner, { username: 'ben' });
  await call('PATCH', `/api/shared-assets/${share.id}/logs/1/`, member, { end_time: api.clock.now.toISOString() });
  const price = { from_month: '2026-03', subscription_cost: 7 };
  await call('POST', `/api/assets/${asset.id}/prices/`, owner, price);
}

const closedMonths = async () =>
  (await api.deps.db.selectFrom('statements').select('month').orderBy('month').execute()).map(({ month }) => month);

describe('a clock that jumps 40 days ahead', () => {
  beforeEach(addSharedAsset);

  it('for two seconds closes no month and ends no session permanently', async () => {
    await startServer();
    await passTime(60 * MINUTE);
    const start = await call('POST', `/api/shared-assets/${share.id}/start/`, member);
    expect(start.status).toBe(201);
    for (const _ of ['once', 'again ten minutes later']) {
      api.clock.advance(40 * DAY);
      await triggerEverything();
      api.clock.advance(2 * SECOND);
      uptime += 2 * SECOND;
      await triggerEverything();
      api.clock.advance(-40 * DAY);
      await passTime(10 * MINUTE);
    }
    expect(await closedMonths()).toEqual([]);
    const path = `/api/assets/${asset.id}/statements/2026-03/`;
    expect((await call('GET', path, member)).body).toMatchObject({ closed: false, ended: false });
    expect((await call('POST', `/api/shared-assets/${share.id}/end/`, member)).status).toBe(200);
    const correction = { end_time: new Date(api.clock.now.getTime() - MINUTE).toISOString() };
    const log = `/api/shared-assets/${share.id}/logs/${start.body.id}/`;
    expect((await call('PATCH', log, member, correction)).status).toBe(200);
    const price = { from_month: '2026-03', subscription_cost: 9 };
    expect((await call('POST', `/api/assets/${asset.id}/prices/`, owner, price)).status).toBe(201);
  });

  it('for ten minutes closes the month', async () => {
    await startServer();
    await passTime(60 * MINUTE);
    api.clock.advance(40 * DAY);
    await triggerEverything();
    await passTime(10 * MINUTE - SECOND);
    await triggerEverything();
    expect(await closedMonths()).toEqual([]);
    await passTime(SECOND);
    expect(await closedMonths()).toEqual(['2026-03-01']);
  });
});

it('a read closes the months of 50 assets at most', async () => {
  owner = await api.register('mira');
  for (let count = 0; count < 51; count++) await api.addAsset(owner);
  api.clock.now = new Date('2026-04-04T00:00:00.000Z');
  for (const closed of [50, 51]) {
    expect((await api.call('GET', '/api/statements/', { as: owner })).status).toBe(200);
    expect(await closedMonths()).toHaveLength(closed);
  }
});

describe('a month past its time for corrections', () => {
  beforeEach(async () => {
    await addSharedAsset();
    await api.call('POST', `/api/shared-assets/${share.id}/start/`, { as: member });
    api.clock.advance(MINUTE);
    await api.call('POST', `/api/shared-assets/${share.id}/end/`, { as: member });
    api.clock.now = new Date('2026-04-04T00:00:00.000Z');
  });
  const month = () => `/api/assets/${asset.id}/statements/2026-03/`;

  it('stays an estimate without changes until a restarted server has run for ten minutes', async () => {
    await startServer();
    await triggerEverything();
    await passTime(5 * MINUTE);
    expect((await call('GET', month(), member)).body).toMatchObject({ closed: false, ended: true });
    const correction = { end_time: '2026-03-10T12:00:30.000Z' };
    const log = `/api/shared-assets/${share.id}/logs/1/`;
    expect(await call('PATCH', log, member, correction)).toMatchObject({ status: 400, body: { code: 'month_closed' } });
    const price = { from_month: '2026-03', subscription_cost: 9 };
    expect(await call('POST', `/api/assets/${asset.id}/prices/`, owner, price)).toMatchObject({
      status: 400,
      body: { code: 'month_closed' },
    });
    const prices = await call('GET', `/api/assets/${asset.id}/prices/`, owner);
    expect(prices.body.results).toMatchObject([{ from_month: '2026-03', open: false }]);
    await passTime(5 * MINUTE);
    expect((await call('GET', month(), member)).body).toMatchObject({ closed: true });
  });

  it('can be closed right away by its owner', async () => {
    await startServer();
    expect(await call('POST', `${month()}close/`, owner)).toMatchObject({ status: 200, body: { closed: true } });
  });

  it('is closed right away only if another clock agrees', async () => {
    await startServer(async () => new Date(api.clock.now.getTime() - SECOND));
    await triggerEverything();
    expect(await closedMonths()).toEqual([]);
    await app?.close();
    await startServer(async () => api.clock.now);
    expect((await call('GET', month(), member)).body).toMatchObject({ closed: true });
  });
});

describe('a month that is due when the server starts', () => {
  const now = Date.now();
  const monthAgo = new Date(now - 40 * DAY);
  const monthOf = (instant: Date) => instant.toISOString().slice(0, 7);

  it.each([
    { place: 'behind', offset: 40 * DAY },
    { place: 'in agreement', offset: 0 },
  ])('is closed right away only on a PostgreSQL server whose own clock is not behind: $place', async ({ offset }) => {
    api.clock.now = new Date(monthAgo.getTime() + offset);
    await addSharedAsset();
    api.clock.now = new Date(now + offset);
    await startServer(api.database.clock);
    const path = `/api/assets/${asset.id}/statements/${monthOf(new Date(monthAgo.getTime() + offset))}/`;
    const statement = (await call('GET', path, member)).body;
    await runScheduledJobs(deps);
    const agrees = api.database.engine === 'postgresql' && offset === 0;
    expect([statement.closed, (await closedMonths()).length > 0]).toEqual([agrees, agrees]);
  });
});
