import type { SignedIn } from '@hourshare/contract/sign-ins';
import type { OwnedAsset } from '@hourshare/contract/assets';
import type { Finding } from '@hourshare/contract/insights';
import type { LoggedSession } from '@hourshare/contract/sessions';
import type { InvitedAsset, SharedAsset } from '@hourshare/contract/shares';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openTestApi, type TestApi } from '../../testing/api.ts';
import { amounts, billingCalls } from '../../testing/bills.ts';

let api: TestApi;
let mira: SignedIn;
let ana: SignedIn;

beforeAll(async () => {
  api = await openTestApi();
});
beforeEach(async () => {
  await api.reset();
  setClock('2026-03-01T00:00:00Z');
  [mira, ana] = [await api.register('mira'), await api.register('ana')];
});
afterAll(() => api.close());

const { setClock, get, send, statementOf } = billingCalls(() => api);

const NOT_MEASURED = { status: 400, body: { code: 'not_measured' } };
const APRIL = '2026-04-01T00:00:00.000Z';

const post = (path: string, as: SignedIn, body?: object) => api.call('POST', path, { as, ...(body && { body }) });
const patch = (asset: { id: number }, body: object) =>
  send<OwnedAsset>('PATCH', `/api/assets/${asset.id}/`, { as: mira, body });
const plain = () => api.addAsset(mira, { subscription_cost: 16, measured: false });

describe('an asset that is not measured', () => {
  it('is split evenly, and shared without hours', async () => {
    const asset = await plain();
    expect(asset).toMatchObject({ measured: false, split_method: 'equal', owner_takes_part: false });
    const path = `/api/assets/${asset.id}`;
    await send('POST', `${path}/share/`, { as: mira, body: { username: 'ana' } });
    const [offer] = (await get<{ results: SharedAsset[] }>('/api/shared-assets/', ana)).results;
    expect(offer).toMatchObject({ measured: false, cost_of_all: 8, monthly_hours_allocated: 744 });
    await send('POST', `/api/shared-assets/${offer?.id}/accept/`, { as: ana });
    await send('POST', `${path}/people/`, { as: mira, body: { name: 'Grandma' } });
    const { invitation } = await send<InvitedAsset>('POST', `${path}/invitations/`, { as: mira, body: {} });
    expect(invitation.monthly_hours_allocated).toBe(744);
    setClock('2026-03-31T23:00:00Z');
    expect(amounts(await statementOf(asset, '2026-03', mira))).toEqual({
      mira: 5.33,
      ana: 5.33,
      'Grandma (mira)': 5.34,
    });
  });

  it('needs hours once it is measured', async () => {
    const path = `/api/assets/${(await api.addAsset(mira)).id}`;
    for (const [call, body, text] of [
      ['share', { username: 'ana' }, 'Username and monthly hours are required'],
      ['people', { name: 'Grandma' }, 'Monthly hours must be a whole number from 1 to 744'],
      ['invitations', {}, 'Monthly hours must be a whole number from 1 to 744'],
    ] as const)
      expect(await post(`${path}/${call}/`, mira, body)).toMatchObject({
        status: 400,
        body: { error: text, code: 'validation_failed', fields: { monthly_hours_allocated: [text] } },
      });
    for (const hours of [null, 0, 745, 1.5, '9'])
      expect((await post(`${path}/share/`, mira, { username: 'ana', monthly_hours_allocated: hours })).status).toBe(
        400,
      );
  });

  it('has no sessions', async () => {
    const asset = await plain();
    const share = await api.share(mira, asset, ana, 20);
    const { id: offered } = await api.offer(mira, asset, await api.register('ben'));
    await send('POST', `/api/assets/${asset.id}/people/`, { as: mira, body: { name: 'Grandma' } });
    const { shared_with: entries } = await get<OwnedAsset>(`/api/assets/${asset.id}/`, mira);
    const grandma = entries.find(({ person }) => person)?.id;
    setClock('2026-03-02T12:00:00Z');
    const path = `/api/shared-assets/${share.id}`;
    const pressed = { at: '2026-03-02T10:00:00Z', client_time: '2026-03-02T12:00:00Z' };
    const times = { start_time: '2026-03-02T08:00:00Z', end_time: '2026-03-02T09:00:00Z' };
    expect(await post(`${path}/start/`, ana)).toMatchObject(NOT_MEASURED);
    expect(await post(`${path}/start/`, ana, { agrees: share.terms })).toMatchObject(NOT_MEASURED);
    expect(await post(`${path}/late-start/`, ana, pressed)).toMatchObject(NOT_MEASURED);
    expect(await post(`/api/assets/${asset.id}/share/${grandma}/sessions/`, mira, times)).toMatchObject(NOT_MEASURED);
    expect(await post(`${path}/end/`, ana)).toMatchObject({ status: 400, body: { code: 'no_active_session' } });
    const ben = await api.call<{ access: string }>('POST', '/api/login/', {
      body: { username: 'ben', password: 'correct horse battery' },
    });
    const start = { token: ben.body.access };
    expect(await api.call('POST', `/api/shared-assets/${offered}/start/`, start)).toMatchObject(NOT_MEASURED);
    expect(await api.call('GET', `/api/shared-assets/${offered}/`, start)).toMatchObject({
      body: { status: 'offered' },
    });
    expect(await get(`${path}/analytics/`, ana)).toMatchObject({ total_usage: 0, total_sessions: 0 });
    expect(await get(`${path}/logs/`, ana)).toMatchObject({ results: [] });
  });

  it('is never called unused', async () => {
    const insights = async () => (await get<{ results: Finding[] }>('/api/findings/', mira)).results;
    const asset = await plain();
    await api.share(mira, asset, ana, 20);
    const usual = await api.addAsset(mira);
    await api.share(mira, usual, ana, 20);
    setClock('2026-05-02T00:00:00Z');
    expect((await insights()).map(({ asset_id: id }) => id)).toEqual([usual.id]);
    await patch(usual, { measured: false });
    setClock('2026-06-02T00:00:00Z');
    expect(await insights()).toEqual([]);
  });
});

