import type { SignedIn } from '@hourshare/contract/sign-ins';
import type { OwnedAsset } from '@hourshare/contract/assets';
import type { SharedAsset } from '@hourshare/contract/shares';
import type { Statement } from '@hourshare/contract/statements';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { openTestApi, type TestApi } from '../../testing/api.ts';

let api: TestApi;
let owner: SignedIn;
let member: SignedIn;
let asset: OwnedAsset;
let share: SharedAsset;
beforeAll(async () => {
  api = await openTestApi();
});
beforeEach(async () => {
  await api.reset();
  owner = await api.register('mira');
  member = await api.register('ben');
  asset = await api.addAsset(owner, { subscription_cost: 10, split_method: 'equal' });
  share = await api.share(owner, asset, member, 12);
});
afterAll(() => api.close());

const DAY = 86_400_000;
const setArchived = async (archived: boolean, as = owner) =>
  (await api.call<OwnedAsset>('PATCH', `/api/assets/${asset.id}/`, { as, body: { archived } })).body;
const listed = async (as = member) =>
  (await api.call<{ results: SharedAsset[] }>('GET', '/api/shared-assets/', { as })).body.results;

/** Archives the asset for some time, and restores it. */
async function archiveFor(milliseconds: number, as = owner): Promise<OwnedAsset> {
  await setArchived(true);
  api.clock.advance(milliseconds);
  return setArchived(false, as);
}

it('restored within 24 hours, it gives the same access as before', async () => {
  expect((await archiveFor(DAY)).shared_with).toMatchObject([{ id: share.id, pending: false }]);
  expect(await listed()).toMatchObject([{ id: share.id, status: 'accepted' }]);
});

it('restored later, it is offered to its members again, with the allowance they had', async () => {
  api.clock.advance(3_600_000);
  const archived = api.clock.now;
  const { shared_with: entries } = await archiveFor(DAY + 1);
  expect(entries).toMatchObject([
    { shared_with_username: 'ben', pending: true, accepted: false, monthly_hours_allocated: 12, asked: false },
  ]);
  const [offer] = await listed();
  expect(offer).toMatchObject({ status: 'offered', monthly_hours_allocated: 12, cost_of_all: 5, agreed: null });
  expect(offer?.id).not.toBe(share.id);
  const past = await api.deps.db.selectFrom('shares').select('ended_at').where('id', '=', share.id).execute();
  expect(past).toEqual([{ ended_at: archived }]);
  expect((await api.call('POST', `/api/shared-assets/${offer?.id}/start/`, { as: member })).status).toBe(201);
  const statement = await api.call<Statement>('GET', `/api/assets/${asset.id}/statements/2026-03/`, { as: owner });
  // March 10, and 11 to 31 from the yes on.
  expect(statement.body.lines).toMatchObject([{}, { username: 'ben', days: 22 }]);
});

it('is not offered again to people who refuse its owner, and keeps open offers as they are', async () => {
  const zoe = await api.register('zoe');
  const offer = await api.offer(owner, asset, zoe);
  await api.call('POST', '/api/trusted-owners/', { as: member, body: { username: 'mira', offers: 'refuse' } });
  expect((await archiveFor(2 * DAY)).shared_with).toMatchObject([{ id: offer.id, pending: true }]);
  expect(await listed()).toEqual([]);
});

it('asks again who said yes to access from next month on', async () => {
  const zoe = await api.register('zoe');
  const body = { username: 'zoe', monthly_hours_allocated: 5, starts_on: '2026-04-01' };
  await api.call('POST', `/api/assets/${asset.id}/share/`, { as: owner, body });
  const [promised] = await listed(zoe);
  await api.call('POST', `/api/shared-assets/${promised?.id}/accept/`, { as: zoe });
  await archiveFor(2 * DAY);
  expect(await listed(zoe)).toMatchObject([{ status: 'offered', accepted: false, starts_on: '2026-04-01' }]);
});

it('keeps access of a co-manager who restores it, and of people without an account, who cannot be asked', async () => {
  const path = `/api/assets/${asset.id}/share/${share.id}/`;
  await api.call('PATCH', path, { as: owner, body: { manager: true } });
  const person = { name: 'Oma', monthly_hours_allocated: 5 };
  await api.call('POST', `/api/assets/${asset.id}/people/`, { as: owner, body: person });
  const zoe = await api.register('zoe');
  await api.share(owner, asset, zoe);
  const { shared_with: entries } = await archiveFor(2 * DAY, member);
  expect(entries.map(({ shared_with_username: name, pending, manager }) => [name, pending, manager])).toEqual([
    ['ben', false, true],
    ['Oma (mira)', false, false],
    ['zoe', true, false],
  ]);
});

it('asks no one on a server without consent', async () => {
  const lenient = await openTestApi({ SHARE_CONSENT: 'off' });
  const [mira, ben] = [await lenient.register('mira'), await lenient.register('ben')];
  const theirs = await lenient.addAsset(mira);
  const { id } = await lenient.offer(mira, theirs, ben);
  const set = (archived: boolean) =>
    lenient.call('PATCH', `/api/assets/${theirs.id}/`, { as: mira, body: { archived } });
  await set(true);
  lenient.clock.advance(2 * DAY);
  expect(await set(false)).toMatchObject({ body: { shared_with: [{ id, pending: false }] } });
  await lenient.close();
});
