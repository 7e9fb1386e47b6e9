import type { SignedIn } from '@hourshare/contract/sign-ins';
import type { OwnedAsset } from '@hourshare/contract/assets';
import { OPEN_OFFERS_BY_OWNER_MAX, OPEN_OFFERS_MAX } from '@hourshare/contract/limits';
import type { SharedAsset, TrustedOwner } from '@hourshare/contract/shares';
import type { Statement } from '@hourshare/contract/statements';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openTestApi, type Answer, type TestApi } from '../../testing/api.ts';
import { recordAssets } from '../../testing/records.ts';
import { raceRounds } from '../../testing/thorough.ts';
import { removeAllDeletedAssets } from '../assets/service.ts';
import { endExpiredOffers } from './offers/service.ts';

let api: TestApi;
let owner: SignedIn;
let member: SignedIn;
beforeAll(async () => {
  api = await openTestApi();
});
beforeEach(async () => {
  await api.reset();
  owner = await api.register('mira');
  member = await api.register('ben');
});
afterAll(() => api.close());

const DAY = 86_400_000;
const EVEN = { subscription_cost: 10, split_method: 'equal' };

const act = (action: string, { id }: { id: number }, body: object = {}, as = member) =>
  api.call<SharedAsset>('POST', `/api/shared-assets/${id}/${action}/`, { as, body });
const listed = async (as = member) =>
  (await api.call<{ results: SharedAsset[] }>('GET', '/api/shared-assets/', { as })).body.results;
const entries = async ({ id }: { id: number }) =>
  (await api.call<OwnedAsset>('GET', `/api/assets/${id}/`, { as: owner })).body.shared_with;
const shareWith = ({ id }: { id: number }, hours = 20) =>
  api.call('POST', `/api/assets/${id}/share/`, {
    as: owner,
    body: { username: 'ben', monthly_hours_allocated: hours },
  });
const withdraw = (asset: { id: number }, { id }: { id: number }) =>
  api.call('DELETE', `/api/assets/${asset.id}/share/${id}/`, { as: owner });
const namesOnBill = async ({ id }: { id: number }, month = '2026-03') =>
  (await api.call<Statement>('GET', `/api/assets/${id}/statements/${month}/`, { as: owner })).body.lines.map(
    ({ username, days, amount }) => [username, days, amount],
  );

