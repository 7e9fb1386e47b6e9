import type { SignedIn } from '@hourshare/contract/sign-ins';
import type { AssetAnalytics, Analytics } from '@hourshare/contract/analytics';
import type { AssetHistory } from '@hourshare/contract/insights';
import type { SharedAsset } from '@hourshare/contract/shares';
import type { SplitPreviewList } from '@hourshare/contract/statements';
import type { z } from 'zod';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openTestApi, type TestApi } from '../../testing/api.ts';
import { amounts, billingCalls, CLOSED } from '../../testing/bills.ts';

// Available hours by day, and the tricks that they prevent. Expected amounts are calculated in the comments.

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
beforeEach(() => api.reset());
afterAll(() => api.close());

const { setClock, get, send, record, statementOf, acceptAgain, household } = billingCalls(() => api);

type Home = Awaited<ReturnType<typeof household>>;

const allow = ({ mira, asset }: Home, share: { id: number }, hours: number) =>
  send('PATCH', `/api/assets/${asset.id}/share/${share.id}/`, { as: mira, body: { monthly_hours_allocated: hours } });
const endShare = ({ mira, asset }: Home, share: { id: number }) =>
  send('DELETE', `/api/assets/${asset.id}/share/${share.id}/`, { as: mira });
const archive = ({ mira, asset }: Home, archived: boolean) =>
  send('PATCH', `/api/assets/${asset.id}/`, { as: mira, body: { archived } });

const linesOf = async ({ mira, asset }: Home, month = '2026-02') =>
  Object.fromEntries((await statementOf(asset, month, mira)).lines.map((line) => [line.username, line]));

