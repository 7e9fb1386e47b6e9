import type { OwnedAsset } from '@hourshare/contract/assets';
import type { Deposit, DepositList } from '@hourshare/contract/deposits';
import type { SharedAsset } from '@hourshare/contract/shares';
import type { SignedIn } from '@hourshare/contract/sign-ins';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { until } from '../../platform/database/testing/processes.ts';
import { openTestApi, type TestApi } from '../../testing/api.ts';
import { handOverDue } from '../shares/handovers/service.ts';

// What happens while another transaction has locked a person or a deposit. The embedded engine has only one connection.

let api: TestApi;
let mira: SignedIn;
let ana: SignedIn;
let ben: SignedIn;
let asset: OwnedAsset;
let share: SharedAsset;
beforeAll(async () => {
  api = await openTestApi();
});
beforeEach(async () => {
  await api.reset();
  [mira, ana, ben] = [await api.register('mira'), await api.register('ana'), await api.register('ben')];
  asset = await api.addAsset(mira, { name: 'Boat', subscription_cost: 40 });
  share = await api.share(mira, asset, ana);
  await api.share(mira, asset, ben);
});
afterAll(() => api.close());

/** Waits until connections wait for a lock. Asked outside of the transaction, which would be answered the same each time. */
const untilWaiting = (count: number) =>
  until(async () => {
    const { rows } = await sql`
      select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
      api.deps.db,
    );
    return rows.length === count;
  }, `${count} to wait for a lock`);

const recordAsOwner = () =>
  api.call<Deposit>('POST', `/api/assets/${asset.id}/deposits/`, { as: mira, body: { username: 'ana', amount: 50 } });
const recordAsMember = () =>
  api.call<Deposit>('POST', `/api/shared-assets/${share.id}/deposits/`, { as: ana, body: { amount: 50 } });
const list = async () => (await api.call<DepositList>('GET', '/api/deposits/', { as: ana })).body.results;

it('a deposit that waits while the asset is handed over is not recorded with who owned it before', async () => {
  const { shareId, version } = await api.offerHandover(mira, asset.id, ben);
  const path = `/api/shared-assets/${shareId}/handover/accept/`;
  expect((await api.call('POST', path, { as: ben, body: { version } })).status).toBe(200);
  const answers = await api.deps.db.transaction().execute(async (trx) => {
    await trx.selectFrom('users').select('id').where('id', '=', mira.user.id).forNoKeyUpdate().execute();
    const recording = [recordAsOwner(), recordAsMember()];
    await untilWaiting(2);
    api.clock.now = new Date(Date.UTC(api.clock.now.getUTCFullYear(), api.clock.now.getUTCMonth() + 1, 1, 12));
    await handOverDue(api.deps);
    return recording;
  });
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([404, 404]);
  expect(await list()).toEqual([]);
  expect((await recordAsMember()).status).toBe(201);
  expect(await list()).toMatchObject([{ held_by: 'ben', status: 'recorded' }]);
});

it('a deposit that both say was given back at once is given back', async () => {
  const { id } = (await recordAsMember()).body;
  const act = (as: SignedIn, verb: 'confirm' | 'return') => api.call('POST', `/api/deposits/${id}/${verb}/`, { as });
  expect((await act(mira, 'confirm')).status).toBe(200);
  const answers = await api.deps.db.transaction().execute(async (trx) => {
    await trx.selectFrom('deposits').select('id').where('id', '=', id).forUpdate().execute();
    const returning = [act(mira, 'return'), act(ana, 'return')];
    await untilWaiting(2);
    return returning;
  });
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200]);
  expect(await list()).toMatchObject([{ status: 'returned' }]);
});