describe('an offer', () => {
  // A stranger shared 150 assets at $9,999,999.99, split evenly: 375 million owed, with no way to refuse.
  it('costs nothing until it is accepted, and then from that day', async () => {
    const asset = await api.addAsset(owner, EVEN);
    const offer = await api.offer(owner, asset, member);
    expect(await namesOnBill(asset)).toEqual([['mira', 0, 10]]);
    const statements = await api.call('GET', `/api/assets/${asset.id}/statements/`, { as: member });
    expect(statements.status).toBe(404);
    api.clock.now = new Date('2026-03-22T09:00:00Z');
    expect(await act('accept', offer)).toMatchObject({ status: 200, body: { status: 'accepted', offer: null } });
    // 10 of 31 days of one of two places.
    expect(await namesOnBill(asset)).toEqual([
      ['mira', 0, 8.39],
      ['ben', 10, 1.61],
    ]);
    expect(await entries(asset)).toMatchObject([{ pending: false, expires_at: null }]);
    expect(await act('accept', offer)).toMatchObject({ status: 200, body: { status: 'accepted' } });
  });

  it('says what it asks for, and answers what a share answers', async () => {
    const asset = await api.addAsset(owner, EVEN);
    const offer = await api.offer(owner, asset, member, 30);
    expect(await listed()).toMatchObject([
      {
        id: offer.id,
        status: 'offered',
        monthly_hours_allocated: 30,
        current_usage: 0,
        offer: {
          price: 10,
          currency: 'USD',
          split_method: 'equal',
          members: 0,
          expires_at: '2026-03-24T12:00:00.000Z',
        },
      },
    ]);
    const read = async (path: string) =>
      (await api.call('GET', `/api/shared-assets/${offer.id}/${path}`, { as: member })).status;
    expect(await Promise.all(['', 'logs/', 'analytics/', 'active-session/'].map(read))).toEqual([200, 200, 200, 204]);
    expect(await act('end', offer)).toMatchObject({ status: 400, body: { code: 'no_active_session' } });
    expect(await entries(asset)).toMatchObject([
      { shared_with_username: 'ben', monthly_hours_allocated: 30, pending: true, usage_this_month: 0 },
    ]);
  });

  it('is accepted by starting a session', async () => {
    const asset = await api.addAsset(owner, EVEN);
    const offer = await api.offer(owner, asset, member);
    expect((await act('start', offer)).status).toBe(201);
    expect(await listed()).toMatchObject([{ status: 'accepted', active_session: true, offer: null }]);
    expect(await namesOnBill(asset)).toMatchObject([{ 0: 'mira' }, { 0: 'ben', 1: 22 }]);
  });

  it('can be declined once, and made again', async () => {
    const asset = await api.addAsset(owner);
    const offer = await api.offer(owner, asset, member);
    expect((await act('decline', offer)).status).toBe(204);
    expect([await listed(), await entries(asset)]).toEqual([[], []]);
    for (const action of ['decline', 'accept', 'start', 'leave'])
      expect([action, (await act(action, offer)).status]).toEqual([action, 404]);
    expect((await shareWith(asset)).status).toBe(201);
  });

  it('cannot be declined once it is accepted', async () => {
    const share = await api.share(owner, await api.addAsset(owner), member);
    expect(await act('decline', share)).toMatchObject({ status: 400, body: { code: 'offer_accepted' } });
  });

  it('can be withdrawn, and its hours changed, by the owner', async () => {
    const asset = await api.addAsset(owner);
    const offer = await api.offer(owner, asset, member);
    const path = `/api/assets/${asset.id}/share/${offer.id}/`;
    await api.call('PATCH', path, { as: owner, body: { monthly_hours_allocated: 44 } });
    expect(await listed()).toMatchObject([{ monthly_hours_allocated: 44, status: 'offered' }]);
    expect(await withdraw(asset, offer)).toMatchObject({ status: 200, body: { shared_with: [] } });
    expect((await act('accept', offer)).status).toBe(404);
  });

  const CHANGED = { status: 409, body: { code: 'offer_changed' } };
  const change = (asset: { id: number }, body: object) =>
    api.call('PATCH', `/api/assets/${asset.id}/`, { as: owner, body });

  it('shows what all of it costs, counting only members who are in', async () => {
    const asset = await api.addAsset(owner, { subscription_cost: 20, owner_hours: 20 });
    const zoe = await api.register('zoe');
    await api.offer(owner, asset, zoe, 60);
    const offer = await api.offer(owner, asset, member, 20);
    expect(offer).toMatchObject({ terms: { price: 20, total_hours: 40, monthly_hours: 20 }, cost_of_all: 10 });
  });

  // The owner raises the price while the other side reads the offer.
  it.each([
    ['price', {}, { subscription_cost: 11 }, { subscription_cost: 9 }],
    ['price, split evenly', EVEN, { subscription_cost: 11 }, { subscription_cost: 9 }],
    ['hours reserved', { owner_hours: 20 }, { owner_hours: 0 }, { owner_hours: 40 }],
    ['method', {}, { split_method: 'equal' }, {}],
    ['currency', {}, { currency: 'EUR' }, {}],
  ])('is accepted if it costs less than was seen, not if it costs more: %s', async (_, before, raised, cheaper) => {
    const asset = await api.addAsset(owner, { subscription_cost: 10, ...before });
    const { terms, ...offer } = await api.offer(owner, asset, member);
    await change(asset, raised);
    expect(await act('accept', offer, { terms })).toMatchObject(CHANGED);
    expect(await act('start', offer)).toMatchObject(CHANGED);
    expect(await act('start', offer, { agrees: terms })).toMatchObject(CHANGED);
    expect(await listed()).toMatchObject([{ status: 'offered', agreed: null }]);
    await change(asset, { subscription_cost: 10, currency: 'USD', split_method: 'usage', ...before, ...cheaper });
    expect(await act('accept', offer, { terms })).toMatchObject({ status: 200, body: { status: 'accepted' } });
    expect(await listed()).toMatchObject([{ asked: false }]);
  });

  it('is compared with single fields of older clients in the same way', async () => {
    const asset = await api.addAsset(owner, EVEN);
    const offer = await api.offer(owner, asset, member);
    const split = { split_method: 'equal', base_percent: 0, owner_hours: 0 };
    const seen = { monthly_hours_allocated: 20, price: 10, currency: 'USD', ...split };
    for (const raised of [{ subscription_cost: 10.01 }, { currency: 'EUR', subscription_cost: 9 }]) {
      await change(asset, raised);
      expect(await act('accept', offer, seen)).toMatchObject(CHANGED);
    }
    expect(await act('accept', offer, { ...seen, split_method: 'usage', currency: 'EUR' })).toMatchObject(CHANGED);
    expect((await act('accept', offer, { ...seen, currency: 'EUR' })).status).toBe(200);
  });

  it('is not accepted if more hours cost more than was seen', async () => {
    const asset = await api.addAsset(owner, { ...EVEN, split_method: 'allocation' });
    const offer = await api.offer(owner, asset, member);
    const seen = { monthly_hours_allocated: 20 };
    const path = `/api/assets/${asset.id}/share/${offer.id}/`;
    await api.call('PATCH', path, { as: owner, body: { monthly_hours_allocated: 21 } });
    expect(await act('accept', offer, seen)).toMatchObject(CHANGED);
    expect(await act('accept', offer, { terms: offer.terms })).toMatchObject(CHANGED);
    expect((await act('accept', offer, { monthly_hours_allocated: 21 })).status).toBe(200);
  });

  it('shows what later months cost and how they are split, and is not accepted if that costs more than was seen', async () => {
    const asset = await api.addAsset(owner, EVEN);
    await api.share(owner, asset, await api.register('zoe'));
    const offer = await api.offer(owner, asset, member);
    expect(offer).toMatchObject({ next_terms: null, offer: { next_price: null } });
    const price = { from_month: '2026-04', subscription_cost: 9_999_999.99 };
    await api.call('POST', `/api/assets/${asset.id}/prices/`, { as: owner, body: price });
    expect(await act('accept', offer, { price: 10, next_price: null })).toMatchObject(CHANGED);
    expect(await act('accept', offer, { next_price: { from_month: '2026-05', price: 9_999_999.99 } })).toMatchObject(
      CHANGED,
    );
    await change(asset, { split_method: 'allocation' });
    expect(await act('accept', offer, { split_method: 'equal', next_terms: null })).toMatchObject(CHANGED);
    const [shown] = await listed();
    const seen = { next_terms: shown?.next_terms, next_price: shown?.offer?.next_price };
    expect(seen).toMatchObject({
      next_terms: { from_month: '2026-04', split_method: 'allocation' },
      next_price: { from_month: '2026-04', price: 9_999_999.99 },
    });
    await api.call('POST', `/api/assets/${asset.id}/prices/`, { as: owner, body: { ...price, subscription_cost: 12 } });
    expect((await act('accept', offer, seen)).status).toBe(200);
    const statement = await api.call<Statement>('GET', `/api/assets/${asset.id}/statements/2026-03/`, { as: member });
    expect(statement.body).toMatchObject({ price: 10, next_price: { from_month: '2026-04', price: 12 } });
  });

  it('is not accepted by a start that was pressed offline', async () => {
    const offer = await api.offer(owner, await api.addAsset(owner), member);
    const at = api.clock.now.toISOString();
    api.clock.advance(60_000);
    const late = await act('late-start', offer, { at, client_time: api.clock.now.toISOString() });
    expect(late.status).toBe(404);
    expect(await listed()).toMatchObject([{ status: 'offered' }]);
  });

  it('expires after 14 days, for its reader at once, and then another can be made', async () => {
    const asset = await api.addAsset(owner);
    const offer = await api.offer(owner, asset, member);
    api.clock.advance(14 * DAY - 1);
    expect(await listed()).toHaveLength(1);
    api.clock.advance(1);
    expect([await listed(), await entries(asset)]).toEqual([[], []]);
    for (const action of ['accept', 'decline', 'start', 'leave'])
      expect([action, (await act(action, offer)).status]).toEqual([action, 404]);
    expect((await withdraw(asset, offer)).status).toBe(404);
    expect((await shareWith(asset)).status).toBe(201);
    api.clock.advance(20 * DAY);
    await endExpiredOffers(api.deps);
    const ended = api.deps.db.selectFrom('shares').select('ended_at').orderBy('id');
    expect(await ended.execute()).toEqual([
      { ended_at: new Date('2026-03-24T12:00:00Z') },
      { ended_at: new Date('2026-04-07T12:00:00Z') },
    ]);
  });

  it('is one of three that an owner can make to someone in 24 hours, withdrawn, of a deleted asset, or open, except accepted ones', async () => {
    const limited = await openTestApi({ RATE_LIMIT: 'on' });
    const [mira, ben, zoe] = [
      await limited.register('mira'),
      await limited.register('ben'),
      await limited.register('zoe'),
    ];
    const add = () => limited.addAsset(mira);
    const [first, second, third, fourth, gone] = [await add(), await add(), await add(), await add(), await add()];
    const offer = (asset: { id: number }) =>
      limited.call('POST', `/api/assets/${asset.id}/share/`, {
        as: mira,
        body: { username: 'ben', monthly_hours_allocated: 5 },
      });
    const refused = { status: 400, body: { code: 'too_many_offers_today' } };
    for (const asset of [first, second]) {
      const { id } = await limited.offer(mira, asset, ben);
      await limited.call('DELETE', `/api/assets/${asset.id}/share/${id}/`, { as: mira });
    }
    await limited.offer(mira, gone, ben);
    await limited.call('DELETE', `/api/assets/${gone.id}/`, { as: mira });
    const isKept = async () => {
      await removeAllDeletedAssets(limited.deps);
      return (await limited.deps.db.selectFrom('assets').select('id').where('id', '=', gone.id).execute()).length > 0;
    };
    for (const asset of [first, fourth]) expect(await offer(asset)).toMatchObject(refused);
    // Others aren't affected, nor is this owner with other people.
    await limited.offer(zoe, await limited.addAsset(zoe), ben);
    await limited.offer(mira, first, zoe);
    limited.clock.advance(DAY - 1);
    expect(await offer(fourth)).toMatchObject(refused);
    expect(await isKept()).toBe(true);
    limited.clock.advance(1);
    expect(await isKept()).toBe(false);
    for (const asset of [first, second, third]) await limited.share(mira, asset, ben);
    expect((await offer(fourth)).status).toBe(201);
    await limited.close();
  });

  it('is one of a limited number, from one owner and from all', async () => {
    const assets = await recordAssets(
      api.deps.db,
      Array.from({ length: OPEN_OFFERS_BY_OWNER_MAX + 1 }, () => ({
        owner_id: owner.user.id,
        created_at: api.clock.now,
      })),
      api.clock.now,
    );
    for (const id of assets.slice(1)) expect((await shareWith({ id })).status).toBe(201);
    const last = { id: assets[0] ?? 0 };
    expect(await shareWith(last)).toMatchObject({ status: 400, body: { code: 'too_many_offers' } });
    expect(await shareWith({ id: assets[1] ?? 0 })).toMatchObject({ body: { code: 'already_shared' } });
    const [first] = await listed();
    if (first) await act('decline', first);
    expect((await shareWith(last)).status).toBe(201);

    // The other owners' offers, up to the limit for all.
    const others = await recordAssets(
      api.deps.db,
      Array.from({ length: OPEN_OFFERS_MAX - OPEN_OFFERS_BY_OWNER_MAX }, () => ({
        owner_id: member.user.id,
        created_at: api.clock.now,
      })),
      api.clock.now,
    );
    const zoe = await api.register('zoe');
    await api.deps.db.updateTable('assets').set({ owner_id: zoe.user.id }).where('id', 'in', others).execute();
    const toMember = { member_id: member.user.id, monthly_hours_allocated: 1, created_at: api.clock.now };
    await api.deps.db
      .insertInto('shares')
      .values(others.map((asset_id) => ({ ...toMember, asset_id })))
      .execute();
    const ida = await api.register('ida');
    const { id } = await api.addAsset(ida);
    const body = { username: 'ben', monthly_hours_allocated: 5 };
    expect(await api.call('POST', `/api/assets/${id}/share/`, { as: ida, body })).toMatchObject({
      body: { code: 'too_many_offers' },
    });
  });
});

