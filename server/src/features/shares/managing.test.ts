import type { OwnedAsset } from '@hourshare/contract/assets';
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
  const asset = await api.addAsset(owner);
  const share = await api.share(owner, asset, member);
  const path = `/api/assets/${asset.id}/share/${share.id}/`;
  return {
    owner,
    member,
    asset,
    share,
    path,
    change: (hours: unknown, caller = owner) =>
      api.call<OwnedAsset>('PATCH', path, { as: caller, body: { monthly_hours_allocated: hours } }),
    end: (caller = owner) => api.call<OwnedAsset>('DELETE', path, { as: caller }),
    start: () => api.call('POST', `/api/shared-assets/${share.id}/start/`, { as: member }),
  };
}

describe('a member’s allowance', () => {
  it('can be changed by the owner, and both see the change', async () => {
    const { change, member, share } = await household();
    expect(await change(40)).toMatchObject({ status: 200, body: { shared_with: [{ monthly_hours_allocated: 40 }] } });
    expect((await api.call('GET', `/api/shared-assets/${share.id}/`, { as: member })).body).toMatchObject({
      monthly_hours_allocated: 40,
    });
  });

  it.each([0, 745, 1.5, '5', null, undefined])('cannot be changed to %s', async (hours) => {
    const { change, owner, asset } = await household();
    expect(await change(hours)).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
    expect((await api.call('GET', `/api/assets/${asset.id}/`, { as: owner })).body).toMatchObject({
      shared_with: [{ monthly_hours_allocated: 20 }],
    });
  });

  it('can only be changed by the owner, through the asset it belongs to', async () => {
    const { change, end, member, owner, share } = await household();
    const other = await api.addAsset(owner, { name: 'Spotify' });
    const otherPath = `/api/assets/${other.id}/share/${share.id}/`;
    expect((await change(40, member)).status).toBe(404);
    expect((await end(member)).status).toBe(404);
    expect((await api.call('DELETE', otherPath, { as: owner })).status).toBe(404);
    const body = { monthly_hours_allocated: 40 };
    expect((await api.call('PATCH', otherPath, { as: owner, body })).status).toBe(404);
  });
});

describe('an ended share', () => {
  it('ends its active session at that moment and is gone for both users', async () => {
    const { start, end, change, member } = await household();
    await start();
    api.clock.advance(HOUR);
    expect(await end()).toMatchObject({ status: 200, body: { shared_with: [] } });
    expect((await api.call('GET', '/api/shared-assets/', { as: member })).body).toMatchObject({ results: [] });
    expect((await start()).status).toBe(404);
    expect((await end()).status).toBe(404);
    expect((await change(5)).status).toBe(404);
    const sessions = await api.deps.db.selectFrom('sessions').select(['started_at', 'ended_at']).execute();
    expect(sessions).toEqual([{ started_at: new Date(api.clock.now.getTime() - HOUR), ended_at: api.clock.now }]);
  });

  it('ends its active session at the session limit if that has passed', async () => {
    const { start, end } = await household();
    await start();
    const limit = new Date(api.clock.now.getTime() + 24 * HOUR);
    api.clock.advance(30 * HOUR);
    await end();
    const [session] = await api.deps.db.selectFrom('sessions').select('ended_at').execute();
    expect(session?.ended_at).toEqual(limit);
  });

  it('stays in the owner’s analytics, where a new share of the same member adds to it', async () => {
    const { start, end, owner, member, asset } = await household();
    await start();
    api.clock.advance(2 * HOUR);
    await end();
    const newShare = await api.share(owner, asset, member, 10);
    await api.call('POST', `/api/shared-assets/${newShare.id}/start/`, { as: member });
    api.clock.advance(HOUR);
    expect((await api.call('GET', `/api/assets/${asset.id}/analytics/`, { as: owner })).body).toMatchObject({
      total_usage: 3,
      // The fullest moment was before the share ended.
      total_allocation: 20,
      total_sessions: 2,
      active_session: true,
      members: [{ username: 'ben', total_usage: 3, total_allocation: 10, utilization_percentage: 30 }],
    });
    // The member's own analytics show only their current share.
    expect((await api.call('GET', `/api/shared-assets/${newShare.id}/analytics/`, { as: member })).body).toMatchObject({
      total_usage: 1,
    });
  });

  it('has no active sessions, even if the member starts one while it is being ended', async () => {
    const { start, end } = await household();
    const [ended] = await Promise.all([end(), ...Array.from({ length: 20 }, start)]);
    expect(ended.status).toBe(200);
    const open = await api.deps.db.selectFrom('sessions').selectAll().where('ended_at', 'is', null).execute();
    expect(open).toEqual([]);
  });

  it('can only be ended by one of 20 concurrent requests', async () => {
    const { end } = await household();
    const answers = await Promise.all(Array.from({ length: 20 }, () => end()));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 404)).toHaveLength(19);
  });
});
