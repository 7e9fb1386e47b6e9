import type { Price } from '@hourshare/contract/periods';
import { SENTENCES } from '@hourshare/contract/sentences';
import type { Statement } from '@hourshare/contract/statements';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openTestApi, type TestApi } from '../../../testing/api.ts';
import { billingCalls, CLOSED, JUST_BEFORE } from '../../../testing/bills.ts';

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
beforeEach(() => api.reset());
afterAll(() => api.close());

const { setClock, get, send, statementOf, household } = billingCalls(() => api);

describe('an asset’s prices', () => {
  it('can be set by month, except for closed months', async () => {
    const { mira, asset } = await household();
    const path = `/api/assets/${asset.id}/prices/`;
    const set = (from_month: string, subscription_cost: number) =>
      api.call<{ results: Price[] }>('POST', path, { as: mira, body: { from_month, subscription_cost } });
    expect((await set('2026-04', 25)).status).toBe(201);
    expect((await set('2026-04', 26)).status).toBe(201);
    setClock(CLOSED);
    expect((await get<{ results: unknown[] }>(path, mira)).results).toEqual([
      { from_month: '2026-02', subscription_cost: 20, open: false },
      { from_month: '2026-04', subscription_cost: 26, open: true },
    ]);
    expect(await set('2026-02', 1)).toMatchObject({ status: 400, body: { code: 'month_closed' } });
    expect(await set('2026-01', 1)).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
    expect(await set('2026-13', 1)).toMatchObject({
      status: 400,
      body: { fields: { from_month: [expect.stringMatching(/YYYY-MM/)] } },
    });
    expect(await set('2026-05', 1.005)).toMatchObject({ status: 400 });
    expect((await statementOf(asset, '2026-03', mira)).price).toBe(20);
    expect(await set('2037-01', 30)).toMatchObject({
      status: 400,
      body: { fields: { from_month: [expect.any(String)] } },
    });
    expect((await set('2036-12', 30)).status).toBe(201);
  });

  // A month that cost $20 was set to $200 a second before it closed.
  it('can only be lowered once their month has ended', async () => {
    const { mira, asset } = await household();
    setClock(JUST_BEFORE);
    const set = (from_month: string, subscription_cost: number) =>
      api.call('POST', `/api/assets/${asset.id}/prices/`, { as: mira, body: { from_month, subscription_cost } });
    expect(await set('2026-02', 200)).toMatchObject({
      status: 400,
      body: { code: 'price_only_lowered', fields: { subscription_cost: [SENTENCES.price_only_lowered] } },
    });
    await send('PATCH', `/api/assets/${asset.id}/`, { as: mira, body: { subscription_cost: 200 } });
    expect((await statementOf(asset, '2026-02', mira)).price).toBe(20);
    expect(await set('2026-02', 15)).toMatchObject({ status: 201 });
    expect(await set('2026-02', 20)).toMatchObject({ status: 400 });
    expect((await statementOf(asset, '2026-02', mira)).price).toBe(15);
  });

  it('list every change on the statements of the months it changed, for members too, and keep them', async () => {
    const { mira, ana, asset } = await household();
    const change = (subscription_cost: number) =>
      send('PATCH', `/api/assets/${asset.id}/`, { as: mira, body: { subscription_cost } });
    await change(30);
    await change(30);
    await change(12.5);
    setClock('2026-03-02T12:00:00Z');
    const body = { from_month: '2026-02', subscription_cost: 10 };
    await send('POST', `/api/assets/${asset.id}/prices/`, { as: mira, body });
    const lowered = { at: '2026-03-02T12:00:00.000Z', from: 12.5, to: 10 };
    const changes = [
      { at: '2026-02-20T12:00:00.000Z', from: 20, to: 30 },
      { at: '2026-02-20T12:00:00.000Z', from: 30, to: 12.5 },
      lowered,
    ];
    const changesOf = async (month: string, caller = ana) => (await statementOf(asset, month, caller)).price_changes;
    expect([await changesOf('2026-02'), await changesOf('2026-03')]).toEqual([changes, [lowered]]);
    setClock(CLOSED);
    expect(await changesOf('2026-02')).toEqual(changes);
    await send('DELETE', `/api/assets/${asset.id}/`, { as: mira });
    const { results } = await get<{ results: Statement[] }>('/api/statements/?month=2026-02', ana);
    expect(results).toMatchObject([{ price_changes: changes }]);
  });

  // Set for next month in the last second of this one.
  it('list what was set before the month began, in the first month it applies to', async () => {
    const { mira, ana, asset } = await household();
    const set = (from_month: string, subscription_cost: number) =>
      send('POST', `/api/assets/${asset.id}/prices/`, { as: mira, body: { from_month, subscription_cost } });
    setClock('2026-02-28T23:59:59Z');
    await set('2026-03', 9_999_999.99);
    expect(await statementOf(asset, '2026-02', ana)).toMatchObject({
      price: 20,
      price_changes: [],
      next_price: { from_month: '2026-03', price: 9_999_999.99 },
    });
    setClock('2026-03-01T00:00:00Z');
    const changes = [{ at: '2026-02-28T23:59:59.000Z', from: 20, to: 9_999_999.99 }];
    expect(await statementOf(asset, '2026-03', ana)).toMatchObject({ price_changes: changes, next_price: null });
    expect(await statementOf(asset, '2026-02', ana)).toMatchObject({ price_changes: [], next_price: null });
    setClock('2026-04-01T00:00:00Z');
    expect((await statementOf(asset, '2026-04', ana)).price_changes).toEqual([]);
  });
});