describe('leaving', () => {
  it('ends the session and the share, and what was used stays charged', async () => {
    const asset = await api.addAsset(owner, EVEN);
    const share = await api.share(owner, asset, member);
    await act('start', share);
    api.clock.advance(2 * 3_600_000);
    expect((await act('leave', share)).status).toBe(204);
    expect([await listed(), await entries(asset)]).toEqual([[], []]);
    const sessions = await api.call<{ results: { duration: number }[] }>('GET', `/api/assets/${asset.id}/sessions/`, {
      as: owner,
    });
    expect(sessions.body.results).toMatchObject([{ duration: 120 }]);
    expect(await namesOnBill(asset)).toMatchObject([{ 0: 'mira' }, { 0: 'ben', 1: 1 }]);
    expect((await act('leave', share)).status).toBe(404);
    expect((await act('start', share)).status).toBe(404);
  });

  it('is also a way to decline', async () => {
    const offer = await api.offer(owner, await api.addAsset(owner), member);
    expect((await act('leave', offer)).status).toBe(204);
    expect(await listed()).toEqual([]);
  });

  it('is not possible for anyone else', async () => {
    const share = await api.share(owner, await api.addAsset(owner), member);
    for (const action of ['leave', 'decline', 'accept']) expect((await act(action, share, {}, owner)).status).toBe(404);
    expect(await listed()).toHaveLength(1);
  });
});

