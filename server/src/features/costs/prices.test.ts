import type { Price } from '@hourshare/contract/costs';
import type { KyselyPlugin } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildApp } from '../../app.ts';
import { freshAccess, openTestApi, type TestApi } from '../../testing/api.ts';
import { bills, CLOSED } from '../../testing/bills.ts';

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
beforeEach(() => api.reset());
afterAll(() => api.close());

const { at, get, statementOf, household } = bills(() => api);

describe('the price', () => {
  it('has a history by month, of which what is closed stays', async () => {
    const { mira, asset } = await household();
    const path = `/api/assets/${asset.id}/prices/`;
    const set = (from_month: string, subscription_cost: number) =>
      api.call<{ results: Price[] }>('POST', path, { as: mira, body: { from_month, subscription_cost } });
    expect((await set('2026-04', 25)).status).toBe(201);
    expect((await set('2026-04', 26)).status).toBe(201);
    at(CLOSED);
    expect((await get<{ results: unknown[] }>(path, mira)).results).toEqual([
      { from_month: '2026-02', subscription_cost: 20, open: false },
      { from_month: '2026-04', subscription_cost: 26, open: true },
    ]);
    expect(await set('2026-02', 1)).toMatchObject({ status: 400, body: { code: 'month_closed' } });
    expect(await set('2026-01', 1)).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
    expect(await set('2026-13', 1)).toMatchObject({ status: 400, body: { fields: { from_month: [/YYYY-MM/] } } });
    expect(await set('2026-05', 1.005)).toMatchObject({ status: 400 });
    expect((await statementOf(asset, '2026-03', mira)).price).toBe(20);
  });

  it('is asked for by strangers without keeping the owner waiting: no row of the asset is locked for them', async () => {
    const { mira, ana, asset } = await household();
    const locking: string[] = [];
    const watching: KyselyPlugin = {
      transformQuery: ({ node }) => {
        if (JSON.stringify(node).includes('for no key update')) locking.push(node.kind);
        return node;
      },
      transformResult: ({ result }) => Promise.resolve(result),
    };
    const app = await buildApp({ ...api.deps, db: api.deps.db.withPlugin(watching) });
    const post = async (token: string) => {
      const { statusCode } = await app.inject({
        method: 'POST',
        url: `/api/assets/${asset.id}/prices/`,
        headers: { authorization: `Bearer ${token}` },
        payload: { from_month: '2026-02', subscription_cost: 1 },
      });
      return [statusCode, locking.length > 0];
    };
    expect(await post(await freshAccess(api.deps, ana))).toEqual([404, false]);
    expect(await post(await freshAccess(api.deps, mira))).toEqual([201, true]);
    await app.close();
  });
});