describe('available hours', () => {
  it('are those of the fullest moment, whatever is cut or ends later', async () => {
    const home = await household();
    setClock('2026-02-28T23:59:59Z');
    await allow(home, home.shareOfAna, 1);
    // Rule of the specification: the new allowance is what she sees as hers, at once.
    const { body } = await api.call<{ results: SharedAsset[] }>('GET', '/api/shared-assets/', { as: home.ana });
    expect(body.results).toMatchObject([{ monthly_hours_allocated: 1 }]);
    await endShare(home, home.shareOfBen);
    setClock(CLOSED);
    const statement = await statementOf(home.asset, '2026-02', home.mira);
    expect(statement).toMatchObject({ closed: true, total_hours: 100, places: 3 });
    expect(amounts(statement)).toEqual({ mira: 13.98, ana: 6, ben: 0.02 });
    expect(statement.lines[1]).toMatchObject({ allocated_hours: 1, days: 28, summed_hours: 1680 });
  });

  it('of two members who replace each other add up only while both have access', async () => {
    const home = await household();
    setClock('2026-03-02T09:00:00Z');
    await endShare(home, home.shareOfAna);
    await endShare(home, home.shareOfBen);
    const cem = await api.share(home.mira, home.asset, await api.register('cem'), 60);
    await record(cem, '2026-03-10T08:00:00Z', 31);
    setClock('2026-04-10T00:00:00Z');
    expect(await statementOf(home.asset, '2026-03', home.mira)).toMatchObject({ total_hours: 100, places: 3 });
    // 31 of 100 h.
    expect(await linesOf(home, '2026-03')).toMatchObject({
      ana: { days: 2, summed_hours: 120, amount: 0 },
      ben: { days: 2, summed_hours: 80, amount: 0 },
      cem: { days: 30, summed_hours: 1800, amount: 6.2 },
      mira: { amount: 13.8 },
    });
    expect(await statementOf(home.asset, '2026-04', home.mira)).toMatchObject({ total_hours: 60, places: 2 });
  });

  it('count a day with its largest allowance, in the asset’s time zone', async () => {
    const home = await household();
    setClock('2026-03-01T00:00:00Z');
    await send('PATCH', `/api/assets/${home.asset.id}/`, { as: home.mira, body: { time_zone: 'America/New_York' } });
    // 23:30 on April 9 in New York, then 00:30 on the 10th.
    setClock('2026-04-10T03:30:00Z');
    await allow(home, home.shareOfAna, 10);
    setClock('2026-04-10T04:30:00Z');
    await allow(home, home.shareOfAna, 20);
    setClock('2026-05-10T00:00:00Z');
    expect((await linesOf(home, '2026-04'))['ana']).toMatchObject({ summed_hours: 9 * 60 + 21 * 20, days: 30 });
  });

  it('count a day in two shares of a member once, for the larger allowance', async () => {
    const home = await household({ split_method: 'allocation' });
    setClock('2026-02-10T09:00:00Z');
    await endShare(home, home.shareOfBen);
    setClock('2026-02-10T10:00:00Z');
    const second = await api.share(home.mira, home.asset, home.ben, 5);
    setClock('2026-02-10T11:00:00Z');
    await endShare(home, second);
    setClock(CLOSED);
    expect((await linesOf(home))['ben']).toMatchObject({ days: 10, summed_hours: 10 * 40, allocated_hours: 5 });
  });

  it('end on the day the asset is archived and start again on the day members accept it again', async () => {
    const home = await household({ split_method: 'equal' });
    setClock('2026-03-04T10:00:00Z');
    await archive(home, true);
    // Counts only from the next moment with access.
    await allow(home, home.shareOfAna, 1);
    const archived = await statementOf(home.asset, '2026-03', home.mira);
    expect(archived.lines.map(({ days, summed_hours: hours }) => [days, hours])).toEqual([
      [0, 0],
      [4, 240],
      [4, 160],
    ]);
    // $20.00 × 4 ÷ 93 each.
    expect(amounts(archived)).toEqual({ mira: 18.28, ana: 0.86, ben: 0.86 });
    setClock('2026-03-19T10:00:00Z');
    await archive(home, false);
    setClock('2026-03-20T10:00:00Z');
    await acceptAgain(home.asset, [home.ana, home.ben]);
    setClock('2026-04-10T00:00:00Z');
    expect(await linesOf(home, '2026-03')).toMatchObject({
      ana: { days: 16, summed_hours: 4 * 60 + 12 },
      ben: { days: 16, summed_hours: 16 * 40 },
    });
  });

  it('are those of every day if the asset is archived and restored within one', async () => {
    const home = await household();
    for (const instant of ['2026-02-21T00:00:00Z', '2026-02-22T12:00:00Z', '2026-02-22T12:00:00Z']) {
      setClock(instant);
      await archive(home, true);
      setClock(instant.replace(':00Z', ':30Z'));
      await archive(home, false);
    }
    // Also if the clock stops or goes back.
    await archive(home, true);
    setClock('2026-02-22T11:00:00Z');
    await archive(home, false);
    setClock(CLOSED);
    expect(await linesOf(home)).toMatchObject({ ana: { days: 28 }, ben: { days: 28, summed_hours: 28 * 40 } });
  });

  it('do not include a day that the asset was archived from midnight to midnight', async () => {
    const home = await household();
    setClock('2026-02-21T00:00:00Z');
    await archive(home, true);
    setClock('2026-02-22T00:00:00Z');
    await archive(home, false);
    expect(await linesOf(home)).toMatchObject({ ana: { days: 27 }, ben: { days: 27 } });
  });

  it('are recorded once by concurrent requests that archive and restore', async () => {
    const home = await household();
    await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        api.call('PATCH', `/api/assets/${home.asset.id}/`, { as: home.mira, body: { archived: index % 2 === 0 } }),
      ),
    );
    const { db } = api.deps;
    const asset = await db.selectFrom('assets').select('archived_at').executeTakeFirstOrThrow();
    const open = await db.selectFrom('archivals').select('asset_id').where('until', 'is', null).execute();
    expect(open).toHaveLength(asset.archived_at === null ? 0 : 1);
    await archive(home, false);
    expect((await linesOf(home))['ana']).toMatchObject({ days: 28 });
  });

  it('of the running month assume that members stay, with past days as they were', async () => {
    const home = await household();
    setClock('2026-02-15T12:00:00Z');
    await allow(home, home.shareOfAna, 20);
    // No time at all counts nowhere.
    const cem = await api.share(home.mira, home.asset, await api.register('cem'), 10);
    await endShare(home, cem);
    expect(Object.keys(await linesOf(home))).not.toContain('cem');
    expect(await statementOf(home.asset, '2026-02', home.mira)).toMatchObject({ total_hours: 100, places: 3 });
    expect(await linesOf(home)).toMatchObject({
      ana: { days: 28, summed_hours: 15 * 60 + 13 * 20, allocated_hours: 20 },
    });
  });

  it('decide the base share and the split by allowance', async () => {
    const home = await household({ base_percent: 50 });
    setClock('2026-02-14T23:59:59Z');
    await endShare(home, home.shareOfBen);
    setClock(CLOSED);
    // Of $10.00, Ana has 60 of 100 h on 28 of 28 days, and Ben 40 h on 14. Of the other $10.00, they used 30 h and 0.1 h.
    const lines = await linesOf(home);
    expect(lines).toMatchObject({
      ana: { base_amount: 6, amount: 9 },
      ben: { base_amount: 2, amount: 2.01 },
      mira: { base_amount: 2, amount: 8.99 },
    });
    expect(lines['ben']?.explanation).toMatchObject([
      { kind: 'by_day', price: 10, part: 560, whole: 2800, unit: 'allowances', amount: 2, rounding: null },
      { kind: 'used', price: 10, part: 360, whole: 360_000, unit: 'seconds', amount: 0.01, rounding: null },
    ]);
  });

  it('in a preview are tried on each member’s own days', async () => {
    const home = await household();
    setClock('2026-02-14T23:59:59Z');
    await endShare(home, home.shareOfBen);
    setClock('2026-03-01T00:00:00Z');
    const { results } = await send<z.infer<typeof SplitPreviewList>>(
      'POST',
      `/api/assets/${home.asset.id}/split-preview/`,
      {
        as: home.mira,
        body: { split_method: 'allocation', allocations: { ben: 60 } },
      },
    );
    const february = results.find(({ month }) => month === '2026-02');
    expect(february?.after).toMatchObject([
      {},
      { username: 'ana', summed_hours: 1680, amount: 10 },
      { username: 'ben', summed_hours: 840, available_seconds: 30 * 3600, amount: 5 },
    ]);
  });
});

