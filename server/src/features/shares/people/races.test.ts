import type { SignedIn } from '@hourshare/contract/sign-ins';
import type { OwnedAsset } from '@hourshare/contract/assets';
import type { AssetToClaim } from '@hourshare/contract/shares';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { openTestApi, type TestApi } from '../../../testing/api.ts';
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
  owner = await api.register('ana');
  first = await api.register('ben');
  second = await api.register('kim');
});
afterAll(() => api.close());

const ROUNDS = 20;
const NAME = 'Grandma (ana)';

const nextTick = () => new Promise<void>((resolve) => setImmediate(resolve));
/** Waits a little longer in each round, so that the calls meet at different points. */
async function wait(ticks: number): Promise<void> {
  for (let waited = 0; waited < ticks; waited++) await nextTick();
}

async function addGrandma(splitMethod = 'equal') {
  const asset = await api.addAsset(owner, { subscription_cost: 10, split_method: splitMethod });
  const body = { name: 'Grandma', monthly_hours_allocated: 5 };
  const { body: shared } = await api.call<OwnedAsset>('POST', `/api/assets/${asset.id}/people/`, { as: owner, body });
  const path = `/api/assets/${asset.id}/share/${shared.shared_with[0]?.id}/`;
  const { body: made } = await api.call<AssetToClaim>('POST', `${path}claim/`, { as: owner });
  return { asset, path, token: made.claim.link.replace(/^.*\//, '') };
}
const accept = (token: string, caller: SignedIn, charges = 'accept') =>
  api.call('POST', `/api/claims/${token}/`, { as: caller, body: { charges } });
const membersOf = (assetId: number) =>
  api.deps.db.selectFrom('shares').select('member_id').where('asset_id', '=', assetId).execute();

it('of two people with one link, one claims', async () => {
  for (const round of raceRounds(ROUNDS)) {
    const { asset, token } = await addGrandma();
    const answers = await Promise.all([accept(token, first), wait(round).then(() => accept(token, second))]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 404]);
    const claimer = answers[0].status === 201 ? first : second;
    expect(await membersOf(asset.id)).toEqual([{ member_id: claimer.user.id }]);
  }
});

it('an offer made during the claim gives way to it', async () => {
  for (const round of raceRounds(ROUNDS)) {
    const { asset, token } = await addGrandma();
    const body = { username: 'ben', monthly_hours_allocated: 5 };
    const [claimed, shared] = await Promise.all([
      accept(token, first),
      wait(round).then(() => api.call('POST', `/api/assets/${asset.id}/share/`, { as: owner, body })),
    ]);
    expect(claimed.status).toBe(201);
    expect([201, 400]).toContain(shared.status);
    const open = await api.deps.db
      .selectFrom('shares')
      .select('accepted_at')
      .where('asset_id', '=', asset.id)
      .where('member_id', '=', first.user.id)
      .where('ended_at', 'is', null)
      .execute();
    expect(open).toEqual([{ accepted_at: expect.any(Date) as Date }]);
  }
});

it('a session recorded during the claim is in it, or is refused', async () => {
  for (const round of raceRounds(ROUNDS)) {
    const { path, token } = await addGrandma();
    api.clock.advance(2 * 3_600_000);
    const at = (minutes: number) => new Date(api.clock.now.getTime() - minutes * 60_000).toISOString();
    const body = { start_time: at(60), end_time: at(30) };
    const [claimed, recorded] = await Promise.all([
      accept(token, first),
      wait(round).then(() => api.call('POST', `${path}sessions/`, { as: owner, body })),
    ]);
    expect(claimed.status).toBe(201);
    expect([201, 404]).toContain(recorded.status);
    expect((await api.call('POST', `${path}sessions/`, { as: owner, body })).status).toBe(404);
  }
});

it.each(['accept', 'object'])(
  'a month that closes during the claim, with %s, charges only one of the two',
  async (charges) => {
    const start = api.clock.now;
    for (const round of raceRounds(ROUNDS / 2)) {
      api.clock.now = start;
      const { asset, path } = await addGrandma();
      api.clock.now = new Date('2026-04-01T01:00:00Z');
      const { body: made } = await api.call<AssetToClaim>('POST', `${path}claim/`, { as: owner });
      const close = `/api/assets/${asset.id}/statements/2026-03/close/`;
      const [claimed, closed] = await Promise.all([
        accept(made.claim.link.replace(/^.*\//, ''), first, charges),
        wait(round * 2).then(() => api.call('POST', close, { as: owner })),
      ]);
      expect(claimed.status).toBe(201);
      // Once claimed, the new member may still edit.
      expect([200, 400]).toContain(closed.status);
      const lines = await api.deps.db
        .selectFrom('statement_lines as l')
        .innerJoin('statements as st', 'st.id', 'l.statement_id')
        .select(['user_id', 'username', 'paid_at'])
        .where('st.asset_id', '=', asset.id)
        .where('role', '=', 'member')
        .execute();
      expect(lines).toHaveLength(closed.status === 200 ? 1 : 0);
      for (const line of lines) {
        expect(line.username).toBe(NAME);
        expect(line.user_id === first.user.id).toBe(charges === 'accept');
        // A month that closes after an objection has an unpaid charge for the person, which only concerns the owner.
        expect(charges === 'accept' && line.paid_at !== null).toBe(false);
      }
    }
  },
);

it('a payment recorded during the claim is for charges that stay, or is refused', async () => {
  for (const round of raceRounds(ROUNDS / 2)) {
    api.clock.now = new Date('2026-03-10T12:00:00Z');
    const { asset, path } = await addGrandma();
    api.clock.now = new Date('2026-04-10T12:00:00Z');
    await api.call('GET', `/api/assets/${asset.id}/statements/2026-03/`, { as: owner });
    const { body: made } = await api.call<AssetToClaim>('POST', `${path}claim/`, { as: owner });
    const [claimed, paid] = await Promise.all([
      accept(made.claim.link.replace(/^.*\//, ''), first),
      wait(round * 2).then(() => api.call('POST', '/api/settlements/', { as: owner, body: { username: NAME } })),
    ]);
    expect(claimed.status).toBe(201);
    const parts = await api.deps.db
      .selectFrom('statement_lines as l')
      .innerJoin('statements as st', 'st.id', 'l.statement_id')
      .innerJoin('users as u', 'u.id', 'l.user_id')
      .leftJoin('settlement_parts as part', 'part.line_id', 'l.id')
      .leftJoin('settlements as s', 's.id', 'part.settlement_id')
      .select(['u.username', sql`s.payer_id = u.id`.as('paid')])
      .where('st.asset_id', '=', asset.id)
      .where('l.role', '=', 'member')
      .execute();
    expect(parts).toEqual([paid.status === 201 ? { username: NAME, paid: true } : { username: 'ben', paid: null }]);
    if (paid.status === 201) continue;
    expect(paid.status).toBe(400);
    await api.call('POST', '/api/settlements/', { as: owner, body: { username: 'ben' } });
  }
});

it('the same name added at once on several assets is one person', async () => {
  const assets = await Promise.all(Array.from({ length: 10 }, () => api.addAsset(owner)));
  const body = { name: 'Grandma', monthly_hours_allocated: 5 };
  const answers = await Promise.all(
    [...assets, ...assets].map(({ id }) => api.call('POST', `/api/assets/${id}/people/`, { as: owner, body })),
  );
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(10);
  expect(answers.filter(({ status }) => status === 400)).toHaveLength(10);
  expect(await api.deps.db.selectFrom('users').select('id').where('host_id', 'is not', null).execute()).toHaveLength(1);
});
