import type { OwnedAsset } from '@hourshare/contract/assets';
import type { Deposit, DepositList } from '@hourshare/contract/deposits';
import type { NoticeList } from '@hourshare/contract/notifications';
import type { AssetToClaim, SharedAsset } from '@hourshare/contract/shares';
import type { SignedIn } from '@hourshare/contract/sign-ins';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openTestApi, TEST_PASSWORD, TEST_START, type Answer, type TestApi } from '../../testing/api.ts';
import { kept } from '../../testing/kept.ts';
import { dispatchWaiting } from '../notifications/dispatch/service.ts';

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
afterAll(() => api.close());

let mira: SignedIn;
let ana: SignedIn;
let ben: SignedIn;
let asset: OwnedAsset;
let share: SharedAsset;

/** A boat of mira's, to which ana has access. */
const prepare = kept(
  () => api,
  async () => {
    const people = [await api.register('mira'), await api.register('ana'), await api.register('ben')] as const;
    const boat = await api.addAsset(people[0], { name: 'Boat', subscription_cost: 40 });
    return { people, boat, given: await api.share(people[0], boat, people[1]) };
  },
);
beforeEach(async () => {
  ({
    people: [mira, ana, ben],
    boat: asset,
    given: share,
  } = await prepare());
  api.clock.now = new Date(TEST_START);
});

async function done<T>(asked: Promise<Answer<T>>): Promise<T> {
  const { status, body } = await asked;
  if (status >= 300) throw new Error(JSON.stringify(body));
  return body;
}
/** Asks to record a deposit, as the owner or as ana. */
const record = (as: SignedIn, body: object = {}, headers: Record<string, string> = {}) =>
  as === mira
    ? api.call<Deposit>('POST', `/api/assets/${asset.id}/deposits/`, {
        as,
        body: { username: 'ana', amount: 50, ...body },
        headers,
      })
    : api.call<Deposit>('POST', `/api/shared-assets/${share.id}/deposits/`, {
        as,
        body: { amount: 50, ...body },
        headers,
      });
const act = (as: SignedIn, { id }: { id: number }, verb: 'confirm' | 'return', body?: object) =>
  api.call<Deposit>('POST', `/api/deposits/${id}/${verb}/`, { as, ...(body && { body }) });
const withdraw = (as: SignedIn, { id }: { id: number }) => api.call('DELETE', `/api/deposits/${id}/`, { as });
const list = async (as: SignedIn) => (await done(api.call<DepositList>('GET', '/api/deposits/', { as }))).results;
const held = async () => {
  const deposit = await done(record(ana));
  return done(act(mira, deposit, 'confirm'));
};
const changed = { status: 400, body: { code: 'deposit_changed' } };
const deleteAccount = (as: SignedIn, keepName: boolean) =>
  done(api.call('DELETE', '/api/me/', { as, body: { current_password: TEST_PASSWORD, keep_name: keepName } }));

