import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '../../../platform/database/database.ts';
import { until } from '../../../platform/database/testing/processes.ts';
import { openTestApi, type TestApi } from '../../../testing/api.ts';
import { billingCalls } from '../../../testing/bills.ts';
import { brokenPeriods, extendPeriods } from './service.ts';
import { extendPeriods as addPeriods, lockAssetsToExtend } from './store.ts';

// What happens while another transaction has locked an asset. The embedded engine has only one connection.

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
beforeEach(() => api.reset());
afterAll(() => api.close());

const { setClock, household } = billingCalls(() => api);

async function isSomeoneWaiting(db: Database): Promise<boolean> {
  const { rows } = await sql`
    select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
  return rows.length > 0;
}

describe('setting a price', () => {
  it('does not make a stranger wait for the owner’s lock', async () => {
    const { ana, asset } = await household();
    const body = { from_month: '2026-02', subscription_cost: 1 };
    const status = await api.deps.db.transaction().execute(async (trx) => {
      await trx.selectFrom('assets').select('id').where('id', '=', asset.id).forUpdate().execute();
      return (await api.call('POST', `/api/assets/${asset.id}/prices/`, { as: ana, body })).status;
    });
    expect(status).toBe(404);
  });

  it('while periods are being added also applies to the added periods', async () => {
    const { asset } = await household();
    setClock('2026-06-10T00:00:00Z');
    let adding: Promise<void> | undefined;
    await api.deps.db.transaction().execute(async (trx) => {
      await trx.selectFrom('assets').select('id').where('id', '=', asset.id).forNoKeyUpdate().execute();
      adding = extendPeriods(api.deps);
      await until(() => isSomeoneWaiting(trx), 'the wait for the asset');
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
  });

  it('is unaffected by two servers adding the same periods', async () => {
    const { asset } = await household();
    const now = new Date('2026-06-10T00:00:00Z');
    setClock(now.toISOString());
    let other: Promise<void> | undefined;
    await api.deps.db.transaction().execute(async (trx) => {
      await addPeriods(trx, (await lockAssetsToExtend(trx, { now, after: 0, limit: 10 })).ids, now);
      other = extendPeriods(api.deps);
      await until(() => isSomeoneWaiting(trx), 'the wait for the same periods');
    });
    await other;
    const { rows } = await sql<{ month: string }>`
      select to_char(max(month), 'YYYY-MM') as month from periods where asset_id = ${asset.id}`.execute(api.deps.db);
    expect(rows).toEqual([{ month: '2026-08' }]);
    expect(await brokenPeriods(api.deps.db)).toEqual([]);
  });
});
