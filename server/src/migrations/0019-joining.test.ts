import { sql, type Kysely } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestApi, type TestApi } from '../testing/api.ts';
import { up } from './0019-joining.ts';

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
afterAll(() => api.close());

it('finds the shares of lines that were closed before', async () => {
  const { db } = api.deps;
  const [owner, ben, kim] = [await api.register('mira'), await api.register('ben'), await api.register('kim')];
  const asset = await api.addAsset(owner);
  const left = await api.share(owner, asset, ben);
  await api.share(owner, asset, kim);
  await api.call('POST', `/api/shared-assets/${left.id}/leave/`, { as: ben });
  api.clock.now = new Date('2026-04-10T00:00:00Z');
  // Not of March, so not the last one in it.
  await api.share(owner, asset, ben);
  api.clock.now = new Date('2026-05-10T00:00:00Z');
  await api.call('GET', `/api/assets/${asset.id}/statements/`, { as: owner });
  const lines = () => db.selectFrom('statement_lines').select(['id', 'role', 'share_id']).orderBy('id').execute();
  const before = await lines();
  expect(new Set(before.map(({ share_id: id }) => id)).size).toBe(4);
  await sql`alter table statement_lines drop column share_id`.execute(db);
  await sql`alter table shares drop column objected_at`.execute(db);
  await up(db as unknown as Kysely<unknown>);
  expect(await lines()).toEqual(before);
});
