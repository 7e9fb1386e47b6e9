import type { SignedIn } from '@hourshare/contract/sign-ins';
import type { OwnedAsset } from '@hourshare/contract/assets';
import type { SharedAsset } from '@hourshare/contract/shares';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openTestApi, type TestApi } from '../../testing/api.ts';

const HOUR = 3_600_000;

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
beforeEach(() => api.reset());
afterAll(() => api.close());

async function household() {
  const owner = await api.register('mira');
  const member = await api.register('ben');
  const asset = await api.addAsset(owner, { time_zone: 'Asia/Tokyo' });
  const share = await api.share(owner, asset, member);
  return { owner, member, asset, share };
}

const change = (owner: SignedIn, asset: OwnedAsset, body: object) =>
  api.call<OwnedAsset>('PATCH', `/api/assets/${asset.id}/`, { as: owner, body });

const start = (member: SignedIn, share: SharedAsset) =>
  api.call('POST', `/api/shared-assets/${share.id}/start/`, { as: member });

/** Returns all prices, with the month from which each applies. */
const prices = () =>
  api.deps.db
    .selectFrom('periods')
    .select(['asset_id', 'price_since as from_month', 'price_cents'])
    .distinct()
    .orderBy('price_since')
    .execute();

describe('a changed price', () => {
  it('applies from the current month in the asset’s time zone and leaves past months alone', async () => {
    const { owner, asset } = await household();
    api.clock.now = new Date('2026-04-30T15:30:00Z'); // May has begun in Tokyo
    expect(await change(owner, asset, { subscription_cost: 25.5 })).toMatchObject({
      status: 200,
      body: { subscription_cost: 25.5, name: asset.name },
    });
    expect(await prices()).toEqual([
      { asset_id: asset.id, from_month: '2026-03-01', price_cents: 2299 },
      { asset_id: asset.id, from_month: '2026-05-01', price_cents: 2550 },
    ]);
  });

  it('replaces the one set earlier in the same month', async () => {
    const { owner, asset } = await household();
    await change(owner, asset, { subscription_cost: 1 });
    await change(owner, asset, { subscription_cost: 0 });
    expect(await prices()).toMatchObject([{ from_month: '2026-03-01', price_cents: 0 }]);
  });

  it('is rejected for another user’s asset and changes nothing', async () => {
    const { member, asset } = await household();
    expect(await change(member, asset, { subscription_cost: 1 })).toMatchObject({ status: 404 });
    expect(await prices()).toMatchObject([{ price_cents: 2299 }]);
  });
});

describe('the session limit', () => {
  it('applies to sessions started after the next month began', async () => {
    const { owner, member, asset, share } = await household();
    const terms = { split_method: 'usage', base_percent: 0, owner_hours: 0, max_session_hours: 2 };
    expect((await change(owner, asset, { max_session_hours: 2 })).body).toMatchObject({
      max_session_hours: 24,
      next_terms: { from_month: '2026-04', ...terms },
    });
    const lastDuration = async () => {
      await start(member, share);
      api.clock.advance(25 * HOUR);
      const { body } = await api.call<{ results: { duration: number }[] }>(
        'GET',
        `/api/shared-assets/${share.id}/logs/`,
        { as: member },
      );
      return body.results[0]?.duration;
    };
    expect(await lastDuration()).toBe(24 * 60);
    api.clock.now = new Date('2026-04-10T00:00:00Z');
    expect(await lastDuration()).toBe(120);
    expect((await change(owner, asset, {})).body).toMatchObject({ max_session_hours: 2, next_terms: null });
  });

  it('changes at once while no one else uses the asset', async () => {
    const owner = await api.register('mira');
    const asset = await api.addAsset(owner);
    expect((await change(owner, asset, { max_session_hours: 2 })).body).toMatchObject({ max_session_hours: 2 });
  });

  it.each([0, 745, 1.5, '2', null])('cannot be %s', async (hours) => {
    const { owner, asset } = await household();
    expect(await change(owner, asset, { max_session_hours: hours })).toMatchObject({ status: 400 });
  });
});

describe('an archived asset', () => {
  it('ends active sessions, is hidden from its members, and can be restored completely', async () => {
    const { owner, member, asset, share } = await household();
    await start(member, share);
    api.clock.advance(HOUR);
    expect(await change(owner, asset, { archived: true })).toMatchObject({
      status: 200,
      body: { archived: true, shared_with: [{ active_session: false, usage_this_month: 1 }] },
    });
    const read = async (path: string) =>
      (await api.call('GET', `/api/shared-assets/${share.id}/${path}`, { as: member })).status;
    for (const path of ['', 'active-session/', 'analytics/']) expect([path, await read(path)]).toEqual([path, 404]);
    // Its months are still open, so their sessions can be edited.
    expect(await read('logs/')).toBe(200);
    expect((await start(member, share)).status).toBe(404);
    expect((await api.call('GET', '/api/shared-assets/', { as: member })).body).toMatchObject({ results: [] });

    expect((await change(owner, asset, { archived: false })).body.archived).toBe(false);
    expect((await api.call('GET', '/api/shared-assets/', { as: member })).body).toMatchObject({
      results: [{ id: share.id, current_usage: 1, active_session: false }],
    });
    expect((await start(member, share)).status).toBe(201);
  });

  it('cannot be shared until it is restored', async () => {
    const { owner, asset } = await household();
    await api.register('zoe');
    await change(owner, asset, { archived: true });
    const share = { as: owner, body: { username: 'zoe', monthly_hours_allocated: 1 } };
    expect(await api.call('POST', `/api/assets/${asset.id}/share/`, share)).toMatchObject({
      status: 400,
      body: { code: 'asset_archived' },
    });
  });

  it('has no active sessions, even if members start one while it is being archived', async () => {
    const { owner, asset, member, share } = await household();
    const [archived] = await Promise.all([
      change(owner, asset, { archived: true }),
      ...Array.from({ length: 20 }, () => start(member, share)),
    ]);
    expect(archived.status).toBe(200);
    const open = await api.deps.db.selectFrom('sessions').selectAll().where('ended_at', 'is', null).execute();
    expect(open).toEqual([]);
  });
});

describe('a deleted asset', () => {
  it('takes only its own shares and sessions with it', async () => {
    const { owner, member, asset, share } = await household();
    const other = await api.addAsset(owner, { name: 'Spotify' });
    await start(member, share);
    expect(await api.call('DELETE', `/api/assets/${asset.id}/`, { as: owner })).toMatchObject({
      status: 204,
      text: '',
    });
    expect((await api.call('GET', `/api/assets/${asset.id}/`, { as: owner })).status).toBe(404);
    expect((await api.call('GET', '/api/shared-assets/', { as: member })).body).toMatchObject({ results: [] });
    expect((await api.call('GET', '/api/assets/', { as: owner })).body).toMatchObject({ results: [{ id: other.id }] });
    expect((await api.call('DELETE', `/api/assets/${asset.id}/`, { as: owner })).status).toBe(404);
  });

  it('can only be deleted by its owner', async () => {
    const { owner, member, asset } = await household();
    expect((await api.call('DELETE', `/api/assets/${asset.id}/`, { as: member })).status).toBe(404);
    expect((await api.call('GET', `/api/assets/${asset.id}/`, { as: owner })).status).toBe(200);
  });
});
