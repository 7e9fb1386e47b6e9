import type { SignedIn } from '@hourshare/contract/sign-ins';
import type { OwnedAsset } from '@hourshare/contract/assets';
import type { Claim, InvitedAsset, SharedAsset } from '@hourshare/contract/shares';
import type { Statement } from '@hourshare/contract/statements';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openTestApi, type TestApi } from '../../../testing/api.ts';
import { endExpiredOffers } from '../offers/service.ts';
import { updateAccess } from './service.ts';

let api: TestApi;
let owner: SignedIn;
let member: SignedIn;
let asset: OwnedAsset;
beforeAll(async () => {
  api = await openTestApi();
});
beforeEach(async () => {
  await api.reset();
  api.clock.now = new Date('2026-03-27T12:00:00Z');
  owner = await api.register('mira');
  member = await api.register('ben');
  asset = await api.addAsset(owner, { subscription_cost: 10, split_method: 'equal' });
});
afterAll(() => api.close());

const APRIL = '2026-04-01T00:00:00.000Z';
const STARTS = { starts_on: '2026-04-01' };

const offer = (body: object = STARTS, to = asset) =>
  api.call<OwnedAsset>('POST', `/api/assets/${to.id}/share/`, {
    as: owner,
    body: { username: 'ben', monthly_hours_allocated: 20, ...body },
  });
const act = (action: string, { id }: { id: number }, body: object = {}, as = member) =>
  api.call<SharedAsset>('POST', `/api/shared-assets/${id}/${action}/`, { as, body });
const listed = async (as = member) =>
  (await api.call<{ results: SharedAsset[] }>('GET', '/api/shared-assets/', { as })).body.results;
const entries = async () =>
  (await api.call<OwnedAsset>('GET', `/api/assets/${asset.id}/`, { as: owner })).body.shared_with;
const change = (body: object) => api.call('PATCH', `/api/assets/${asset.id}/`, { as: owner, body });
const withdraw = ({ id }: { id: number }) =>
  api.call<OwnedAsset>('DELETE', `/api/assets/${asset.id}/share/${id}/`, { as: owner });
const bill = async (month: string) =>
  (await api.call<Statement>('GET', `/api/assets/${asset.id}/statements/${month}/`, { as: owner })).body.lines.map(
    ({ username, days, amount }) => [username, days, amount],
  );

/** Offers access from April on, and returns the offer. */
async function offered(): Promise<SharedAsset> {
  await offer();
  const [made] = await listed();
  if (!made) throw new Error("The member can't see the offer.");
  return made;
}

async function promised(): Promise<SharedAsset> {
  return (await act('accept', await offered())).body;
}