describe('measuring', () => {
  it('ends with a month, and sessions with it', async () => {
    const asset = await api.addAsset(mira, { max_session_hours: 100 });
    const share = await api.share(mira, asset, ana, 20);
    const other = await api.share(mira, await api.addAsset(mira), ana, 20);
    expect(await patch(asset, { measured: false })).toMatchObject({
      measured: true,
      next_terms: { from_month: '2026-04', measured: false, split_method: 'equal' },
    });
    setClock('2026-03-31T20:00:00Z');
    for (const { id } of [share, other]) await send('POST', `/api/shared-assets/${id}/start/`, { as: ana });
    setClock('2026-04-01T09:00:00Z');
    expect(await get(`/api/shared-assets/${share.id}/`, ana)).toMatchObject({ active_session: false, measured: false });
    expect(await get(`/api/shared-assets/${other.id}/`, ana)).toMatchObject({ active_session: true });
    const [session] = (await get<{ results: LoggedSession[] }>(`/api/shared-assets/${share.id}/logs/`, ana)).results;
    expect(session).toMatchObject({ end_time: APRIL, duration: 240 });
    expect(await post(`/api/shared-assets/${share.id}/start/`, ana)).toMatchObject(NOT_MEASURED);
  });

  it('ends sessions that were started offline before', async () => {
    const asset = await api.addAsset(mira, { max_session_hours: 100 });
    const share = await api.share(mira, asset, ana, 20);
    await patch(asset, { measured: false });
    setClock('2026-04-01T09:00:00Z');
    const pressed = (at: string) => ({ at, client_time: '2026-04-01T09:00:00Z' });
    const path = `/api/shared-assets/${share.id}/late-start/`;
    expect(await post(path, ana, pressed('2026-03-31T22:00:00Z'))).toMatchObject({ body: { end_time: APRIL } });
    expect(await post(path, ana, pressed('2026-04-01T01:00:00Z'))).toMatchObject(NOT_MEASURED);
  });

  it('begins with a month', async () => {
    const asset = await plain();
    const share = await api.share(mira, asset, ana, 20);
    await patch(asset, { measured: true });
    setClock('2026-03-31T23:59:59.999Z');
    expect(await post(`/api/shared-assets/${share.id}/start/`, ana)).toMatchObject(NOT_MEASURED);
    setClock(APRIL);
    expect((await post(`/api/shared-assets/${share.id}/start/`, ana)).status).toBe(201);
    expect(await get(`/api/assets/${asset.id}/`, mira)).toMatchObject({ measured: true, split_method: 'equal' });
  });

  it('changes at once while no one else has had access this month', async () => {
    const asset = await api.addAsset(mira, { owner_takes_part: true });
    await send('POST', `/api/shared-assets/${asset.own_share_id}/start/`, { as: mira });
    setClock('2026-03-01T05:00:00Z');
    expect(await patch(asset, { measured: false })).toMatchObject({
      measured: false,
      owner_takes_part: false,
      own_share_id: null,
    });
    expect(await get(`/api/shared-assets/${asset.own_share_id}/logs/`, mira)).toMatchObject({
      results: [{ end_time: '2026-03-01T05:00:00.000Z' }],
    });
  });
});

