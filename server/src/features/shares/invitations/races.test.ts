import type { SignedIn } from '@hourshare/contract/sign-ins';
import { OPEN_INVITATIONS_MAX } from '@hourshare/contract/limits';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { openTestApi, TEST_PASSWORD, type Answer, type TestApi } from '../../../testing/api.ts';
import { raceRounds } from '../../../testing/thorough.ts';

let api: TestApi;
let owner: SignedIn;
let first: SignedIn;
let second: SignedIn;
beforeAll(async () => {
  api = await openTestApi();
});
beforeEach(async () => {
  await api.reset();
  owner = await api.register('mira');
  first = await api.register('ben');
  second = await api.register('zoe');
});
afterAll(() => api.close());

const ROUNDS = 25;
const nextTick = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Lets time pass until another call is under way, a little more each round. */
async function waitTicks(count: number): Promise<void> {
  for (let waited = 0; waited < count; waited++) await nextTick();
}

const accept = (token: string, caller: SignedIn) => api.call('POST', `/api/invitations/${token}/`, { as: caller });
const statuses = (answers: Answer[]) => answers.map(({ status }) => status).toSorted((a, b) => a - b);
const openShares = (assetId: number) =>
  api.deps.db.selectFrom('shares').select('id').where('asset_id', '=', assetId).where('ended_at', 'is', null).execute();

it('of two people who use one invitation at once, one gets in', async () => {
  for (const _ of raceRounds(ROUNDS)) {
    const asset = await api.addAsset(owner);
    const { token } = await api.invite(owner, asset);
    expect(statuses(await Promise.all([accept(token, first), accept(token, second)]))).toEqual([201, 404]);
    expect(await openShares(asset.id)).toHaveLength(1);
  }
});

it('of two people who register with one invitation at once, one gets an account', async () => {
  for (let round = 0; round < 8; round++) {
    const { token } = await api.invite(owner, await api.addAsset(owner));
    const register = (username: string) =>
      api.call('POST', '/api/register/', {
        body: { username, email: `${username}@example.org`, password: TEST_PASSWORD, invitation: token },
      });
    expect(statuses(await Promise.all([register(`a${round}.x`), register(`b${round}.x`)]))).toEqual([201, 404]);
  }
  expect(await api.deps.db.selectFrom('users').select('id').execute()).toHaveLength(3 + 8);
  expect(await api.deps.db.selectFrom('sign_ins').select('handle').execute()).toHaveLength(3 + 8);
});

it('one person who uses two invitations to one asset at once gets in once, and the other stays usable', async () => {
  for (const _ of raceRounds(ROUNDS)) {
    const asset = await api.addAsset(owner);
    const [one, two] = [await api.invite(owner, asset), await api.invite(owner, asset)];
    expect(statuses(await Promise.all([accept(one.token, first), accept(two.token, first)]))).toEqual([201, 400]);
    const left = await Promise.all([accept(one.token, second), accept(two.token, second)]);
    expect(left.filter(({ status }) => status === 201)).toHaveLength(1);
  }
});

it('used and revoked at once, it does one or the other', async () => {
  for (const round of raceRounds(ROUNDS)) {
    const asset = await api.addAsset(owner);
    const { id, token } = await api.invite(owner, asset);
    const using = accept(token, first);
    await waitTicks(round);
    const revoked = await api.call('DELETE', `/api/assets/${asset.id}/invitations/${id}/`, { as: owner });
    const used = await using;
    expect([
      [201, 404],
      [404, 200],
    ]).toContainEqual([used.status, revoked.status]);
    expect(await openShares(asset.id)).toHaveLength(used.status === 201 ? 1 : 0);
  }
});

it('used while its asset is deleted or archived, it gives access before or not at all', async () => {
  for (let round = 0; round < ROUNDS * 2; round++) {
    const asset = await api.addAsset(owner);
    const { token } = await api.invite(owner, asset);
    const using = accept(token, first);
    await waitTicks(round / 2);
    const isDeleted = round % 2 === 0;
    const ended = isDeleted
      ? await api.call('DELETE', `/api/assets/${asset.id}/`, { as: owner })
      : await api.call('PATCH', `/api/assets/${asset.id}/`, { as: owner, body: { archived: true } });
    const used = await using;
    expect(ended.status).toBe(isDeleted ? 204 : 200);
    expect([201, isDeleted ? 404 : 400]).toContain(used.status);
    expect(await openShares(asset.id)).toHaveLength(used.status === 201 && !isDeleted ? 1 : 0);
  }
});

it('used while the same asset is shared by name, it leads to one share', async () => {
  for (const _ of raceRounds(ROUNDS)) {
    const asset = await api.addAsset(owner);
    const { token } = await api.invite(owner, asset);
    const body = { username: 'ben', monthly_hours_allocated: 5 };
    const [used, shared] = await Promise.all([
      accept(token, first),
      api.call('POST', `/api/assets/${asset.id}/share/`, { as: owner, body }),
    ]);
    expect(used.status).toBe(201);
    expect([201, 400]).toContain(shared.status);
    expect(await openShares(asset.id)).toHaveLength(1);
  }
});

it('concurrent requests make no more than the limit', async () => {
  const asset = await api.addAsset(owner);
  const body = { monthly_hours_allocated: 5 };
  const answers = await Promise.all(
    Array.from({ length: OPEN_INVITATIONS_MAX + 10 }, () =>
      api.call('POST', `/api/assets/${asset.id}/invitations/`, { as: owner, body }),
    ),
  );
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(OPEN_INVITATIONS_MAX);
  expect(answers.filter(({ status }) => ![201, 400].includes(status))).toEqual([]);
});