describe('an offer that starts with the next month', () => {
  it.each(['2026-03-27', '2026-03-01', '2026-04-02', '2026-05-01', '2026-4-1', '', 1, null])(
    "can't start on %j",
    async (day) => {
      const wrong = { status: 400, body: { fields: { starts_on: [expect.any(String)] } } };
      expect(await offer({ starts_on: day })).toMatchObject(wrong);
      const body = { monthly_hours_allocated: 5, starts_on: day };
      for (const [path, more] of [
        ['invitations', {}],
        ['people', { name: 'Oma' }],
      ] as const)
        expect(
          await api.call('POST', `/api/assets/${asset.id}/${path}/`, { as: owner, body: { ...body, ...more } }),
        ).toMatchObject(wrong);
      expect(await entries()).toEqual([]);
    },
  );

  it("starts on the first of the asset's next month, wherever its people are", async () => {
    const far = await api.addAsset(owner, { time_zone: 'Pacific/Kiritimati' });
    api.clock.now = new Date('2026-03-31T11:00:00Z');
    expect((await offer(STARTS, far)).status).toBe(400);
    expect((await offer({ starts_on: '2026-05-01' }, far)).status).toBe(201);
    expect((await offer()).status).toBe(201);
  });

  it('shows what that month costs', async () => {
    const april = { from_month: '2026-04', subscription_cost: 30 };
    await api.call('POST', `/api/assets/${asset.id}/prices/`, { as: owner, body: april });
    await api.share(owner, asset, await api.register('zoe'));
    expect(await offered()).toMatchObject({
      status: 'offered',
      accepted: false,
      ...STARTS,
      terms: { price: 30, places: 3 },
      cost_of_all: 10,
      offer: { price: 30, next_price: null },
    });
    expect(await entries()).toMatchObject([{}, { pending: true, accepted: false, ...STARTS }]);
  });

  it('keeps the yes, and gives access exactly when the month begins', async () => {
    const { terms, id } = await offered();
    const kept = { status: 'offered', accepted: true, ...STARTS, agreed: null };
    expect(await act('accept', { id }, { terms })).toMatchObject({ status: 200, body: kept });
    expect(await act('accept', { id })).toMatchObject({ status: 200, body: kept });
    expect(await entries()).toMatchObject([{ id, pending: true, accepted: true, ...STARTS, expires_at: null }]);
    const later = { status: 400, body: { code: 'access_later' } };
    for (const body of [{}, { agrees: terms }]) expect(await act('start', { id }, body)).toMatchObject(later);
    expect(await bill('2026-03')).toEqual([['mira', 0, 10]]);

    api.clock.now = new Date(Date.parse(APRIL) - 1);
    expect(await listed()).toMatchObject([kept]);
    api.clock.now = new Date('2026-04-16T12:00:00Z');
    expect(await listed()).toMatchObject([
      { status: 'accepted', accepted: true, starts_on: null, offer: null, agreed: terms, asked: false },
    ]);
    const share = await api.deps.db.selectFrom('shares').select('accepted_at').executeTakeFirstOrThrow();
    expect(share.accepted_at).toEqual(new Date(APRIL));
    expect((await act('start', { id })).status).toBe(201);
    expect(await bill('2026-03')).toEqual([['mira', 0, 10]]);
    expect(await bill('2026-04')).toEqual([
      ['mira', 0, 5],
      ['ben', 30, 5],
    ]);
  });

  it('limits that month to what was said yes to', async () => {
    const { terms } = await promised();
    await change({ subscription_cost: 1000 });
    api.clock.now = new Date('2026-04-30T12:00:00Z');
    expect(await listed()).toMatchObject([{ agreed: terms, asked: true }]);
    expect(await bill('2026-04')).toEqual([
      ['mira', 0, 995],
      ['ben', 30, 5],
    ]);
  });

  it('begins by the schedule, before months close, and only once', async () => {
    await promised();
    api.clock.now = new Date('2026-05-10T00:00:00Z');
    expect(await updateAccess(api.deps)).toBe(true);
    expect(await updateAccess(api.deps)).toBe(true);
    expect(await api.deps.db.selectFrom('allowances').select(['since', 'agreed_hours']).execute()).toEqual([
      { since: new Date(APRIL), agreed_hours: 20 },
    ]);
  });

  it('begins at once if it is accepted after that day', async () => {
    const { id } = await offered();
    api.clock.now = new Date('2026-04-03T12:00:00Z');
    expect(await listed()).toMatchObject([{ starts_on: null, status: 'offered' }]);
    expect((await act('start', { id })).status).toBe(201);
    const share = await api.deps.db.selectFrom('shares').select('accepted_at').executeTakeFirstOrThrow();
    expect(share.accepted_at).toEqual(api.clock.now);
  });

  it('expires only if no one accepts it', async () => {
    api.clock.now = new Date('2026-03-02T12:00:00Z');
    asset = await api.addAsset(owner);
    const { id } = await promised();
    api.clock.now = new Date('2026-03-20T12:00:00Z');
    await endExpiredOffers(api.deps);
    expect(await listed()).toMatchObject([{ id, accepted: true }]);
  });

  it.each(['withdraw', 'decline', 'leave'])('can still be ended by both sides after the yes: %s', async (how) => {
    const share = await promised();
    const ended = await (how === 'withdraw' ? withdraw(share) : act(how, share));
    expect(ended.status).toBe(how === 'withdraw' ? 200 : 204);
    api.clock.now = new Date('2026-04-02T00:00:00Z');
    expect([await listed(), await entries()]).toEqual([[], []]);
    expect(await bill('2026-04')).toEqual([['mira', 0, 10]]);
  });

  it('stays after the yes if its member then refuses offers of the owner', async () => {
    const { id } = await promised();
    const body = { username: 'mira', offers: 'refuse' };
    expect((await api.call('POST', '/api/trusted-owners/', { as: member, body })).status).toBe(201);
    api.clock.now = new Date(APRIL);
    expect(await listed()).toMatchObject([{ id, status: 'accepted' }]);
  });

  it('has to be accepted again if it gets more hours, not if it gets fewer', async () => {
    const { id } = await promised();
    for (const [hours, accepted] of [
      [20, true],
      [19, true],
      [20, false],
    ]) {
      const body = { monthly_hours_allocated: hours };
      await api.call('PATCH', `/api/assets/${asset.id}/share/${id}/`, { as: owner, body });
      expect(await listed()).toMatchObject([{ accepted }]);
    }
    api.clock.now = new Date(APRIL);
    expect(await listed()).toMatchObject([{ status: 'offered' }]);
  });

  it('that has to be accepted again has as much time as a new one', async () => {
    const { id } = await promised();
    api.clock.now = new Date('2026-03-30T00:00:00Z');
    const path = `/api/assets/${asset.id}/share/${id}/`;
    await api.call('PATCH', path, { as: owner, body: { monthly_hours_allocated: 30 } });
    expect(await listed()).toMatchObject([{ status: 'offered', offer: { expires_at: '2026-04-13T00:00:00.000Z' } }]);
  });

  it('begins with other hours for a person without an account, who is not asked', async () => {
    const body = { name: 'Oma', monthly_hours_allocated: 20, ...STARTS };
    const added = await api.call<OwnedAsset>('POST', `/api/assets/${asset.id}/people/`, { as: owner, body });
    const path = `/api/assets/${asset.id}/share/${added.body.shared_with[0]?.id}/`;
    await api.call('PATCH', path, { as: owner, body: { monthly_hours_allocated: 30 } });
    api.clock.now = new Date(APRIL);
    expect(await entries()).toMatchObject([{ pending: false, monthly_hours_allocated: 30 }]);
  });

  it('does not let a yes to it limit a later one', async () => {
    await withdraw(await promised());
    await change({ subscription_cost: 1 });
    await offer({});
    const [now] = await listed();
    await act('accept', now ?? { id: 0 });
    await change({ subscription_cost: 10 });
    api.clock.now = new Date('2026-04-30T12:00:00Z');
    expect(await bill('2026-04')).toEqual([
      ['mira', 0, 9.5],
      ['ben', 30, 0.5],
    ]);
  });

  it('does not outlive a handover', async () => {
    const zoe = await api.register('zoe');
    await api.share(owner, asset, zoe);
    await promised();
    const { shareId, version } = await api.offerHandover(owner, asset.id, zoe);
    const path = `/api/shared-assets/${shareId}/handover/accept/`;
    expect((await api.call('POST', path, { as: zoe, body: { version } })).status).toBe(200);
    api.clock.now = new Date(APRIL);
    expect(await listed()).toEqual([]);
  });
});

