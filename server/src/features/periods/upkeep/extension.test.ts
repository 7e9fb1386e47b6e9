import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Deps } from '../../../deps.ts';
import { createMemory } from '../../../platform/memory.ts';
import { openTestApi, TEST_SECRET, type TestApi } from '../../../testing/api.ts';
import { recordAssets } from '../../../testing/records.ts';
import { requireSameSecret } from '../../installation/service.ts';
import { brokenPeriods, extendPeriods, extendPeriodsEarly, upkeepOf } from './service.ts';
import { lockAssetsToExtend } from './store.ts';

let api: TestApi;
let owner: number;
beforeAll(async () => {
  api = await openTestApi();
});
beforeEach(async () => {
  await api.reset();
  await requireSameSecret(api.deps.db, TEST_SECRET, undefined);
  owner = (await api.register('ana')).user.id;
});
afterAll(() => api.close());

const DAY = 24 * 3_600_000;

/** A server that has just started. */
const startedServer = (): Deps => ({ ...api.deps, memory: createMemory() });

/** Adds assets as of an instant. Returns their ids. */
const addAssets = (count: number, at: Date) =>
  recordAssets(
    api.deps.db,
    Array.from({ length: count }, () => ({ owner_id: owner, created_at: at })),
    at,
  );

/** How many assets have each month as their last. */
async function lastMonths(): Promise<Record<string, number>> {
  const { rows } = await sql<{ month: string; assets: number }>`
    select month, count(*)::int as assets
    from (select to_char(max(month), 'YYYY-MM') as month from periods group by asset_id) last
    group by month`.execute(api.deps.db);
  return Object.fromEntries(rows.map(({ month, assets }) => [month, assets]));
}

it('looks at a limited number of assets at once, and returns where to continue', async () => {
  const ids = await addAssets(5, api.clock.now);
  const { db } = api.deps;
  const later = new Date('2026-05-10T00:00:00Z');
  await sql`
    insert into periods
    select (jsonb_populate_record(p, jsonb_build_object('month', '2026-07-01', 'starts_at', p.ends_at, 'ends_at', '2026-08-01'))).*
    from periods p where asset_id = ${ids[1]} and month = '2026-05-01'`.execute(db);
  await db
    .updateTable('assets')
    .set({ deleted_at: later })
    .where('id', '=', ids[3] ?? 0)
    .execute();
  const lock = (after: number) => lockAssetsToExtend(db, { now: later, after, limit: 2 });
  expect(await lock(0)).toEqual({ ids: [ids[0]], last: ids[1] });
  expect(await lock(ids[1] ?? 0)).toEqual({ ids: [ids[2]], last: ids[3] });
  expect(await lock(ids[3] ?? 0)).toEqual({ ids: [ids[4]], last: ids[4] });
  expect(await lock(ids[4] ?? 0)).toEqual({ ids: [], last: null });
});

it('reaches every asset, however many batches there are', async () => {
  const [first = 0] = await addAssets(1, api.clock.now);
  const { db } = api.deps;
  await sql`
    insert into assets (owner_id, name, description, created_at)
    select owner_id, name, description, created_at from assets, generate_series(1, 2300) where id = ${first}`.execute(
    db,
  );
  await sql`
    insert into periods
    select (jsonb_populate_record(p, jsonb_build_object('asset_id', a.id))).*
    from periods p, assets a where p.asset_id = ${first} and a.id <> ${first}`.execute(db);
  api.clock.advance(60 * DAY);
  await extendPeriods(startedServer());
  expect(await lastMonths()).toEqual({ '2026-07': 2301 });
  expect(await brokenPeriods(db)).toEqual([]);
});

it('is not repeated by a server that starts within 26 days, unless its clock is behind', async () => {
  await addAssets(1, api.clock.now);
  await extendPeriods(startedServer());
  const { db } = api.deps;
  const start = api.clock.now.getTime();
  await db.deleteFrom('periods').where('month', '=', '2026-05-01').execute();
  api.clock.now = new Date(start + 26 * DAY - 1);
  await extendPeriods(startedServer());
  expect(await lastMonths()).toEqual({ '2026-04': 1 });
  api.clock.now = new Date(start + 26 * DAY);
  await extendPeriods(startedServer());
  expect(await lastMonths()).toEqual({ '2026-06': 1 });
  await db.deleteFrom('periods').where('month', '>', '2026-03-01').execute();
  api.clock.now = new Date(start);
  await extendPeriods(startedServer());
  expect(await lastMonths()).toEqual({ '2026-05': 1 });
});

it('is recorded as of the clock of the database, if the clock of the server is ahead', async () => {
  const { db } = api.deps;
  api.clock.now = new Date(Date.now() + 365 * DAY);
  await extendPeriods(startedServer());
  const { periods_extended_at: at } = await db
    .selectFrom('installation')
    .select('periods_extended_at')
    .executeTakeFirstOrThrow();
  expect(Math.abs((at?.getTime() ?? 0) - Date.now())).toBeLessThan(60_000);
});

it('is done by the schedule three days before requests would wait for it', async () => {
  await addAssets(1, api.clock.now);
  const server = startedServer();
  await extendPeriods(server);
  api.clock.advance(23 * DAY - 1);
  await extendPeriodsEarly(server);
  expect(await lastMonths()).toEqual({ '2026-05': 1 });
  api.clock.advance(1);
  await extendPeriods(server);
  expect(await lastMonths()).toEqual({ '2026-05': 1 });
  await extendPeriodsEarly(server);
  expect(await lastMonths()).toEqual({ '2026-06': 1 });
  const other = startedServer();
  await extendPeriodsEarly(other);
  expect(upkeepOf(other).extendedAt).toBe(api.clock.now.getTime());
});
