import type { SignedIn } from '@hourshare/contract/sign-ins';
import type { OwnedAsset } from '@hourshare/contract/assets';
import type { SharedAsset } from '@hourshare/contract/shares';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openTestApi, TEST_START, type TestApi } from '../../testing/api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
beforeEach(() => api.reset());
afterAll(() => api.close());

const MINUTE = 60_000;

async function household() {
  const owner = await api.register('mira');
  const member = await api.register('Ben.K');
  return { owner, member, asset: await api.addAsset(owner) };
}

const listSharedAssets = async (caller: SignedIn) =>
  (await api.call<{ results: SharedAsset[]; next: null }>('GET', '/api/shared-assets/', { as: caller })).body;
const sharedWith = async (owner: SignedIn, asset: OwnedAsset) =>
  (await api.call<OwnedAsset>('GET', `/api/assets/${asset.id}/`, { as: owner })).body.shared_with;
const use = (caller: SignedIn, { id }: SharedAsset, action: 'start' | 'end') =>
  api.call('POST', `/api/shared-assets/${id}/${action}/`, { as: caller });

describe('an owner’s list of members', () => {
  it('says whether the asset was ever used, also by someone who has left', async () => {
    const { owner, member, asset } = await household();
    const isUsed = async () => (await api.call<OwnedAsset>('GET', `/api/assets/${asset.id}/`, { as: owner })).body.used;
    const share = await api.share(owner, asset, member);
    const unused = await api.addAsset(owner, { name: 'Unused' });
    expect(await isUsed()).toBe(false);
    await use(member, share, 'start');
    expect(await isUsed()).toBe(true);
    await api.call('DELETE', `/api/assets/${asset.id}/share/${share.id}/`, { as: owner });
    expect(await isUsed()).toBe(true);
    expect((await api.call<OwnedAsset>('GET', `/api/assets/${unused.id}/`, { as: owner })).body.used).toBe(false);
  });

  it('shows each member’s use this month and since when a session is active', async () => {
    const { owner, member, asset } = await household();
    const other = await api.register('kim');
    const benShare = await api.share(owner, asset, member, 10);
    const kimShare = await api.share(owner, asset, other, 5);
    await use(member, benShare, 'start');
    api.clock.advance(90 * MINUTE);
    await use(other, kimShare, 'start');
    await use(member, benShare, 'end');
    api.clock.advance(20 * MINUTE);
    const figures = (entry: OwnedAsset['shared_with'][number]) => [
      entry.shared_with_username,
      entry.usage_this_month,
      entry.active_session,
      entry.active_since,
    ];
    expect((await sharedWith(owner, asset)).map(figures)).toEqual([
      ['Ben.K', 1.5, false, null],
      ['kim', 0.33, true, '2026-03-10T13:30:00.000Z'],
    ]);
    api.clock.now = new Date('2026-04-01T00:00:00.000Z');
    expect((await sharedWith(owner, asset)).map(figures)).toEqual([
      ['Ben.K', 0, false, null],
      ['kim', 0, false, null],
    ]);
  });
});