describe('terms that contradict each other, or are invalid', () => {
  it.each([
    [{ measured: false, split_method: 'usage' }, 'split_method', "If use isn't measured, the price is split evenly"],
    [
      { measured: false, owner_takes_part: true },
      'owner_takes_part',
      'You can track your own use only if use is measured',
    ],
    [{ measured: null }, 'measured', 'measured must be true or false'],
    [{ owner_takes_part: null }, 'owner_takes_part', 'owner_takes_part must be true or false'],
    [{ owner_takes_part: 'yes' }, 'owner_takes_part', 'owner_takes_part must be true or false'],
    [{ split_method: 'share_of_use', max_price_per_hour: -1 }, 'max_price_per_hour', expect.any(String)],
    [{ split_method: 'share_of_use', max_price_per_hour: '1' }, 'max_price_per_hour', expect.any(String)],
    [{ split_method: 'share_of_use', max_price_per_hour: 0.001 }, 'max_price_per_hour', expect.any(String)],
    [{ split_method: 'share_of_use', max_price_per_hour: 1e9 }, 'max_price_per_hour', expect.any(String)],
  ])('are refused: %j', async (terms, field, text) => {
    const answer = { status: 400, body: { fields: { [field]: [text] } } };
    const asset = await api.addAsset(mira);
    const body = { name: 'Boat', subscription_cost: 1, ...terms };
    expect(await post('/api/assets/', mira, body)).toMatchObject(answer);
    expect(await api.call('PATCH', `/api/assets/${asset.id}/`, { as: mira, body: terms })).toMatchObject(answer);
    expect((await get<{ results: unknown[] }>('/api/assets/', mira)).results).toEqual([asset]);
  });

  it('keep only what their method has', async () => {
    const asset = await api.addAsset(mira, { subscription_cost: 20, max_price_per_hour: 3 });
    expect(asset).toMatchObject({ split_method: 'usage', max_price_per_hour: null });
    expect(await patch(asset, { split_method: 'share_of_use', owner_hours: 7 })).toMatchObject({
      owner_takes_part: false,
      max_price_per_hour: 2.86,
    });
    expect(await patch(asset, { subscription_cost: 40 })).toMatchObject({ max_price_per_hour: 2.86 });
    expect(await patch(asset, { max_price_per_hour: 0 })).toMatchObject({ max_price_per_hour: 0 });
    expect(await patch(asset, { max_price_per_hour: null })).toMatchObject({ max_price_per_hour: 5.72 });
    expect(await patch(asset, { split_method: 'allocation' })).toMatchObject({ max_price_per_hour: null });
    expect(await patch(asset, { split_method: 'share_of_use', subscription_cost: 70 })).toMatchObject({
      max_price_per_hour: 10,
    });
    expect(await patch(asset, { currency: 'JPY' })).toMatchObject({ subscription_cost: 70, max_price_per_hour: 10 });
    await patch(asset, { currency: 'USD', split_method: 'allocation', subscription_cost: 40 });
    await api.share(mira, asset, ana, 13);
    expect((await patch(asset, { split_method: 'share_of_use' })).next_terms).toMatchObject({ max_price_per_hour: 2 });
  });
});
