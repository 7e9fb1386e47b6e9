import type { Price } from '@hourshare/contract/periods';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openTestApi, type TestApi } from '../../testing/api.ts';
import { billingCalls, CLOSED } from '../../testing/bills.ts';

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
beforeEach(() => api.reset());
afterAll(() => api.close());

const { setClock, get, statementOf, household } = billingCalls(() => api);

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
  });
});
