import type { SignedIn } from '@hourshare/contract/sign-ins';
import { FindingList, type AssetHistory } from '@hourshare/contract/insights';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { openTestApi, type TestApi } from '../../testing/api.ts';
import { billingCalls } from '../../testing/bills.ts';

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
beforeEach(() => api.reset());
afterAll(() => api.close());

const { setClock, get, send, record, acceptAgain, household } = billingCalls(() => api);

const historyOf = (asset: { id: number }, caller: SignedIn) =>
  get<AssetHistory>(`/api/assets/${asset.id}/history/`, caller);
const findings = async (caller: SignedIn) => FindingList.parse(await get('/api/findings/', caller)).results;

describe('the history of an asset', () => {
  it('has the use of each month, closed or not, and the insights from it', async () => {
    const { mira, ana, ben, asset, shareOfAna } = await household();
    await record(shareOfAna, '2026-03-05T08:00:00Z', 60);
    setClock('2026-04-02T12:00:00Z');
    const history = await historyOf(asset, mira);
    expect(history).toMatchObject({ asset_id: asset.id, asset_name: 'Netflix Premium', currency: 'USD' });
    // February is closed, March is open for corrections, and April has just begun.
    expect(history.months).toEqual([
      {
        month: '2026-02',
        running: false,
        whole: true,
        price: 20,
        used_hours: 30.1,
        offered_hours: 100,
        kept_hours: 0,
        idle_hours: 69.9,
        idle_percentage: 69.9,
        price_per_used_hour: 0.66,
        members: [
          { username: 'ana', hue: ana.user.id % 8, used_hours: 30, allocated_hours: 60, available_hours: 60 },
          { username: 'ben', hue: ben.user.id % 8, used_hours: 0.1, allocated_hours: 40, available_hours: 40 },
        ],
      },
      expect.objectContaining({ month: '2026-03', running: false, used_hours: 60, idle_percentage: 40 }),
      expect.objectContaining({
        month: '2026-04',
        running: true,
        whole: false,
        used_hours: 0,
        price_per_used_hour: null,
      }),
    ]);
    // 69.9 h and 40 h of 100 h each: ($13.98 + $8.00) ÷ 2 × 12.
    expect(history.findings).toMatchObject([
      { kind: 'idle', percentage: 55, yearly_cost: 131.88, months: 2 },
      { kind: 'low_use', username: 'ben', percentage: 0.1, allocated_hours: 80, months: 2 },
    ]);
    expect(await findings(mira)).toEqual(history.findings);
  });

  it('dates the last use in the asset’s time zone', async () => {
    setClock('2026-01-01T12:00:00Z');
    const [mira, ana] = [await api.register('mira'), await api.register('ana')];
    const asset = await api.addAsset(mira, { subscription_cost: 15.99, time_zone: 'America/New_York' });
    const share = await api.share(mira, asset, ana, 10);
    // The session ends on February 1 at 00:00 in New York, so the last day of use is January 31.
    await record(share, '2026-02-01T04:00:00Z', 1);
    setClock('2026-03-10T12:00:00Z');
    expect(await findings(mira)).toMatchObject([
      { kind: 'unused', asset_name: 'Netflix Premium', since: '2026-01-31', yearly_cost: 191.88 },
    ]);
    await send('POST', `/api/shared-assets/${share.id}/start/`, { as: ana });
    expect(await findings(mira)).toMatchObject([{ kind: 'idle' }]);
  });

  it('covers twelve months and leaves out those spent archived', async () => {
    const { mira, asset } = await household();
    setClock('2026-05-10T12:00:00Z');
    await send('PATCH', `/api/assets/${asset.id}/`, { as: mira, body: { archived: true } });
    setClock('2026-07-10T12:00:00Z');
    expect((await historyOf(asset, mira)).findings).toEqual([]);
    await send('PATCH', `/api/assets/${asset.id}/`, { as: mira, body: { archived: false } });
    setClock('2027-03-10T12:00:00Z');
    const months = (await historyOf(asset, mira)).months.map(({ month }) => month);
    // The asset was archived all through June.
    expect(months.slice(0, 4)).toEqual(['2026-04', '2026-05', '2026-07', '2026-08']);
    expect([months.length, months.at(-1)]).toEqual([11, '2027-03']);
  });

  it('leaves months in which the asset was archived or restored out of insights', async () => {
    const { mira, ana, ben, asset } = await household();
    setClock('2026-03-10T12:00:00Z');
    await send('PATCH', `/api/assets/${asset.id}/`, { as: mira, body: { archived: true } });
    setClock('2026-04-30T12:00:00Z');
    await send('PATCH', `/api/assets/${asset.id}/`, { as: mira, body: { archived: false } });
    await acceptAgain(asset, [ana, ben]);
    setClock('2026-05-20T12:00:00Z');
    expect(await findings(mira)).toMatchObject([
      { kind: 'idle', months: 1, percentage: 69.9 },
      { kind: 'low_use', months: 1, username: 'ben' },
    ]);
    expect((await historyOf(asset, mira)).months.map(({ month, whole }) => [month, whole])).toEqual([
      ['2026-02', true],
      ['2026-03', false],
      ['2026-04', false],
      ['2026-05', false],
    ]);
    setClock('2026-06-20T12:00:00Z');
    expect(await findings(mira)).toMatchObject([{ kind: 'unused', months: 1 }]);
  });

  it('is only available to the owner, as are the insights', async () => {
    const { ana, asset } = await household();
    setClock('2026-04-02T12:00:00Z');
    expect((await api.call('GET', `/api/assets/${asset.id}/history/`, { as: ana })).status).toBe(404);
    expect(await findings(ana)).toEqual([]);
  });

  it('lists the most expensive insight first', async () => {
    setClock('2026-01-15T12:00:00Z');
    const [mira, ana] = [await api.register('mira'), await api.register('ana')];
    for (const [name, cost] of [
      ['Cheap', 5],
      ['Expensive', 50],
    ] as const)
      await api.share(mira, await api.addAsset(mira, { name, subscription_cost: cost }), ana);
    setClock('2026-02-10T12:00:00Z');
    expect(await findings(mira)).toEqual([]);
    setClock('2026-03-10T12:00:00Z');
    expect((await findings(mira)).map(({ asset_name, yearly_cost }) => [asset_name, yearly_cost])).toEqual([
      ['Expensive', 600],
      ['Cheap', 60],
    ]);
  });

  it('are computed once for the pages of a list that are read soon after each other', async () => {
    const { mira, asset, shareOfAna } = await household();
    await record(shareOfAna, '2026-03-05T08:00:00Z', 60);
    setClock('2026-04-02T12:00:00Z');
    const page = (cursor: string | null = null) =>
      get<z.infer<typeof FindingList>>(`/api/findings/?limit=1${cursor === null ? '' : `&cursor=${cursor}`}`, mira);
    const { results, next } = await page();
    expect(results).toMatchObject([{ kind: 'idle' }]);
    await send('PATCH', `/api/assets/${asset.id}/`, { as: mira, body: { name: 'Films' } });
    expect(await page(next)).toMatchObject({ results: [{ kind: 'low_use', asset_name: asset.name }], next: null });
    api.clock.advance(60_000);
    expect(await page(next)).toMatchObject({ results: [{ kind: 'low_use', asset_name: 'Films' }] });
    expect((await page()).results).toMatchObject([{ asset_name: 'Films' }]);
  });

  it('can be downloaded with a row for each month and member', async () => {
    const { mira, asset, shareOfBen } = await household();
    await send('DELETE', `/api/assets/${asset.id}/share/${shareOfBen.id}/`, { as: mira });
    setClock('2026-03-02T12:00:00Z');
    const { status, text } = await api.call('GET', `/api/assets/${asset.id}/history/?format=csv`, { as: mira });
    expect([status, text.slice(1).split('\r\n')]).toEqual([
      200,
      [
        'asset_name,month,running,whole,username,used_hours,allocated_hours,available_hours,month_used_hours,month_offered_hours,month_kept_hours,month_idle_hours,month_price,month_price_per_used_hour,currency',
        'Netflix Premium,2026-02,false,true,ana,30,60,60,30.1,100,0,69.9,20,0.66,USD',
        'Netflix Premium,2026-02,false,true,ben,0.1,40,28.57,30.1,100,0,69.9,20,0.66,USD',
        'Netflix Premium,2026-03,true,false,ana,0,60,60,0,60,0,60,20,,USD',
        '',
      ],
    ]);
  });
});