describe('a member’s list of assets', () => {
  it('keeps the order in which they were shared, oldest first, after assets change', async () => {
    const { owner, member } = await household();
    const other = await api.register('kim');
    const names = ['Zoom', 'Adobe', 'Music', 'Cloud'];
    for (const [n, name] of names.entries()) {
      const sharer = n % 2 ? owner : other;
      await api.share(sharer, await api.addAsset(sharer, { name }), member);
    }
    await use(member, (await listSharedAssets(member)).results[2]!, 'start');
    const { results } = await listSharedAssets(member);
    expect(results.map((each) => [each.asset_name, each.owner])).toEqual([
      ['Zoom', 'kim'],
      ['Adobe', 'mira'],
      ['Music', 'kim'],
      ['Cloud', 'mira'],
    ]);
    await api.call('PATCH', `/api/assets/${results[0]!.asset.id}/`, { as: other, body: { name: 'AAA' } });
    expect((await listSharedAssets(member)).results.map(({ id }) => id)).toEqual(results.map(({ id }) => id));
    expect((await listSharedAssets(member)).results[0]).toMatchObject({ asset_name: 'AAA', asset: { name: 'AAA' } });
  });

  it('reflects the start and end of a session', async () => {
    const { owner, member, asset } = await household();
    const share = await api.share(owner, asset, member);
    const readShare = async () =>
      (await api.call<SharedAsset>('GET', `/api/shared-assets/${share.id}/`, { as: member })).body;
    await use(member, share, 'start');
    api.clock.advance(45 * MINUTE);
    expect(await readShare()).toMatchObject({
      active_session: true,
      active_since: TEST_START,
      last_used_at: null,
      current_usage: 0.75,
      usage_this_month: 0.75,
    });
    await use(member, share, 'end');
    api.clock.advance(45 * MINUTE);
    expect(await readShare()).toMatchObject({
      active_session: false,
      active_since: null,
      last_used_at: '2026-03-10T12:45:00.000Z',
      current_usage: 0.75,
      usage_this_month: 0.75,
    });
    await use(member, share, 'start');
    expect(await readShare()).toMatchObject({ active_session: true, last_used_at: '2026-03-10T12:45:00.000Z' });
    api.clock.advance(25 * 60 * MINUTE);
    // The asset's session limit has ended it.
    expect(await readShare()).toMatchObject({
      active_session: false,
      active_since: null,
      last_used_at: '2026-03-11T13:30:00.000Z',
      current_usage: 24.75,
    });
    expect((await listSharedAssets(member)).results).toEqual([await readShare()]);
  });

  it('says what the asset costs only in the terms of a share', async () => {
    const { owner, member, asset } = await household();
    const share = await api.share(owner, asset, member);
    const sharePath = `/api/shared-assets/${share.id}/`;
    const answers = [await use(member, share, 'start'), await use(member, share, 'end')];
    for (const path of [
      '/api/shared-assets/',
      sharePath,
      `${sharePath}logs/`,
      `${sharePath}analytics/`,
      '/api/assets/',
      '/api/me/',
    ])
      answers.push(await api.call('GET', path, { as: member }));
    const terms = ['terms', 'agreed', 'cost_of_all'];
    for (const { status, text } of answers) {
      expect(status).toBeLessThan(300);
      expect(text).not.toContain('subscription_cost');
      const rest = JSON.stringify(JSON.parse(text), (key, value: unknown) => (terms.includes(key) ? null : value));
      expect(rest).not.toMatch(/price|22\.99|2299/);
    }
  });
});

describe('a member’s list', () => {
  it('divides by the fullest moment of the month, like the owner’s, whatever changes in it', async () => {
    const { owner, member, asset } = await household();
    const [kim, zoe] = [await api.register('kim'), await api.register('zoe')];
    const path = `/api/assets/${asset.id}`;
    const divisors = async () => {
      const { results } = await listSharedAssets(member);
      const { total_hours, places } = (await api.call<OwnedAsset>('GET', `${path}/`, { as: owner })).body;
      expect(results[0]?.terms).toMatchObject({ total_hours, places });
      return [total_hours, places];
    };
    const inDays = (days: number) => api.clock.advance(days * 24 * 60 * MINUTE);
    const change = (body: object, rest = '/') => api.call('PATCH', path + rest, { as: owner, body });
    await api.share(owner, asset, member, 10);
    const ofKim = await api.share(owner, asset, kim, 5);
    expect(await divisors()).toEqual([15, 3]);
    inDays(1);
    await change({ monthly_hours_allocated: 2 }, `/share/${ofKim.id}/`);
    expect(await divisors()).toEqual([15, 3]);
    inDays(31);
    expect(await divisors()).toEqual([12, 3]);
    await api.call('DELETE', `${path}/share/${ofKim.id}/`, { as: owner });
    await api.share(owner, asset, zoe, 1);
    expect(await divisors()).toEqual([12, 3]);
    inDays(31);
    expect(await divisors()).toEqual([11, 3]);
    await change({ archived: true });
    inDays(1 / 2);
    await change({ archived: false });
    expect(await divisors()).toEqual([11, 3]);
  });
});