describe('a deposit', () => {
  it.each([
    ['who gave it', () => [ana, mira] as const],
    ['who holds it', () => [mira, ana] as const],
  ])('is recorded by %s, held and given back once the other confirms', async (_who, people) => {
    const [one, other] = people();
    const deposit = await done(record(one));
    const nothing = { confirmed_at: null, returned_by: null, returned_at: null, return_confirmed_at: null };
    expect(deposit).toEqual({
      id: deposit.id,
      username: other.user.username,
      hue: other.user.id % 8,
      account_deleted: false,
      direction: one === ana ? 'they_hold' : 'you_hold',
      held_by: 'mira',
      asset_id: asset.id,
      asset_name: 'Boat',
      amount: 50,
      currency: 'USD',
      status: 'recorded',
      recorded_by: one.user.username,
      recorded_at: TEST_START,
      ...nothing,
      can: { confirm: false, withdraw: true, give_back: false },
    });
    expect(await list(other)).toEqual([
      {
        ...deposit,
        username: one.user.username,
        hue: one.user.id % 8,
        direction: other === ana ? 'they_hold' : 'you_hold',
        can: { confirm: true, withdraw: true, give_back: false },
      },
    ]);
    api.clock.advance(1000);
    const confirmed = api.clock.now.toISOString();
    expect(await done(act(other, deposit, 'confirm'))).toMatchObject({
      ...nothing,
      status: 'held',
      confirmed_at: confirmed,
      can: { confirm: false, withdraw: false, give_back: true },
    });
    api.clock.advance(1000);
    const returned = api.clock.now.toISOString();
    expect(await done(act(one, deposit, 'return'))).toMatchObject({
      status: 'returning',
      returned_by: one.user.username,
      returned_at: returned,
      return_confirmed_at: null,
      can: { confirm: false, withdraw: true, give_back: false },
    });
    api.clock.advance(1000);
    const end = { status: 'returned', returned_at: returned, return_confirmed_at: api.clock.now.toISOString() };
    const can = { confirm: false, withdraw: false, give_back: false };
    expect(await done(act(other, deposit, 'confirm'))).toMatchObject({ ...end, can });
    for (const as of [mira, ana]) expect(await list(as)).toMatchObject([{ ...end, can }]);
    expect(await list(ben)).toEqual([]);
  });

  it('disappears if it is taken back or refused before it is confirmed, and is held again if that is done to its return', async () => {
    for (const as of [ana, mira]) {
      const deposit = await done(record(ana));
      expect(await withdraw(as, deposit)).toMatchObject({ status: 204 });
      expect(await list(ana)).toEqual([]);
      expect((await withdraw(as, deposit)).status).toBe(404);
    }
    const deposit = await held();
    expect(await withdraw(mira, deposit)).toMatchObject(changed);
    for (const as of [ana, mira]) {
      await done(act(mira, deposit, 'return'));
      expect(await withdraw(as, deposit)).toMatchObject({ status: 204 });
      expect(await list(ana)).toMatchObject([{ status: 'held', returned_by: null, returned_at: null }]);
    }
  });

  it('is confirmed only by the other, and is nothing to anyone else', async () => {
    const deposit = await done(record(ana));
    expect(await act(ana, deposit, 'confirm')).toMatchObject(changed);
    for (const as of [ana, mira]) expect(await act(as, deposit, 'return')).toMatchObject(changed);
    expect((await act(ben, deposit, 'confirm')).status).toBe(404);
    expect((await act(ben, deposit, 'return')).status).toBe(404);
    expect((await withdraw(ben, deposit)).status).toBe(404);
    await done(act(mira, deposit, 'confirm'));
    await done(act(mira, deposit, 'return'));
    expect(await act(mira, deposit, 'confirm')).toMatchObject(changed);
    // Saying it twice changes nothing, but if both say so, it is.
    expect(await act(mira, deposit, 'return')).toMatchObject({ status: 200, body: { status: 'returning' } });
    expect(await act(ana, deposit, 'return')).toMatchObject({ status: 200, body: { status: 'returned' } });
    expect(await act(ana, deposit, 'return')).toMatchObject({ status: 200, body: { status: 'returned' } });
    expect(await withdraw(ana, deposit)).toMatchObject(changed);
  });

  it('is not confirmed as something that it no longer is', async () => {
    const deposit = await held();
    await done(act(mira, deposit, 'return'));
    expect(await act(ana, deposit, 'confirm', { status: 'recorded' })).toMatchObject(changed);
    expect(await act(ana, deposit, 'confirm', { status: 'returning' })).toMatchObject({
      status: 200,
      body: { status: 'returned' },
    });
    expect(await act(ana, deposit, 'confirm', { status: 'recorded' })).toMatchObject({ status: 200 });
  });

  it('is confirmed once, however often at once, and keeps the order of its times if the clock is set back', async () => {
    const deposit = await done(record(ana));
    api.clock.now = new Date('2026-03-01T00:00:00Z');
    const answers = await Promise.all([1, 2, 3].map(() => act(mira, deposit, 'confirm')));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    await done(act(mira, deposit, 'return'));
    await Promise.all([act(ana, deposit, 'confirm'), act(ana, deposit, 'return')]);
    expect(await list(ana)).toMatchObject([
      { status: 'returned', confirmed_at: TEST_START, returned_at: TEST_START, return_confirmed_at: TEST_START },
    ]);
    const told = await api.deps.db.selectFrom('outbox').select('data').where('kind', '=', 'deposit.changed').execute();
    expect(told.map(({ data }) => (data as { change: string }).change)).toEqual([
      'recorded',
      'confirmed',
      'returned',
      'return_confirmed',
    ]);
  });

  it('is recorded once with the same key', async () => {
    for (const as of [mira, ana]) {
      const ids = [];
      for (const _ of [1, 2]) ids.push((await done(record(as, {}, { 'idempotency-key': 'one' }))).id);
      expect(ids[0]).toBe(ids[1]);
    }
    expect(await list(ana)).toHaveLength(2);
  });

  it('has an amount that its currency has', async () => {
    for (const [amount, problem] of [
      [0, 'Amount must be more than zero'],
      [0.001, 'Amount must have at most two decimals'],
      [10_000_000, 'Amount must be at most 9999999.99'],
      ['5', 'Amount must be a number'],
    ])
      for (const as of [mira, ana])
        expect(await record(as, { amount })).toMatchObject({ status: 400, body: { fields: { amount: [problem] } } });
    expect(await done(record(mira, { amount: 9_999_999.99 }))).toMatchObject({ amount: 9_999_999.99 });
  });

  it('is one of at most 20 not yet given back', async () => {
    const answers = await Promise.all(Array.from({ length: 24 }, (_, n) => record(n % 2 ? mira : ana)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(20);
    expect(await record(ana)).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
    const [latest] = await list(ana);
    await done(withdraw(ana, latest!));
    const next = await done(record(ana));
    expect((await record(mira)).status).toBe(400);
    for (const verb of ['confirm', 'return'] as const) await done(act(mira, next, verb));
    expect((await record(mira)).status).toBe(400);
    await done(act(ana, next, 'confirm'));
    expect((await record(mira)).status).toBe(201);
  });
});

describe('who can record one', () => {
  it('is the owner, of who has access or had it', async () => {
    expect(await record(mira, { username: 'ben' })).toMatchObject({ status: 404, body: { code: 'user_not_found' } });
    expect((await record(mira, { username: 'mira' })).status).toBe(404);
    expect((await record(mira, { username: 'ANA' })).body).toMatchObject({ username: 'ana' });
    await api.offer(mira, asset, ben);
    expect((await record(mira, { username: 'ben' })).status).toBe(404);
    await done(api.call('POST', `/api/shared-assets/${share.id}/leave/`, { as: ana }));
    expect((await record(mira)).status).toBe(201);
    expect((await record(ana)).status).toBe(404);
  });

  it('is not a co-manager, nor anyone for another household', async () => {
    await done(api.call('PATCH', `/api/assets/${asset.id}/share/${share.id}/`, { as: mira, body: { manager: true } }));
    const ask = (as: SignedIn) =>
      api.call('POST', `/api/assets/${asset.id}/deposits/`, { as, body: { username: 'ana', amount: 5 } });
    expect(await ask(ana)).toMatchObject({ status: 403, body: { code: 'owner_only' } });
    expect((await ask(ben)).status).toBe(404);
    expect(await list(mira)).toEqual([]);
  });
});

it('stays as it is when access ends, the asset is handed over, or deleted', async () => {
  await held();
  const { shareId, version } = await api.offerHandover(mira, asset.id, ana);
  await done(api.call('POST', `/api/shared-assets/${shareId}/handover/accept/`, { as: ana, body: { version } }));
  api.clock.now = new Date('2026-04-01T12:00:00Z');
  expect((await api.call<OwnedAsset>('GET', `/api/assets/${asset.id}/`, { as: ana })).status).toBe(200);
  expect(await list(ana)).toMatchObject([{ held_by: 'mira', username: 'mira', asset_id: asset.id, status: 'held' }]);
  await done(api.call('PATCH', `/api/assets/${asset.id}/`, { as: ana, body: { name: 'Yacht' } }));
  await done(api.call('DELETE', `/api/assets/${asset.id}/`, { as: ana }));
  expect(await list(mira)).toMatchObject([{ asset_id: null, asset_name: 'Boat', status: 'held' }]);
  await api.deps.db.deleteFrom('assets').execute();
  const [deposit] = await list(mira);
  expect(deposit).toMatchObject({ asset_id: null, asset_name: 'Boat', status: 'held' });
  await done(act(mira, deposit!, 'return'));
  expect(await done(act(ana, deposit!, 'confirm'))).toMatchObject({ status: 'returned' });
});

describe('without an account of the other', () => {
  const username = 'Grandma (mira)';
  const addGrandma = async () => {
    const body = { name: 'Grandma', monthly_hours_allocated: 5 };
    const { shared_with: entries } = await done(
      api.call<OwnedAsset>('POST', `/api/assets/${asset.id}/people/`, { as: mira, body }),
    );
    return entries.find(({ person }) => person)!.id;
  };
  const becomeBen = async (shareId: number, charges: 'accept' | 'object') => {
    const { claim } = await done(
      api.call<AssetToClaim>('POST', `/api/assets/${asset.id}/share/${shareId}/claim/`, { as: mira }),
    );
    const token = claim.link.replace(/^.*\//, '');
    await done(api.call('POST', `/api/claims/${token}/`, { as: ben, body: { charges } }));
  };

  it('is confirmed at once, and goes to the member they become', async () => {
    const shareId = await addGrandma();
    const deposit = await done(record(mira, { username }));
    expect(deposit).toMatchObject({ username, status: 'held', account_deleted: false, recorded_by: 'mira' });
    const returned = await done(record(mira, { username, amount: 7 }));
    expect(await done(act(mira, returned, 'return'))).toMatchObject({ status: 'returned', returned_by: 'mira' });
    await becomeBen(shareId, 'accept');
    expect(await list(ben)).toMatchObject([
      { amount: 7, status: 'returned' },
      { id: deposit.id, username: 'mira', direction: 'they_hold', status: 'held', can: { give_back: true } },
    ]);
    expect(await list(mira)).toMatchObject([{ username: 'ben' }, { username: 'ben' }]);
  });

  it('stays with the person if the member they become objects to what was recorded', async () => {
    const shareId = await addGrandma();
    await done(record(mira, { username }));
    await becomeBen(shareId, 'object');
    expect(await list(ben)).toEqual([]);
    expect(await list(mira)).toMatchObject([{ username, status: 'held' }]);
  });

  it.each([true, false])('stays with the one who is left, who acts alone (name kept: %s)', async (keepName) => {
    const deposit = await held();
    const open = await done(record(mira, { amount: 7 }));
    await deleteAccount(ana, keepName);
    const username = keepName ? 'ana' : `Deleted user ${ana.user.id}`;
    const other = { username, account_deleted: true, hue: null };
    expect(await list(mira)).toMatchObject([
      { ...other, status: 'recorded', can: { confirm: true, withdraw: true } },
      { ...other, status: 'held', recorded_by: username },
    ]);
    expect(await done(act(mira, open, 'confirm'))).toMatchObject({ status: 'held' });
    expect(await done(act(mira, deposit, 'return'))).toMatchObject({ status: 'returned' });
    // Of a deleted account, whose share has gone to its stand-in.
    expect(await done(record(mira, { username }))).toMatchObject({ ...other, status: 'held' });
  });

  it('keeps the name of a holder who is gone, even if that is all that is left of them', async () => {
    const deposit = await held();
    await done(api.call('DELETE', `/api/assets/${asset.id}/?bill=nothing`, { as: mira }));
    await deleteAccount(mira, true);
    expect(await list(ana)).toMatchObject([{ id: deposit.id, held_by: 'mira', account_deleted: true, asset_id: null }]);
    expect(
      (
        await api.call('POST', '/api/register/', {
          body: { username: 'mira', email: 'new@example.org', password: TEST_PASSWORD },
        })
      ).status,
    ).toBe(400);
  });
});

it('is never offset: balances and statements are the same before and after', async () => {
  await api.billedAsset(mira, ana, '2026-02');
  const read = async () =>
    Promise.all(
      [mira, ana].flatMap((as) =>
        ['/api/balances/', '/api/settlements/', '/api/statements/'].map(
          async (path) => (await api.call('GET', path, { as })).text,
        ),
      ),
    );
  const before = await read();
  expect(before[0]).toContain('"they_owe":');
  const deposit = await held();
  expect(await read()).toEqual(before);
  await done(act(ana, deposit, 'return'));
  await done(act(mira, deposit, 'confirm'));
  expect(await read()).toEqual(before);
});

it('is told to the other person, and what it asked is gone once it is settled', async () => {
  const told = async (as: SignedIn) => {
    await dispatchWaiting(api.deps);
    api.clock.advance(1000);
    const { results } = await done(api.call<NoticeList>('GET', '/api/notifications/', { as }));
    return results
      .filter(({ kind }) => kind.startsWith('payment_'))
      .map(({ text, detail, path }) => ({ text, detail, path }));
  };
  const of = (text: string) => ({ text, detail: 'Boat', path: '/costs' });
  const deposit = await done(record(ana));
  expect(await told(mira)).toEqual([of('ana recorded a deposit of $50.00: please confirm it')]);
  await done(act(mira, deposit, 'confirm'));
  expect(await told(mira)).toEqual([]);
  await done(act(mira, deposit, 'return'));
  const confirmed = of('mira confirmed a deposit of $50.00');
  expect(await told(ana)).toEqual([
    of('mira recorded that a deposit of $50.00 was given back: please confirm it'),
    confirmed,
  ]);
  await done(withdraw(ana, deposit));
  expect(await told(ana)).toEqual([confirmed]);
  expect(await told(mira)).toEqual([of('ana says your entry about a deposit of $50.00 is wrong')]);
  await done(act(mira, deposit, 'return'));
  expect(await told(ana)).toHaveLength(2);
  await done(act(ana, deposit, 'confirm'));
  expect((await told(mira))[0]).toEqual(of('ana confirmed that a deposit of $50.00 was given back'));
  expect(await told(ana)).toEqual([confirmed]);
});
