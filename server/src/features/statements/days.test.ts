import type { SignedIn } from '@hourshare/contract/accounts';
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

const { setClock, get, send, record, statementOf, household } = billingCalls(() => api);

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
  it('do not shrink for the days before a cut just before the end of the month', async () => {
    const home = await household();
    setClock('2026-02-28T23:59:59Z');
    await allow(home, home.shareOfAna, 1);
    await allow(home, home.shareOfBen, 1);
    // Rule of the specification: the new allowance is what she sees as hers, at once.
    const { body } = await api.call<{ results: SharedAsset[] }>('GET', '/api/shared-assets/', { as: home.ana });
    expect(body.results).toMatchObject([{ monthly_hours_allocated: 1 }]);
    setClock(CLOSED);
    // Ana: 27 × 60 + 1 = 1,621; Ben: 27 × 40 + 1 = 1,081. $20.00 × 30 h × 28 days ÷ 2,702 = $6.218 instead of $19.93.
    const statement = await statementOf(home.asset, '2026-02', home.mira);
    expect(statement).toMatchObject({ closed: true, allotted_hour_days: 2702, offered_hours: 96.5 });
    expect(statement.available_seconds).toBe(347_400);
    expect(amounts(statement)).toEqual({ mira: 13.76, ana: 6.22, ben: 0.02 });
    expect(statement.lines[1]).toMatchObject({ allocated_hours: 1, days: 28, hour_days: 1621 });
    // 1,621 ÷ 28 = 57.892857… h.
    expect(statement.lines[1]?.available_seconds).toBe(208_414);
  });

  it('of two members who replace each other make up one seat', async () => {
    const home = await household();
    setClock('2026-03-02T09:00:00Z');
    await endShare(home, home.shareOfAna);
    await endShare(home, home.shareOfBen);
    const cem = await api.share(home.mira, home.asset, await api.register('cem'), 60);
    await record(cem, '2026-03-10T08:00:00Z', 31);
    setClock('2026-04-10T00:00:00Z');
    // Ana: 2 × 60, Ben: 2 × 40, Cem: 30 × 60. $20.00 × 31 h × 31 days ÷ 2,000 = $9.61.
    const lines = await linesOf(home, '2026-03');
    expect(lines).toMatchObject({
      ana: { days: 2, hour_days: 120, amount: 0 },
      ben: { days: 2, hour_days: 80, amount: 0 },
      cem: { days: 30, hour_days: 1800, amount: 9.61 },
      mira: { amount: 10.39 },
    });
  });

  it('count a day with the allowance at its end, in the asset’s time zone', async () => {
    const home = await household();
    setClock('2026-03-01T00:00:00Z');
    await send('PATCH', `/api/assets/${home.asset.id}/`, { as: home.mira, body: { time_zone: 'America/New_York' } });
    // 23:30 on April 9 in New York, then 00:30 on the 10th.
    setClock('2026-04-10T03:30:00Z');
    await allow(home, home.shareOfAna, 10);
    setClock('2026-04-10T04:30:00Z');
    await allow(home, home.shareOfAna, 20);
    setClock('2026-05-10T00:00:00Z');
    expect((await linesOf(home, '2026-04'))['ana']).toMatchObject({ hour_days: 8 * 60 + 10 + 21 * 20, days: 30 });
  });

  it('count a day in two shares of a member once, for the later share’s allowance', async () => {
    const home = await household({ split_method: 'allocation' });
    setClock('2026-02-10T09:00:00Z');
    await endShare(home, home.shareOfBen);
    setClock('2026-02-10T10:00:00Z');
    const second = await api.share(home.mira, home.asset, home.ben, 5);
    setClock('2026-02-10T11:00:00Z');
    await endShare(home, second);
    setClock(CLOSED);
    expect((await linesOf(home))['ben']).toMatchObject({ days: 10, hour_days: 9 * 40 + 5, allocated_hours: 5 });
  });

  it('end on the day the asset is archived and start again on the day it is restored', async () => {
    const home = await household({ split_method: 'equal' });
    setClock('2026-03-04T10:00:00Z');
    await archive(home, true);
    // Access has ended for the day, so another allowance counts only from the next day with access.
    await allow(home, home.shareOfAna, 1);
    const archived = await statementOf(home.asset, '2026-03', home.mira);
    expect(archived.lines.map(({ days, hour_days }) => [days, hour_days])).toEqual([
      [0, 0],
      [4, 240],
      [4, 160],
    ]);
    // $20.00 × 31 ÷ 39, 4 ÷ 39 and 4 ÷ 39 instead of a third each.
    expect(amounts(archived)).toEqual({ mira: 15.9, ana: 2.05, ben: 2.05 });
    setClock('2026-03-20T10:00:00Z');
    await archive(home, false);
    setClock('2026-04-10T00:00:00Z');
    expect(await linesOf(home, '2026-03')).toMatchObject({
      ana: { days: 16, hour_days: 4 * 60 + 12 },
      ben: { days: 16, hour_days: 16 * 40 },
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
    expect(await linesOf(home)).toMatchObject({ ana: { days: 28 }, ben: { days: 28, hour_days: 28 * 40 } });
  });

  it('do not include days that the asset was archived from midnight to midnight', async () => {
    const home = await household();
    setClock('2026-02-21T00:00:00Z');
    await archive(home, true);
    setClock('2026-02-23T00:00:00Z');
    await archive(home, false);
    expect(await linesOf(home)).toMatchObject({ ana: { days: 26 }, ben: { days: 26 } });
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
    const cem = await api.share(home.mira, home.asset, await api.register('cem'), 10);
    await endShare(home, cem);
    expect(await linesOf(home)).toMatchObject({
      ana: { days: 28, hour_days: 14 * 60 + 14 * 20, allocated_hours: 20 },
      cem: { days: 0, hour_days: 0 },
    });
  });

  it('decide the base share and the split by allowance', async () => {
    const home = await household({ base_percent: 50 });
    setClock('2026-02-14T23:59:59Z');
    await endShare(home, home.shareOfBen);
    setClock(CLOSED);
    // Of $10.00: Ana 1,680 and Ben 560 of 2,240 hour-days. The other $10.00: Ana 30 h × 28, Ben 0.1 h × 28 of 2,240.
    const lines = await linesOf(home);
    expect(lines).toMatchObject({
      ana: { base_amount: 7.5, amount: 11.25 },
      ben: { base_amount: 2.5, amount: 2.51 },
      mira: { base_amount: 0, amount: 6.24 },
    });
    expect(lines['ben']?.explanation).toMatchObject([
      { kind: 'allowance_days', price: 10, part: 20, whole: 80, unit: 'hours', amount: 2.5, rounding: null },
      { kind: 'used', price: 10, part: 0.1, whole: 80, unit: 'hours', amount: 0.01, rounding: 'down' },
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
      { username: 'ana', hour_days: 1680, amount: 13.33 },
      { username: 'ben', hour_days: 840, available_seconds: 30 * 3600, amount: 6.67 },
    ]);
  });
});

