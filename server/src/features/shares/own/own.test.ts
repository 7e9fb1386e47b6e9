import type { SignedIn } from '@hourshare/contract/sign-ins';
import type { OwnedAsset } from '@hourshare/contract/assets';
import type { LoggedSession, Session } from '@hourshare/contract/sessions';
import type { SharedAsset } from '@hourshare/contract/shares';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openTestApi, type TestApi } from '../../../testing/api.ts';
import { amounts, billingCalls } from '../../../testing/bills.ts';
import { updateAccess } from '../starts/service.ts';

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

const { setClock, get, send, record, statementOf } = billingCalls(() => api);

const TAKING_PART = { owner_takes_part: true, owner_hours: 10 };
const APRIL = '2026-04-01T00:00:00.000Z';

const patch = (asset: { id: number }, body: object, as = mira) =>
  send<OwnedAsset>('PATCH', `/api/assets/${asset.id}/`, { as, body });
const own = async (as = mira, query = '') =>
  (await get<{ results: SharedAsset[] }>(`/api/shared-assets/?own=include${query}`, as)).results.filter(
    (share) => share.own,
  );
const press = async (share: { id: number }, action: 'start' | 'end', as = mira) =>
  send<Session>('POST', `/api/shared-assets/${share.id}/${action}/`, { as });
const logOf = async (share: { id: number }, as = mira) =>
  (await get<{ results: LoggedSession[] }>(`/api/shared-assets/${share.id}/logs/`, as)).results;
const statusOf = async (method: string, path: string, options: { as: SignedIn; body?: object }) =>
  (await api.call(method, path, options)).status;

/** Mira's asset with Ana, in which she takes part, and her own share. */
async function sharedWithAna(terms: object = {}) {
  const asset = await api.addAsset(mira, { subscription_cost: 20, ...TAKING_PART, ...terms });
  const [share] = await own();
  if (!share) throw new Error('Mira takes no part.');
  return { asset, share, shareOfAna: await api.share(mira, asset, ana, 30) };
}

describe('an owner who takes part', () => {
  it('uses the asset through a share of their own', async () => {
    const { asset, share, shareOfAna } = await sharedWithAna();
    expect(share).toMatchObject({
      own: true,
      owner: 'mira',
      status: 'accepted',
      monthly_hours_allocated: 10,
      terms: null,
      cost_of_all: null,
      agreed: null,
      asked: false,
      offer: null,
    });
    expect(await get(`/api/assets/${asset.id}/`, mira)).toMatchObject({ own_share_id: share.id, shared_with: [{}] });
    await press(share, 'start');
    setClock('2026-03-01T20:00:00Z');
    await press(share, 'end');
    // Only what others use counts as used.
    expect(await get(`/api/assets/${asset.id}/`, mira)).toMatchObject({ used: false });
    const [session] = await logOf(share);
    expect(session).toMatchObject({ duration: 1200 });
    await send('PATCH', `/api/shared-assets/${share.id}/logs/${session?.id}/`, {
      as: mira,
      body: { end_time: '2026-03-01T05:00:00Z' },
    });
    expect(await get(`/api/shared-assets/${share.id}/`, mira)).toMatchObject({ usage_this_month: 5 });
    expect(await get(`/api/shared-assets/${share.id}/analytics/`, mira)).toMatchObject({
      total_usage: 5,
      utilization_percentage: 50,
    });
    await record(shareOfAna, '2026-03-01T06:00:00Z', 2);
    const all = {
      total_usage: 7,
      total_sessions: 2,
      remaining_hours: 28,
      members: [{ username: 'ana', total_usage: 2 }],
    };
    expect(await get(`/api/assets/${asset.id}/analytics/`, mira)).toMatchObject(all);
    const late = { at: '2026-03-02T00:00:00Z', client_time: '2026-03-02T01:00:00Z' };
    setClock('2026-03-02T01:00:00Z');
    await send('POST', `/api/shared-assets/${share.id}/late-start/`, { as: mira, body: late });
    expect(await get(`/api/shared-assets/${share.id}/active-session/`, mira)).toMatchObject({
      start_time: '2026-03-02T00:00:00.000Z',
    });
    setClock('2026-03-02T01:00:00Z');
    await send('POST', `/api/shared-assets/${share.id}/end/`, { as: mira });
    setClock('2026-04-04T00:00:00Z');
    expect((await statementOf(asset, '2026-03', mira)).closed).toBe(true);
    const closed = { ...all, total_usage: 8, total_sessions: 3 };
    expect(await get(`/api/assets/${asset.id}/analytics/?month=2026-03`, mira)).toMatchObject(closed);
  });

  it('is no one else to clients that do not ask', async () => {
    const { share } = await sharedWithAna();
    expect((await get<{ results: unknown[] }>('/api/shared-assets/', mira)).results).toEqual([]);
    expect(await statusOf('GET', `/api/shared-assets/${share.id}/`, { as: ana })).toBe(404);
    expect(await statusOf('GET', '/api/shared-assets/?own=only', { as: mira })).toBe(400);
  });

  it('can have no hours', async () => {
    const { share } = await sharedWithAna({ owner_hours: 0 });
    await press(share, 'start');
    setClock('2026-03-06T00:00:00Z');
    expect(await get(`/api/shared-assets/${share.id}/analytics/`, mira)).toMatchObject({
      total_allocation: 0,
      utilization_percentage: 0,
      pace: { runs_out_on: null },
    });
  });

  it('neither leaves, nor is removed, changed, named co-manager, or handed the asset', async () => {
    const { asset, share } = await sharedWithAna();
    const path = `/api/assets/${asset.id}/share/${share.id}/`;
    for (const [method, call, body] of [
      ['POST', `/api/shared-assets/${share.id}/leave/`],
      ['DELETE', path],
      ['PATCH', path, { monthly_hours_allocated: 5 }],
      ['PATCH', path, { manager: true }],
      ['POST', `${path}confirm/`],
    ] as const)
      expect(await statusOf(method, call, { as: mira, ...(body && { body }) })).toBe(404);
    const handover = { as: mira, body: { username: 'mira' } };
    expect(await statusOf('POST', `/api/assets/${asset.id}/handover/`, handover)).toBe(400);
    expect(await own()).toHaveLength(1);
  });

  it('has the hours that are reserved for them, from the month that they apply to', async () => {
    const { asset, share } = await sharedWithAna();
    await patch(asset, { owner_hours: 25 });
    expect(await get(`/api/shared-assets/${share.id}/`, mira)).toMatchObject({ monthly_hours_allocated: 10 });
    setClock(APRIL);
    expect(await get(`/api/shared-assets/${share.id}/`, mira)).toMatchObject({ monthly_hours_allocated: 25 });
    expect(await get(`/api/shared-assets/${share.id}/analytics/?month=2026-03`, mira)).toMatchObject({
      total_allocation: 10,
    });
  });

  it('counts in the split only by share of use', async () => {
    const { asset, share, shareOfAna } = await sharedWithAna({ split_method: 'share_of_use', max_price_per_hour: 10 });
    await record(share, '2026-03-02T00:00:00Z', 15);
    await record(shareOfAna, '2026-03-03T00:00:00Z', 5);
    expect(amounts(await statementOf(asset, '2026-03', mira))).toEqual({ mira: 15, ana: 5 });
    const usual = await api.addAsset(mira, { subscription_cost: 20, ...TAKING_PART });
    const other = (await own()).find(({ asset: { id } }) => id === usual.id);
    const anas = await api.share(mira, usual, ana, 30);
    if (other) await record(other, '2026-03-02T00:00:00Z', 15);
    await record(anas, '2026-03-03T00:00:00Z', 5);
    setClock('2026-04-05T00:00:00Z');
    for (const read of [asset, usual])
      expect(await statementOf(read, '2026-03', mira)).toMatchObject({
        closed: true,
        lines: [
          { username: 'mira', used_hours: 15 },
          { username: 'ana', amount: read === asset ? 5 : 2.5, used_hours: 5 },
        ],
      });
  });
});

