import type { NoticeList } from '@hourshare/contract/notifications';
import type { SignedIn } from '@hourshare/contract/accounts';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { openTestApi, type TestApi } from '../../../testing/api.ts';
import { closeDuePeriods } from '../../statements/service.ts';
import { deleteOldNotices, tellOfMonthsAndBalances, tellOfRunningSessions } from './service.ts';

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
beforeEach(() => api.reset());
afterAll(() => api.close());

const HOUR = 3_600_000;
const told = async (user: SignedIn) => {
  const { body } = await api.call<NoticeList>('GET', '/api/notifications/', { as: user });
  return body.results.map(({ kind, text, detail }) => [kind, text, detail]);
};
/** As several servers do. */
const runAll = (job: (deps: TestApi['deps']) => Promise<void>) => Promise.all([job(api.deps), job(api.deps)]);

it('tells members of long sessions and used allowances, each once', async () => {
  const [ana, ben] = [await api.register('ana'), await api.register('ben')];
  const asset = await api.addAsset(ana, { max_session_hours: 12 });
  const share = await api.share(ana, asset, ben, 10);
  await api.call('POST', `/api/shared-assets/${share.id}/start/`, { as: ben });
  api.clock.advance(6 * HOUR - 1000);
  await runAll(tellOfRunningSessions);
  expect(await told(ben)).toEqual([]);
  api.clock.advance(1000);
  await runAll(tellOfRunningSessions);
  expect(await told(ben)).toEqual([
    ['session_long', 'Your session of Netflix Premium is past half of its limit', expect.stringContaining('Since')],
  ]);
  api.clock.advance(2 * HOUR);
  await runAll(tellOfRunningSessions);
  const nearly = [
    'allowance_nearly_used',
    "You've used 80% of your hours of Netflix Premium",
    '8 hours of 10 hours in March 2026',
  ];
  expect((await told(ben))[0]).toEqual(nearly);
  api.clock.advance(2 * HOUR);
  await runAll(tellOfRunningSessions);
  await runAll(tellOfRunningSessions);
  expect((await told(ben)).slice(0, 2)).toEqual([
    ['allowance_used', "You've used all your hours of Netflix Premium", '10 hours of 10 hours in March 2026'],
    nearly,
  ]);
  expect(await told(ben)).toHaveLength(3);
  expect(await told(ana)).toEqual([]);
});

it('tells the day before a month closes, in the time of the asset, also after a clock change', async () => {
  const [ana, ben] = [await api.register('ana'), await api.register('ben')];
  await api.call('PATCH', '/api/me/', { as: ben, body: { time_zone: 'Europe/Berlin' } });
  // Summer time begins on March 29, and March ends at 22:00 UTC.
  await api.share(ana, await api.addAsset(ana, { time_zone: 'Europe/Berlin' }), ben);
  api.clock.advance(Date.parse('2026-04-02T21:59:00Z') - api.clock.now.getTime());
  await runAll(tellOfMonthsAndBalances);
  expect(await told(ben)).toEqual([]);
  api.clock.advance(60_000);
  await runAll(tellOfMonthsAndBalances);
  await runAll(tellOfMonthsAndBalances);
  expect(await told(ben)).toEqual([
    ['month_closing', 'March 2026 of Netflix Premium closes on April 4', expect.stringContaining('Sat, Apr 4')],
  ]);
  expect(await told(ana)).toHaveLength(1);
});

it('tells both of a charge that is open for 30 days, once', async () => {
  const [ana, ben] = [await api.register('ana'), await api.register('ben')];
  await api.billedAsset(ana, ben, '2026-02');
  const closedAt = (await api.deps.db.selectFrom('statements').select('closed_at').executeTakeFirstOrThrow()).closed_at;
  api.clock.advance(closedAt.getTime() - api.clock.now.getTime() + 30 * 24 * HOUR - 1000);
  await closeDuePeriods(api.deps);
  const old = async (user: SignedIn) => (await told(user)).filter(([kind]) => kind === 'balance_old');
  await runAll(tellOfMonthsAndBalances);
  expect(await old(ben)).toEqual([]);
  api.clock.advance(1000);
  await runAll(tellOfMonthsAndBalances);
  await runAll(tellOfMonthsAndBalances);
  expect(await old(ben)).toEqual([['balance_old', "You've owed ana $5.00 for more than 30 days", '']]);
  expect(await old(ana)).toEqual([['balance_old', 'ben has owed you $5.00 for more than 30 days', '']]);
});

it('keeps notices for 90 days', async () => {
  const [ana, ben] = [await api.register('ana'), await api.register('ben')];
  const share = await api.share(ana, await api.addAsset(ana), ben, 10);
  await api.call('POST', `/api/shared-assets/${share.id}/start/`, { as: ben });
  api.clock.advance(9 * HOUR);
  await runAll(tellOfRunningSessions);
  const count = (await told(ben)).length;
  expect(count).toBeGreaterThan(0);
  const notices = async () => (await api.deps.db.selectFrom('notices').select('id').execute()).length;
  api.clock.advance(90 * 24 * HOUR - 1000);
  await deleteOldNotices(api.deps);
  expect(await notices()).toBe(count);
  api.clock.advance(1000);
  expect(await told(ben)).toEqual([]);
  await deleteOldNotices(api.deps);
  expect(await notices()).toBe(0);
});