describe('an owner blocked by the member', () => {
  const block = (offers = 'refuse') =>
    api.call<TrustedOwner>('POST', '/api/trusted-owners/', {
      as: member,
      body: { username: 'mira', offers, ...(offers === 'accept' && { monthly_amount: 1000, currency: 'USD' }) },
    });

  it('can offer nothing, also as a co-manager, until the member changes that', async () => {
    const [asset, other] = [await api.addAsset(owner), await api.addAsset(owner)];
    const offer = await api.offer(owner, asset, member);
    const share = await api.share(owner, other, member);
    expect(await block()).toMatchObject({ status: 201, body: { username: 'mira', offers: 'refuse' } });
    // Open offers end; access that was accepted stays.
    expect(await listed()).toMatchObject([{ id: share.id, status: 'accepted' }]);
    expect((await act('accept', offer)).status).toBe(404);
    const refused = { status: 400, body: { code: 'offers_refused' } };
    expect(await shareWith(asset)).toMatchObject(refused);

    const zoe = await api.register('zoe');
    const ofZoe = await api.addAsset(zoe);
    const { id } = await api.share(zoe, ofZoe, owner);
    await api.call('PATCH', `/api/assets/${ofZoe.id}/share/${id}/`, { as: zoe, body: { manager: true } });
    expect(await shareWith(ofZoe)).toMatchObject(refused);
    await api.offer(zoe, ofZoe, member);

    expect((await api.call('DELETE', '/api/trusted-owners/mira/', { as: member })).status).toBe(204);
    expect((await shareWith(asset)).status).toBe(201);
  });

  it('is either blocked or trusted, whichever the member chose last', async () => {
    const asset = await api.addAsset(owner);
    await block('accept');
    expect(await block()).toMatchObject({ body: { offers: 'refuse' } });
    expect(await shareWith(asset)).toMatchObject({ body: { code: 'offers_refused' } });
    api.clock.advance(1000);
    expect(await block()).toMatchObject({ body: { since: '2026-03-10T12:00:00.000Z' } });
    expect(await block('accept')).toMatchObject({ body: { since: '2026-03-10T12:00:01.000Z' } });
    expect((await shareWith(asset)).status).toBe(201);
    expect(await listed()).toMatchObject([{ status: 'accepted' }]);
    expect((await block('sometimes')).status).toBe(400);
  });
});