describe('taking part', () => {
  it('begins and ends with months, and ends the session that runs then', async () => {
    const asset = await api.addAsset(mira, { owner_hours: 10 });
    const anas = await api.share(mira, asset, ana);
    expect(await patch(asset, { owner_takes_part: true })).toMatchObject({
      owner_takes_part: false,
      own_share_id: null,
      next_terms: { from_month: '2026-04', owner_takes_part: true },
    });
    setClock('2026-03-31T23:59:59.999Z');
    expect(await own()).toEqual([]);
    setClock(APRIL);
    const [share] = await own();
    expect(share).toMatchObject({ shared_at: APRIL });
    setClock('2026-04-30T22:00:00Z');
    await patch(asset, { owner_takes_part: false });
    await press(share ?? { id: 0 }, 'start');
    await press(anas, 'start', ana);
    // Long after, as if the server had been off.
    setClock('2026-05-01T09:00:00Z');
    expect(await own()).toEqual([]);
    expect(await own(mira, '&status=past')).toMatchObject([{ id: share?.id, ended_at: '2026-05-01T00:00:00.000Z' }]);
    expect(await logOf(share ?? { id: 0 })).toMatchObject([{ end_time: '2026-05-01T00:00:00.000Z', duration: 120 }]);
    expect(await get(`/api/shared-assets/${anas.id}/`, ana)).toMatchObject({ active_session: true });
    expect(await statusOf('POST', `/api/shared-assets/${share?.id}/start/`, { as: mira })).toBe(404);
  });

  it('ends with the first month without it, also months later', async () => {
    const { asset, share } = await sharedWithAna();
    await patch(asset, { owner_takes_part: false });
    setClock('2026-05-10T00:00:00Z');
    expect(await own()).toEqual([]);
    const past = await api.deps.db.selectFrom('shares').select('ended_at').where('id', '=', share.id).execute();
    expect(past).toEqual([{ ended_at: new Date(APRIL) }]);
  });

  it('begins and ends at once while no one else has had access this month', async () => {
    const asset = await api.addAsset(mira);
    setClock('2026-03-05T00:00:00Z');
    const { own_share_id: id } = await patch(asset, { owner_takes_part: true });
    expect(await own()).toMatchObject([{ id, shared_at: '2026-03-05T00:00:00.000Z' }]);
    await press({ id: id ?? 0 }, 'start');
    setClock('2026-03-06T00:00:00Z');
    expect(await patch(asset, { owner_takes_part: false })).toMatchObject({ own_share_id: null });
    expect(await logOf({ id: id ?? 0 })).toMatchObject([{ end_time: '2026-03-06T00:00:00.000Z' }]);
    expect(await statementOf(asset, '2026-03', mira)).toMatchObject({ lines: [{ username: 'mira', used_hours: 0 }] });
  });

  it('can be planned and called off', async () => {
    const { asset, share } = await sharedWithAna();
    await patch(asset, { owner_takes_part: false });
    expect(await patch(asset, { owner_takes_part: true })).toMatchObject({ next_terms: null });
    setClock(APRIL);
    expect(await own()).toMatchObject([{ id: share.id }]);
  });

  it('pauses while the asset is archived, and ends with it', async () => {
    const { asset, share } = await sharedWithAna();
    await press(share, 'start');
    setClock('2026-03-02T00:00:00Z');
    await patch(asset, { archived: true });
    expect(await own()).toEqual([]);
    expect(await statusOf('POST', `/api/shared-assets/${share.id}/start/`, { as: mira })).toBe(404);
    await patch(asset, { archived: false });
    expect(await own()).toMatchObject([{ id: share.id, active_session: false, usage_this_month: 24 }]);
    await send('DELETE', `/api/assets/${asset.id}/`, { as: mira });
    expect(await own()).toEqual([]);
    await updateAccess(api.deps);
    expect(await own()).toEqual([]);
  });

  it('goes to the next owner, with the hours that they had', async () => {
    const { asset, share, shareOfAna } = await sharedWithAna();
    const { version } = await api.offerHandover(mira, asset.id, ana, 7);
    await send('POST', `/api/shared-assets/${shareOfAna.id}/handover/accept/`, { as: ana, body: { version } });
    setClock('2026-03-31T20:00:00Z');
    await press(share, 'start');
    await press(shareOfAna, 'start', ana);
    setClock(APRIL);
    expect(await own()).toEqual([]);
    expect(await logOf(share)).toMatchObject([{ end_time: APRIL }]);
    const [anas] = await own(ana);
    expect(anas).toMatchObject({ owner: 'ana', monthly_hours_allocated: 30, active_session: false, shared_at: APRIL });
    expect(await get(`/api/assets/${asset.id}/`, ana)).toMatchObject({
      own_share_id: anas?.id,
      owner_hours: 30,
      shared_with: [{ shared_with_username: 'mira', monthly_hours_allocated: 7 }],
    });
    expect(await statementOf(asset, '2026-03', mira)).toMatchObject({
      lines: [
        { username: 'mira', used_hours: 4 },
        { username: 'ana', used_hours: 4 },
      ],
    });
  });

  it('shows a new owner what they agree to', async () => {
    const { asset, shareOfAna } = await sharedWithAna();
    await api.offerHandover(mira, asset.id, ana);
    const handover = async () => (await get<SharedAsset>(`/api/shared-assets/${shareOfAna.id}/`, ana)).handover;
    const before = await handover();
    expect(before).toMatchObject({ owner_takes_part: true, measured: true, max_price_per_hour: null, owner_hours: 30 });
    const body = { version: before?.version };
    await send('POST', `/api/shared-assets/${shareOfAna.id}/handover/accept/`, { as: ana, body });
    for (const changes of [
      { owner_takes_part: false },
      { split_method: 'share_of_use', max_price_per_hour: 3 },
      { split_method: 'share_of_use', max_price_per_hour: 4 },
      { measured: false },
    ]) {
      await patch(asset, changes);
      const changed = await handover();
      expect(changed).toMatchObject({ accepted: false });
      const again = { as: ana, body: { version: changed?.version } };
      await send('POST', `/api/shared-assets/${shareOfAna.id}/handover/accept/`, again);
    }
  });

  it('leaves the use of a deleted account in the months that it owned', async () => {
    const { asset, share } = await sharedWithAna({ split_method: 'share_of_use', max_price_per_hour: 10 });
    const anas = await get<{ results: SharedAsset[] }>('/api/shared-assets/', ana);
    await record(share, '2026-03-02T00:00:00Z', 15);
    await record(anas.results[0] ?? share, '2026-03-03T00:00:00Z', 5);
    setClock('2026-04-01T12:00:00Z');
    const body = { current_password: 'correct horse battery', keep_name: true };
    await send('DELETE', '/api/me/', { as: mira, body });
    expect(amounts(await statementOf(asset, '2026-03', ana))).toEqual({ ana: 5 });
    setClock('2026-04-05T00:00:00Z');
    const [bill] = (await get<{ results: { lines: unknown[] }[] }>('/api/statements/?month=2026-03', ana)).results;
    expect(bill).toMatchObject({ closed: true, lines: [{ username: 'ana', amount: 5 }] });
  });
});