describe('the explanation of hours by day', () => {
  it('has figures that give the amount by hand where hours and seconds would not be exact', async () => {
    const home = await household();
    setClock('2026-02-13T12:00:00Z');
    await endShare(home, home.shareOfBen);
    setClock(CLOSED);
    // 28 × 60 + 13 × 40 = 2,200 hour-days, which are 78.571428… h. $20.00 × 840 ÷ 2,200 = $7.636.
    const lines = await linesOf(home);
    expect(lines['ana']).toMatchObject({
      amount: 7.64,
      explanation: [{ kind: 'used', part: 840, whole: 2200, unit: 'hour_days', rounding: 'up' }],
    });
    expect(lines['ben']).toMatchObject({
      amount: 0.02,
      explanation: [{ kind: 'used', part: 2.8, whole: 2200, unit: 'hour_days', rounding: 'down' }],
    });
    await record(home.shareOfAna, '2026-03-03T08:00:00Z', 2212 / 3600);
    setClock('2026-03-10T12:00:00Z');
    await allow(home, home.shareOfAna, 61);
    // 9 × 60 + 22 × 61 = 1,882 hour-days; 2,212 s × 31 days = 68,572 of 6,775,200 second-days.
    expect((await linesOf(home, '2026-03'))['ana']).toMatchObject({
      amount: 0.2,
      explanation: [{ kind: 'used', part: 68_572, whole: 6_775_200, unit: 'second_days', rounding: 'down' }],
    });
  });

  it('tells overuse by exact figures, and a changed allowance apart', async () => {
    const home = await household();
    await record(home.shareOfBen, '2026-02-05T08:00:00Z', 66);
    setClock('2026-02-28T12:00:00Z');
    await allow(home, home.shareOfAna, 7);
    await allow(home, home.shareOfBen, 38);
    // 27 × 60 + 7 + 27 × 40 + 38 = 2,745 hour-days, 98.036 h, of which 96.1 h were used.
    expect((await linesOf(home))['ana']?.explanation).toMatchObject([{ kind: 'used' }]);
    await record(home.shareOfBen, '2026-02-10T08:00:00Z', 2);
    const lines = await linesOf(home);
    expect(lines['ana']?.explanation).toMatchObject([{ kind: 'overused', part: 30, whole: 98.1, unit: 'hours' }]);
    expect(lines['mira']?.explanation).toMatchObject([{ kind: 'all_used' }]);
    // As it would be had the month begun with these terms.
    await api.deps.db.updateTable('periods').set({ split_method: 'allocation' }).execute();
    expect((await linesOf(home))['ana']?.explanation).toMatchObject([
      { kind: 'allowance_changed', part: 1627, whole: 2745, unit: 'hour_days' },
    ]);
    await send('PATCH', `/api/assets/${home.asset.id}/`, { as: home.mira, body: { subscription_cost: 0 } });
    expect((await linesOf(home))['ana']?.explanation).toMatchObject([{ kind: 'free' }]);
  });

  it('counts member-days, not heads, once the asset was archived', async () => {
    const home = await household({ split_method: 'equal' });
    await archive(home, true);
    expect((await linesOf(home))['ana']?.explanation).toMatchObject([
      { kind: 'days', part: 20, whole: 68, unit: 'days' },
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
    const { lines, offered_hours } = await statementOf(home.asset, '2026-02', home.mira);
    return {
      analytics: await analyticsOf(home, '2026-02'),
      own: await shareAnalytics(home.shareOfAna, home.ana),
      history: await historyOf(home, '2026-02'),
      offered_hours,
      amounts: lines.map(({ amount }) => amount),
    };
  }

  it('has the same figures in every view, whatever changes later', async () => {
    const home = await household();
    setClock('2026-02-22T12:00:00Z');
    await endShare(home, home.shareOfBen);
    setClock('2026-03-01T00:00:00Z');
    const views = await allViews(home);
    // 60 h, and 40 h on 22 of 28 days: 31.43 h.
    expect(views).toMatchObject({
      analytics: {
        total_allocation: 91.43,
        remaining_hours: 61.33,
        utilization_percentage: 32.9,
        members: [
          { username: 'ana', total_allocation: 60, utilization_percentage: 50 },
          { username: 'ben', total_allocation: 31.43, remaining_hours: 31.33 },
        ],
      },
      own: { total_allocation: 60, remaining_hours: 30 },
      history: { offered_hours: 91.43, idle_hours: 61.33, members: [{}, { available_hours: 31.43 }] },
      offered_hours: 91.43,
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
    expect((await analyticsOf(home, '2026-04')).members).toMatchObject([
      { username: 'ana', total_allocation: 5 },
      { username: 'cem', total_allocation: 200 },
    ]);
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
