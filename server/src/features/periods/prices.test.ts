import type { Price } from '@hourshare/contract/statements';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { until } from '../../platform/database/testing/processes.ts';
import { openTestApi, type TestApi } from '../../testing/api.ts';
import { bills, CLOSED } from '../../testing/bills.ts';
import { extendPeriods } from './service.ts';

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

  it.runIf('databaseUrl' in inject('databaseTemplate'))(
    'is asked for by strangers without waiting for the owner, or keeping the owner waiting',
    async () => {
      const { ana, asset } = await household();
      const body = { from_month: '2026-02', subscription_cost: 1 };
      const status = await api.deps.db.transaction().execute(async (trx) => {
        await trx.selectFrom('assets').select('id').where('id', '=', asset.id).forUpdate().execute();
        return (await api.call('POST', `/api/assets/${asset.id}/prices/`, { as: ana, body })).status;
      });
      expect(status).toBe(404);
    },
  );

  it.runIf('databaseUrl' in inject('databaseTemplate'))(
    'set while periods are being added carries on into those that are added',
    async () => {
      const { asset } = await household();
      at('2026-06-10T00:00:00Z');
      let adding: Promise<void> | undefined;
      await api.deps.db.transaction().execute(async (trx) => {
        await trx.selectFrom('assets').select('id').where('id', '=', asset.id).forNoKeyUpdate().execute();
        adding = extendPeriods(api.deps);
        await until(async () => {
          const { rows } = await sql`
            select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
            trx,
          );
          return rows.length > 0;
        }, 'the wait for the asset');
        const latest = trx
          .selectFrom('periods')
          .select((each) => each.fn.max('month').as('month'))
          .where('asset_id', '=', asset.id);
        const { month } = await latest.executeTakeFirstOrThrow();
        await trx
          .updateTable('periods')
          .set({ price_cents: 7777, price_since: month })
          .where('month', '=', month)
          .execute();
      });
      await adding;
      const last = api.deps.db
        .selectFrom('periods')
        .select('price_cents')
        .where('asset_id', '=', asset.id)
        .orderBy('month', 'desc');
      expect(await last.executeTakeFirstOrThrow()).toEqual({ price_cents: 7777 });
    },
  );
});