describe('an owner trusted by the member', () => {
  const LIMIT = { monthly_amount: 5, currency: 'USD' };
  const trust = (username: string, limit: object = LIMIT) =>
    api.call<TrustedOwner>('POST', '/api/trusted-owners/', { as: member, body: { username, ...limit } });
  const trusted = async () =>
    (await api.call<{ results: TrustedOwner[] }>('GET', '/api/trusted-owners/', { as: member })).body.results;

  it('shares without asking, until the member wants to be asked again', async () => {
    expect(await trust('MIRA')).toMatchObject({ status: 201, body: { username: 'mira' } });
    const since = '2026-03-10T12:00:00.000Z';
    expect(await trusted()).toEqual([{ username: 'mira', offers: 'accept', ...LIMIT, since }]);
    await shareWith(await api.addAsset(owner, EVEN));
    expect(await listed()).toMatchObject([{ status: 'accepted', offer: null }]);
    const remove = () => api.call('DELETE', '/api/trusted-owners/mira/', { as: member });
    expect([(await remove()).status, (await remove()).status]).toEqual([204, 404]);
    await shareWith(await api.addAsset(owner, EVEN));
    expect((await listed()).map(({ status }) => status)).toEqual(['accepted', 'offered']);
  });

  it('shares without asking only what costs at most an amount, in its currency', async () => {
    await trust('mira');
    const evenly = (cost: number, currency = 'USD') =>
      api.addAsset(owner, { ...EVEN, subscription_cost: cost, currency });
    for (const asset of [await evenly(10), await evenly(10.01), await evenly(1, 'EUR')]) await shareWith(asset);
    expect((await listed()).map(({ status, cost_of_all: cost }) => [status, cost])).toEqual([
      ['accepted', 5],
      ['offered', 5.01],
      ['offered', 0.5],
    ]);
    // So do extra costs that they would bear without being asked.
    await shareWith(await api.addAsset(owner, { ...EVEN, subscription_cost: 8, extra_cost_limit: 1 }));
    await shareWith(await api.addAsset(owner, { ...EVEN, subscription_cost: 8, extra_cost_limit: 1.01 }));
    expect((await listed()).slice(-2).map(({ status }) => status)).toEqual(['accepted', 'offered']);
    const more = { monthly_amount: 5.01, currency: 'USD' };
    expect(await trust('mira', more)).toMatchObject({ status: 201, body: more });
    await shareWith(await evenly(10.01));
    expect((await listed()).at(-1)).toMatchObject({ status: 'accepted', cost_of_all: 5.01 });
  });

  it.each([
    {},
    { monthly_amount: 5 },
    { currency: 'USD' },
    { monthly_amount: 0, currency: 'USD' },
    { monthly_amount: 5.001, currency: 'USD' },
    { monthly_amount: '5', currency: 'USD' },
    { monthly_amount: 5, currency: 'usd' },
    { monthly_amount: 5, currency: 'USD', offers: 'refuse' },
    { currency: 'USD', offers: 'refuse' },
  ])('has an amount that its currency has, and if refused none: %j', async (limit) => {
    expect((await trust('mira', limit)).status).toBe(400);
  });

  it('is someone else, and exists', async () => {
    expect(await trust('ben')).toMatchObject({ status: 400, body: { fields: { username: [expect.any(String)] } } });
    expect(await trust('nobody')).toMatchObject({ status: 404, body: { error: 'User "nobody" not found' } });
    expect(await trusted()).toEqual([]);
  });
});

