import type { NoticeList } from '@hourshare/contract/notifications';
import type { SignedIn } from '@hourshare/contract/sign-ins';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openTestApi, type TestApi } from '../../../testing/api.ts';
import { endExpiredSessions } from '../../sessions/presses/service.ts';
import { closeDuePeriods } from '../../statements/closing/service.ts';
import { deleteOldNotices } from '../bell/service.ts';
import { tellOfMonthsAndBalances, tellOfRunningSessions } from './service.ts';

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

it('notifies members of long sessions and used allowances, once each', async () => {
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

it("notifies the day before a month with sessions closes, in the asset's time zone, even after a clock change", async () => {
  const [ana, ben] = [await api.register('ana'), await api.register('ben')];
  await api.call('PATCH', '/api/me/', { as: ben, body: { time_zone: 'Europe/Berlin' } });
  // Summer time begins on March 29, and March ends at 22:00 UTC.
  await api.share(ana, await api.addAsset(ana, { time_zone: 'Europe/Berlin' }), ben);
  await api.share(ana, await api.addAsset(ana, { time_zone: 'Europe/Berlin', measured: false }), ben);
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

it('notifies both people once of a charge that has been unpaid for 30 days', async () => {
  const [ana, ben] = [await api.register('ana'), await api.register('ben')];
  await api.billedAsset(ana, ben, '2026-02');
  const closedAt = (await api.deps.db.selectFrom('statements').select('closed_at').executeTakeFirstOrThrow()).closed_at;
  api.clock.advance(closedAt.getTime() - api.clock.now.getTime() + 30 * 24 * HOUR - 1000);
  await closeDuePeriods(api.deps);
  const old = async (user: SignedIn) => (await told(user)).filter(([kind]) => kind === 'balance_old');
  await runAll(tellOfMonthsAndBalances);
  expect(await old(ben)).toEqual([]);
  api.clock.advance(1000);
  const charges = api.deps.db.updateTable('statement_lines').where('role', '=', 'member');
  const mark = (sentAt: Date | null) => charges.set({ sent_at: sentAt }).execute();
  await mark(api.clock.now);
  await runAll(tellOfMonthsAndBalances);
  expect([await old(ana), await old(ben)]).toEqual([[], []]);
  await mark(null);
  await runAll(tellOfMonthsAndBalances);
  await runAll(tellOfMonthsAndBalances);
  expect(await old(ben)).toEqual([['balance_old', "You've owed ana $5.00 for more than 30 days", '']]);
  expect(await old(ana)).toEqual([['balance_old', 'ben has owed you $5.00 for more than 30 days', '']]);
  // What ben paid for the asset.
  await charges.set({ paid_cents: 1200, amount_cents: -700 }).execute();
  await runAll(tellOfMonthsAndBalances);
  expect((await old(ana))[0]).toEqual(['balance_old', "You've owed ben $7.00 for more than 30 days", '']);
  expect((await old(ben))[0]).toEqual(['balance_old', 'ana has owed you $7.00 for more than 30 days', '']);
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

describe('with more than one batch', () => {
  const MANY = 1200;
  let ana: SignedIn;
  let ben: SignedIn;
  let assetId: number;
  beforeEach(async () => {
    [ana, ben] = [await api.register('ana'), await api.register('ben')];
    const asset = await api.addAsset(ana);
    assetId = asset.id;
    await api.share(ana, asset, ben, 10);
    // Copies of the asset and the share, each with its own member.
    const { db } = api.deps;
    await sql`
      insert into users (username, email, password_hash, time_zone, created_at)
      select 'member' || n, 'member' || n || '@example.org', 'x', 'UTC', ${api.clock.now}::timestamptz
      from generate_series(1, ${MANY}) n`.execute(db);
    await sql`
      insert into assets (owner_id, name, description, created_at)
      select owner_id, name, description, created_at from assets, generate_series(1, ${MANY}) where id = ${assetId}`.execute(
      db,
    );
    await sql`
      insert into periods
      select (jsonb_populate_record(p, jsonb_build_object('asset_id', a.id))).*
      from periods p, assets a where p.asset_id = ${assetId} and a.id <> ${assetId}`.execute(db);
    await sql`
      insert into shares (asset_id, member_id, monthly_hours_allocated, created_at, accepted_at)
      select ${assetId} + n, ${ben.user.id} + n, 10, created_at, accepted_at
      from shares, generate_series(1, ${MANY}) n`.execute(db);
  });

  const counts = async () => {
    const { rows } = await sql<{ kind: string; notices: number; users: number }>`
      select kind, count(*)::int as notices, count(distinct user_id)::int as users from notices group by kind order by kind`.execute(
      api.deps.db,
    );
    return rows.map(({ kind, notices, users }) => [kind, notices, users]);
  };
  /** Each event has one reader, and only those who have a new notice get one. */
  const readers = async () => {
    const { rows } = await sql<{ events: number; users: number }>`
      select count(*)::int as events, count(distinct user_ids)::int as users
      from outbox where kind = 'notices.changed' and cardinality(user_ids) = 1`.execute(api.deps.db);
    return rows[0];
  };

  it('notifies everyone once of a month that closes', async () => {
    api.clock.advance(Date.parse('2026-04-03T12:00:00Z') - api.clock.now.getTime());
    await runAll(tellOfMonthsAndBalances);
    expect(await counts()).toEqual([['month_closing', 2 * (MANY + 1), MANY + 2]]);
    // The owner has notices in each batch.
    const { events, users } = (await readers()) ?? {};
    expect([users, (events ?? 0) >= MANY + 2]).toEqual([MANY + 2, true]);
    await tellOfMonthsAndBalances(api.deps);
    expect(await counts()).toEqual([['month_closing', 2 * (MANY + 1), MANY + 2]]);
    expect((await readers())?.events).toBe(events);
  });

  it('notifies everyone once of a long session and a used allowance', async () => {
    const { now } = api.clock;
    await sql`
      insert into sessions (share_id, started_at, ends_by)
      select id, ${now}::timestamptz, ${now}::timestamptz + interval '24 hours' from shares`.execute(api.deps.db);
    api.clock.advance(13 * HOUR);
    await runAll(tellOfRunningSessions);
    await tellOfRunningSessions(api.deps);
    expect(await counts()).toEqual([
      ['allowance_used', MANY + 1, MANY + 1],
      ['session_long', MANY + 1, MANY + 1],
    ]);
    expect(await readers()).toEqual({ events: MANY + 1, users: MANY + 1 });
    api.clock.advance(11 * HOUR);
    await endExpiredSessions(api.deps);
    expect(await api.deps.db.selectFrom('sessions').select('id').where('ended_at', 'is', null).execute()).toEqual([]);
  });

  it('notifies everyone once of an old balance', async () => {
    // Ana has as many assets as she may.
    const { lineId } = await api.billedAsset(await api.register('eva'), ben, '2026-02');
    const { db } = api.deps;
    await sql`
      insert into statement_lines
      overriding user value
      select (jsonb_populate_record(l, jsonb_build_object('user_id', u.id, 'username', u.username))).*
      from statement_lines l, users u where l.id = ${lineId} and u.username like 'member%'`.execute(db);
    await sql`delete from notices`.execute(db);
    await sql`delete from periods`.execute(db);
    api.clock.advance(40 * 24 * HOUR);
    await runAll(tellOfMonthsAndBalances);
    await tellOfMonthsAndBalances(api.deps);
    expect(await counts()).toEqual([['balance_old', 2 * (MANY + 1), MANY + 2]]);
  });
});
