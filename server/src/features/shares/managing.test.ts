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
    change: (hours: unknown, as = owner) =>
      api.call<OwnedAsset>('PATCH', path, { as, body: { monthly_hours_allocated: hours } }),
    end: (as = owner) => api.call<OwnedAsset>('DELETE', path, { as }),
    start: () => api.call('POST', `/api/shared-assets/${share.id}/start/`, { as: member }),
  };
}

describe('a member’s hours', () => {
  it('can be changed by the owner, and both see it', async () => {
    const { change, member, share } = await household();
    expect(await change(40)).toMatchObject({ status: 200, body: { shared_with: [{ monthly_hours_allocated: 40 }] } });
    expect((await api.call('GET', `/api/shared-assets/${share.id}/`, { as: member })).body).toMatchObject({
      monthly_hours_allocated: 40,
    });
  });

  it.each([0, 745, 1.5, '5', null, undefined])('cannot become %s', async (hours) => {
    const { change, owner, asset } = await household();
    expect(await change(hours)).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
    expect((await api.call('GET', `/api/assets/${asset.id}/`, { as: owner })).body).toMatchObject({
      shared_with: [{ monthly_hours_allocated: 20 }],
    });
  });

  it('are the owner’s to change, through the asset they belong to', async () => {
    const { change, end, member, owner, share } = await household();
    const other = await api.addAsset(owner, { name: 'Spotify' });
    const elsewhere = `/api/assets/${other.id}/share/${share.id}/`;
    expect((await change(40, member)).status).toBe(404);
    expect((await end(member)).status).toBe(404);
    expect((await api.call('DELETE', elsewhere, { as: owner })).status).toBe(404);
    const body = { monthly_hours_allocated: 40 };
    expect((await api.call('PATCH', elsewhere, { as: owner, body })).status).toBe(404);
  });
});

describe('an ended share', () => {
  it('ends its running session at that moment, and is gone for both', async () => {
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

  it('ends a session no later than its limit', async () => {
    const { start, end } = await household();
    await start();
    const limit = new Date(api.clock.now.getTime() + 24 * HOUR);
    api.clock.advance(30 * HOUR);
    await end();
    const [session] = await api.deps.db.selectFrom('sessions').select('ended_at').execute();
    expect(session?.ended_at).toEqual(limit);
  });

  it('keeps its history in the owner’s analytics, and a new share of the same member adds to it', async () => {
    const { start, end, owner, member, asset } = await household();
    await start();
    api.clock.advance(2 * HOUR);
    await end();
    const again = await api.share(owner, asset, member, 10);
    await api.call('POST', `/api/shared-assets/${again.id}/start/`, { as: member });
    api.clock.advance(HOUR);
    expect((await api.call('GET', `/api/assets/${asset.id}/analytics/`, { as: owner })).body).toMatchObject({
      total_usage: 3,
      total_allocation: 10,
      total_sessions: 2,
      active_session: true,
      members: [{ username: 'ben', total_usage: 3, total_allocation: 10, utilization_percentage: 30 }],
    });
    // The member's own figures are those of the share they hold.
    expect((await api.call('GET', `/api/shared-assets/${again.id}/analytics/`, { as: member })).body).toMatchObject({
      total_usage: 1,
    });
  });

  it('leaves no session running when the member starts at the very moment it ends', async () => {
    const { start, end } = await household();
    const [ended] = await Promise.all([end(), ...Array.from({ length: 20 }, start)]);
    expect(ended.status).toBe(200);
    const open = await api.deps.db.selectFrom('sessions').selectAll().where('ended_at', 'is', null).execute();
    expect(open).toEqual([]);
  });

  it('is ended by exactly one of 20 requests at once', async () => {
    const { end } = await household();
    const answers = await Promise.all(Array.from({ length: 20 }, () => end()));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 404)).toHaveLength(19);
  });
});