describe('other ways in that start with the next month', () => {
  it('trust counts as a yes for then', async () => {
    const trust = { username: 'mira', monthly_amount: 1000, currency: 'USD' };
    await api.call('POST', '/api/trusted-owners/', { as: member, body: trust });
    expect((await offer()).body.shared_with).toMatchObject([{ pending: true, accepted: true, ...STARTS }]);
    api.clock.now = new Date(APRIL);
    expect(await listed()).toMatchObject([{ status: 'accepted', agreed: { price: 10 } }]);
  });

  it('an invitation gives access then, or at once later', async () => {
    const body = { monthly_hours_allocated: 20, ...STARTS };
    const path = `/api/assets/${asset.id}/invitations/`;
    const make = async () =>
      (await api.call<InvitedAsset>('POST', path, { as: owner, body })).body.invitation.link.replace(/^.*\//, '');
    const [first, second] = [await make(), await make()];
    expect(await entries()).toMatchObject([STARTS, STARTS]);
    expect(await api.call('GET', `/api/invitations/${first}/`)).toMatchObject({ body: { ...STARTS, cost_of_all: 5 } });
    expect(await api.call('POST', `/api/invitations/${first}/`, { as: member })).toMatchObject({
      status: 201,
      body: { status: 'offered', accepted: true, ...STARTS },
    });
    api.clock.now = new Date('2026-04-02T12:00:00Z');
    expect(await listed()).toMatchObject([{ status: 'accepted' }]);
    const zoe = await api.register('zoe');
    expect(await api.call('GET', `/api/invitations/${second}/`)).toMatchObject({ body: { starts_on: null } });
    expect(await api.call('POST', `/api/invitations/${second}/`, { as: zoe })).toMatchObject({
      body: { status: 'accepted', starts_on: null },
    });
  });

  it.each(['accept', 'object'] as const)(
    'a person without an account has it then, also who joins: %s',
    async (charges) => {
      const body = { name: 'Oma', monthly_hours_allocated: 20, ...STARTS };
      const added = await api.call<OwnedAsset>('POST', `/api/assets/${asset.id}/people/`, { as: owner, body });
      expect(added).toMatchObject({
        status: 201,
        body: { shared_with: [{ pending: true, accepted: true, ...STARTS }] },
      });
      const path = `/api/assets/${asset.id}/share/${added.body.shared_with[0]?.id}/claim/`;
      const made = await api.call<{ claim: { link: string } }>('POST', path, { as: owner });
      const token = made.body.claim.link.replace(/^.*\//, '');
      expect(await api.call<Claim>('GET', `/api/claims/${token}/`)).toMatchObject({
        body: { assets: [{ ...STARTS, members: 0, terms: { places: 2 }, cost_of_all: 5 }] },
      });
      expect((await api.call('POST', `/api/claims/${token}/`, { as: member, body: { charges } })).status).toBe(201);
      expect(await listed()).toMatchObject([{ status: 'offered', accepted: true, ...STARTS }]);
      expect(await bill('2026-03')).toEqual([['mira', 0, 10]]);
      api.clock.now = new Date(APRIL);
      expect(await listed()).toMatchObject([{ status: 'accepted', agreed: { price: 10 } }]);
    },
  );
});

it('access either begins or was withdrawn, if both happen at once', async () => {
  const { db } = api.deps;
  for (let round = 0; round < 20; round++) {
    const share = await promised();
    api.clock.now = new Date(APRIL);
    await Promise.all([
      round % 2 ? updateAccess(api.deps) : listed(),
      round % 3 ? withdraw(share) : act('leave', share),
      updateAccess(api.deps),
    ]);
    const row = await db.selectFrom('shares').selectAll().where('id', '=', share.id).executeTakeFirstOrThrow();
    const allowances = await db.selectFrom('allowances').select('since').where('share_id', '=', share.id).execute();
    expect(row.ended_at).not.toBe(null);
    expect(allowances).toEqual(row.accepted_at === null ? [] : [{ since: row.accepted_at }]);
    api.clock.now = new Date('2026-03-27T12:00:00Z');
  }
});