it('with SHARE_CONSENT=off, sharing gives access at once', async () => {
  const lenient = await openTestApi({ SHARE_CONSENT: 'off' });
  try {
    const [mira, ben] = [await lenient.register('mira'), await lenient.register('ben')];
    expect(await lenient.offer(mira, await lenient.addAsset(mira), ben)).toMatchObject({
      status: 'accepted',
      offer: null,
    });
  } finally {
    await lenient.close();
  }
});

describe('at the same time', () => {
  const ROUNDS = raceRounds(20).length;
  /** Of one call at once, in every run: fewer would meet less often. */
  const CALLS = 20;
  const outcomes = (answers: Answer[]) => answers.map(({ status }) => status);

  it('an offer is either accepted or withdrawn, and then ended', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const asset = await api.addAsset(owner, EVEN);
      const offer = await api.offer(owner, asset, member);
      const answers = await Promise.all([
        act(round % 2 ? 'accept' : 'start', offer),
        withdraw(asset, offer),
        act('decline', offer),
      ]);
      for (const status of outcomes(answers)) expect([200, 201, 204, 400, 404]).toContain(status);
      // Withdrawing ends an accepted share as well.
      expect(await entries(asset)).toEqual([]);
      const share = await api.deps.db
        .selectFrom('shares')
        .selectAll()
        .where('id', '=', offer.id)
        .executeTakeFirstOrThrow();
      const allowances = await api.deps.db
        .selectFrom('allowances')
        .selectAll()
        .where('share_id', '=', offer.id)
        .execute();
      expect([share.ended_at !== null, allowances.length]).toEqual([true, share.accepted_at === null ? 0 : 1]);
      expect(share.accepted_at !== null).toBe([200, 201].includes(answers[0].status));
    }
    const running = api.deps.db.selectFrom('sessions').select('id').where('ended_at', 'is', null);
    expect(await running.execute()).toEqual([]);
  });

  it('an offer is either accepted at the price that was seen, or not at all', async () => {
    await api.call('POST', '/api/trusted-owners/', {
      as: await api.register('zoe'),
      body: { username: 'mira', monthly_amount: 5, currency: 'USD' },
    });
    for (let round = 0; round < ROUNDS; round++) {
      const asset = await api.addAsset(owner, EVEN);
      const { id, terms } = await api.offer(owner, asset, member);
      const body = { username: 'zoe', monthly_hours_allocated: 20 };
      const raise = { subscription_cost: 5000 };
      const [accepted] = await Promise.all([
        act('accept', { id }, { terms }),
        api.call('POST', `/api/assets/${asset.id}/share/`, { as: owner, body }),
        api.call('PATCH', `/api/assets/${asset.id}/`, { as: owner, body: raise }),
      ]);
      expect([200, 409]).toContain(accepted.status);
      const yeses = await api.deps.db
        .selectFrom('agreements')
        .innerJoin('shares', 'shares.id', 'agreements.share_id')
        .select('price_cents')
        .where('asset_id', '=', asset.id)
        .where('agreed_at', 'is not', null)
        .execute();
      for (const yes of yeses) expect(yes).toEqual({ price_cents: 1000 });
      const share = await api.call<SharedAsset>('GET', `/api/shared-assets/${id}/`, { as: member });
      expect(share.body.status).toBe(accepted.status === 200 ? 'accepted' : 'offered');
    }
  });

  it('an offer is either accepted or expired', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const asset = await api.addAsset(owner);
      const offer = await api.offer(owner, asset, member);
      const made = api.clock.now;
      api.clock.now = new Date(made.getTime() + 14 * DAY - (round % 2));
      const [accepted] = await Promise.all([act('accept', offer), endExpiredOffers(api.deps), shareWith(asset)]);
      const share = await api.deps.db
        .selectFrom('shares')
        .selectAll()
        .where('id', '=', offer.id)
        .executeTakeFirstOrThrow();
      expect([accepted.status, share.accepted_at !== null, share.ended_at === null]).toEqual(
        round % 2 ? [200, true, true] : [404, false, false],
      );
      await withdraw(asset, (await entries(asset))[0] ?? offer);
      api.clock.now = made;
    }
  });

  it('only one of several offers of an asset is made', async () => {
    const asset = await api.addAsset(owner);
    const answers = await Promise.all(Array.from({ length: CALLS }, () => shareWith(asset)));
    expect(outcomes(answers).filter((status) => status === 201)).toHaveLength(1);
    const [offer] = await listed();
    const accepts = await Promise.all(Array.from({ length: CALLS }, () => act('accept', offer ?? { id: 0 })));
    expect(new Set(outcomes(accepts))).toEqual(new Set([200]));
    expect(await api.deps.db.selectFrom('allowances').selectAll().execute()).toHaveLength(1);
  });
});