describe('an ended month', () => {
  const analyticsOf = ({ mira, asset }: Home, month: string) =>
    get<AssetAnalytics>(`/api/assets/${asset.id}/analytics/?month=${month}`, mira);
  const historyOf = async ({ mira, asset }: Home, month: string) =>
    (await get<AssetHistory>(`/api/assets/${asset.id}/history/`, mira)).months.find((each) => each.month === month);

  async function allViews(home: Home) {
    const shareAnalytics = (share: SharedAsset, caller: SignedIn) =>
      get<Analytics>(`/api/shared-assets/${share.id}/analytics/?month=2026-02`, caller);
    const { lines, total_hours } = await statementOf(home.asset, '2026-02', home.mira);
    return {
      analytics: await analyticsOf(home, '2026-02'),
      own: await shareAnalytics(home.shareOfAna, home.ana),
      history: await historyOf(home, '2026-02'),
      total_hours,
      amounts: lines.map(({ amount }) => amount),
    };
  }

  it('has the same figures in every view, whatever changes later', async () => {
    const home = await household();
    await api.deps.db.updateTable('periods').set({ owner_hours: 5 }).execute();
    setClock('2026-02-22T12:00:00Z');
    await endShare(home, home.shareOfBen);
    setClock('2026-03-01T00:00:00Z');
    const views = await allViews(home);
    // 100 h at the fullest moment, 5 h of them reserved. Ben had 40 h on 22 of 28 days: 31.43 h.
    expect(views).toMatchObject({
      analytics: {
        total_allocation: 105,
        total_usage: 30.1,
        remaining_hours: 69.9,
        utilization_percentage: 28.7,
        members: [
          { username: 'ana', total_allocation: 60, utilization_percentage: 50 },
          { username: 'ben', total_allocation: 31.43, remaining_hours: 31.33 },
        ],
      },
      own: { total_allocation: 60, remaining_hours: 30 },
      history: { offered_hours: 105, kept_hours: 5, idle_hours: 69.9, members: [{}, { available_hours: 31.43 }] },
      total_hours: 105,
    });
    setClock('2026-03-02T00:00:00Z');
    await api.share(home.mira, home.asset, await api.register('cem'), 200);
    await allow(home, home.shareOfAna, 5);
    await archive(home, true);
    setClock('2026-03-02T12:00:00Z');
    await archive(home, false);
    await send('PATCH', `/api/assets/${home.asset.id}/`, {
      as: home.mira,
      body: { owner_hours: 9, subscription_cost: 7 },
    });
    expect(await allViews(home)).toEqual(views);
    setClock('2026-04-20T00:00:00Z');
    expect(await allViews(home)).toEqual(views);
    // Closed months are what their statements say, also without the sessions.
    await api.call('PATCH', `/api/assets/${home.asset.id}/`, { as: home.mira, body: { name: 'Films' } });
    for (const table of ['sessions', 'usage_days'] as const) await api.deps.db.deleteFrom(table).execute();
    const days = {
      weekly_usage: expect.any(Array),
      daily_usage: {},
      total_sessions: 0,
      avg_session_duration_minutes: 0,
    };
    const { analytics, history, total_hours, amounts } = await allViews(home);
    const members = views.analytics.members.map((each) => ({ ...each, ...days }));
    expect({ analytics, history, total_hours, amounts }).toEqual({
      analytics: { ...views.analytics, ...days, members },
      history: views.history,
      total_hours: views.total_hours,
      amounts: views.amounts,
    });
    expect((await analyticsOf(home, '2026-04')).members).toMatchObject([
      { username: 'ana', total_allocation: 5 },
      { username: 'cem', total_allocation: 200 },
    ]);
  });

  it('has the available hours of its statement while it is running, in every view', async () => {
    const home = await household({ owner_hours: 10 });
    await endShare(home, home.shareOfBen);
    const running = { used_hours: 30.1, offered_hours: 110, idle_hours: 69.9 };
    const { analytics, history, total_hours } = await allViews(home);
    expect(total_hours).toBe(running.offered_hours);
    expect(history).toMatchObject(running);
    expect(analytics).toMatchObject({
      total_usage: running.used_hours,
      total_allocation: running.offered_hours,
      remaining_hours: running.idle_hours,
    });
  });

  it('has no available hours before a member had access', async () => {
    const home = await household();
    setClock('2026-03-05T00:00:00Z');
    const cem = await api.register('cem');
    const share = await api.share(home.mira, home.asset, cem, 200);
    expect((await analyticsOf(home, '2026-02')).members.map(({ username }) => username)).toEqual(['ana', 'ben']);
    expect(await get(`/api/shared-assets/${share.id}/analytics/?month=2026-02`, cem)).toMatchObject({
      total_allocation: 0,
      remaining_hours: 0,
      utilization_percentage: 0,
    });
  });
});
