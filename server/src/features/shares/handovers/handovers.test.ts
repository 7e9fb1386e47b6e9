import type { SignedIn } from '@hourshare/contract/sign-ins';
import type { OwnedAsset } from '@hourshare/contract/assets';
import type { Notice } from '@hourshare/contract/notifications';
import type { LoggedSession, Session } from '@hourshare/contract/sessions';
import type { Balance } from '@hourshare/contract/settlements';
import type { SharedAsset } from '@hourshare/contract/shares';
import type { Statement } from '@hourshare/contract/statements';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { openTestApi, TEST_PASSWORD, type TestApi } from '../../../testing/api.ts';
import { raceRounds } from '../../../testing/thorough.ts';
import { disableAccount, enableAccount } from '../../accounts/administration/service.ts';
import { dispatchWaiting } from '../../notifications/dispatch/service.ts';
import { brokenPeriods } from '../../periods/upkeep/service.ts';
import { closeDuePeriods } from '../../statements/closing/service.ts';
import { removeStandIns } from '../service.ts';
import { deleteExpiredHandovers, handOverDue } from './service.ts';

let api: TestApi;
let ana: SignedIn;
let ben: SignedIn;
let kim: SignedIn;
let asset: OwnedAsset;
let bens: SharedAsset;
let kims: SharedAsset;
beforeAll(async () => {
  api = await openTestApi();
});
beforeEach(async () => {
  await api.reset();
  at('2026-03-01T00:00:00Z');
  [ana, ben, kim] = [await api.register('ana'), await api.register('ben'), await api.register('kim')];
  asset = await api.addAsset(ana, { subscription_cost: 30, split_method: 'equal' });
  [bens, kims] = [await api.share(ana, asset, ben), await api.share(ana, asset, kim)];
});
afterAll(() => api.close());

const HOUR = 3_600_000;
const APRIL = '2026-04-01T00:00:00Z';
const at = (instant: string) => {
  api.clock.now = new Date(instant);
};

const read = async <T>(as: SignedIn, path: string) => (await api.call<T>('GET', path, { as })).body;
const listed = async <T>(as: SignedIn, path: string) => (await read<{ results: T[] }>(as, path)).results;
const owned = (as: SignedIn) => read<OwnedAsset>(as, `/api/assets/${asset.id}/`);
const statuses = (as: SignedIn, ...calls: [method: string, path: string, body?: object][]) =>
  calls.reduce<Promise<number[]>>(
    async (before, [method, path, body]) => [
      ...(await before),
      (await api.call(method, path, { as, ...(body && { body }) })).status,
    ],
    Promise.resolve([]),
  );
const shareOf = (as: SignedIn, { id }: SharedAsset) => read<SharedAsset>(as, `/api/shared-assets/${id}/`);
const statement = (as: SignedIn, month: string) => read<Statement>(as, `/api/assets/${asset.id}/statements/${month}/`);
const linesOf = async (as: SignedIn, month: string) =>
  (await statement(as, month)).lines.map(({ username, role, amount }) => [username, role, amount]);

const offer = (stayHours: number | null = null) => api.offerHandover(ana, asset.id, ben, stayHours);
const answer = (path: 'accept' | 'decline', body?: object, as = ben) =>
  api.call<SharedAsset & { code: string }>('POST', `/api/shared-assets/${bens.id}/handover/${path}/`, {
    as,
    ...(body && { body }),
  });
const accept = (version: string) => answer('accept', { version });
const handOver = async (stayHours: number | null = null) => {
  const { version } = await offer(stayHours);
  expect((await accept(version)).status).toBe(200);
};

describe('an offer to become the owner', () => {
  it('shows the member what they will be charged for, and no one else', async () => {
    await api.call('PATCH', `/api/assets/${asset.id}/`, { as: ana, body: { split_method: 'usage', owner_hours: 7 } });
    await offer(5);
    expect((await shareOf(ben, bens)).handover).toMatchObject({
      accepted: false,
      from_month: '2026-04',
      price: 30,
      currency: 'USD',
      split_method: 'usage',
      // Ben's own, not the ones reserved for ana.
      owner_hours: 20,
      stay_hours: 5,
      members: 2,
      expires_at: '2026-03-15T00:00:00.000Z',
    });
    expect(await owned(ana)).toMatchObject({
      handover: { username: 'ben', accepted: false, from_month: '2026-04', stay_hours: 5 },
    });
    expect(await shareOf(kim, kims)).toMatchObject({ handover: null, next_owner: null });
  });

  it('requires an accepted member with an account, and an active asset', async () => {
    const path = `/api/assets/${asset.id}/handover/`;
    const zoe = await api.register('zoe');
    await api.offer(ana, asset, zoe);
    const person = { name: 'Grandma', monthly_hours_allocated: 5 };
    await api.call('POST', `/api/assets/${asset.id}/people/`, { as: ana, body: person });
    for (const username of ['zoe', 'ana', 'nobody', 'Grandma (ana)'])
      expect(await api.call('POST', path, { as: ana, body: { username } })).toMatchObject({
        status: 400,
        body: { code: 'no_member_to_hand_to' },
      });
    expect(await api.call('POST', path, { as: ana, body: { username: 'ben', stay_hours: 745 } })).toMatchObject({
      body: { code: 'validation_failed', fields: { stay_hours: expect.anything() } },
    });
    expect(await statuses(ben, ['POST', path, { username: 'kim' }], ['DELETE', path])).toEqual([404, 404]);
    await offer();
    expect(await api.call('POST', path, { as: ana, body: { username: 'kim' } })).toMatchObject({
      body: { code: 'handover_open' },
    });
    expect(await statuses(ana, ['PATCH', `/api/assets/${asset.id}/`, { archived: true }])).toEqual([200]);
    expect(await api.call('POST', path, { as: ana, body: { username: 'kim' } })).toMatchObject({
      body: { code: 'asset_archived' },
    });
  });

  it('requires a member whose account is enabled', async () => {
    const path = `/api/assets/${asset.id}/handover/`;
    await disableAccount(api.deps, ben.user.id);
    expect(await api.call('POST', path, { as: ana, body: { username: 'ben' } })).toMatchObject({
      status: 400,
      body: { code: 'no_member_to_hand_to' },
    });
    expect((await owned(ana)).handover).toBeNull();
    await enableAccount(api.deps, ben.user.id);
    expect((await api.call('POST', path, { as: ana, body: { username: 'ben' } })).status).toBe(201);
  });

  it('is accepted only by that member, and only in the version that they have read', async () => {
    const { version } = await offer();
    expect((await answer('accept', { version }, kim)).status).toBe(404);
    expect((await answer('accept', {})).status).toBe(400);
    await api.call('PATCH', `/api/assets/${asset.id}/`, { as: ana, body: { subscription_cost: 9000 } });
    expect((await accept(version)).body.code).toBe('offer_changed');
    expect((await shareOf(kim, kims)).next_owner).toBeNull();
    const { handover } = await shareOf(ben, bens);
    expect(handover).toMatchObject({ price: 9000, accepted: false });
    expect((await accept(handover?.version ?? '')).body.handover).toMatchObject({ accepted: true, expires_at: null });
    expect((await accept(handover?.version ?? '')).status).toBe(200);
  });

  it('expires after 14 days, and is deleted by the schedule', async () => {
    const { version } = await offer();
    at('2026-03-15T00:00:00Z');
    expect((await accept(version)).body.code).toBe('handover_ended');
    expect((await owned(ana)).handover).toBeNull();
    await deleteExpiredHandovers(api.deps);
    expect(await api.deps.db.selectFrom('handovers').selectAll().execute()).toEqual([]);
    await offer();
  });

  it('is void while its price or terms differ from what was accepted, until it is accepted again', async () => {
    for (const change of [
      { subscription_cost: 9_999_999 },
      { split_method: 'usage' },
      { base_percent: 90, split_method: 'usage' },
      { max_session_hours: 744 },
      { time_zone: 'Asia/Tokyo' },
    ]) {
      await handOver();
      expect((await shareOf(kim, kims)).next_owner).toEqual({ username: 'ben', from_month: '2026-04' });
      expect(await statuses(ana, ['PATCH', `/api/assets/${asset.id}/`, change])).toEqual([200]);
      expect((await shareOf(kim, kims)).next_owner).toBeNull();
      expect((await shareOf(ben, bens)).handover).toMatchObject({ accepted: false });
      await api.call('DELETE', `/api/assets/${asset.id}/handover/`, { as: ana });
    }
    await handOver();
    await api.call('POST', `/api/assets/${asset.id}/prices/`, {
      as: ana,
      body: { from_month: '2026-04', subscription_cost: 5000 },
    });
    at('2026-04-02T00:00:00Z');
    expect((await owned(ana)).owner).toBe('ana');
  });

  it.each([
    ['the owner', () => statuses(ana, ['DELETE', `/api/assets/${asset.id}/handover/`])],
    ['the member', async () => [(await answer('decline')).status]],
  ])('can be called off by %s until it takes effect', async (_, callOff) => {
    for (const accepted of [false, true]) {
      at('2026-03-20T00:00:00Z');
      await (accepted ? handOver() : offer());
      at('2026-03-31T23:59:59.999Z');
      expect(await callOff()).toEqual([200]);
      expect(await owned(ana)).toMatchObject({ owner: 'ana', handover: null });
      expect((await answer('decline')).body.code).toBe('handover_ended');
    }
    at(APRIL);
    expect((await owned(ana)).owner).toBe('ana');
  });

  const leaving = { current_password: TEST_PASSWORD, keep_name: true };
  const endings: [what: string, end: () => Promise<number[]>][] = [
    ['the member leaves', () => statuses(ben, ['POST', `/api/shared-assets/${bens.id}/leave/`])],
    ['the owner ends their access', () => statuses(ana, ['DELETE', `/api/assets/${asset.id}/share/${bens.id}/`])],
    ['the asset is archived', () => statuses(ana, ['PATCH', `/api/assets/${asset.id}/`, { archived: true }])],
    ['the asset is deleted', () => statuses(ana, ['DELETE', `/api/assets/${asset.id}/`])],
    ['the account of the owner is deleted', () => statuses(ana, ['DELETE', '/api/me/', leaving])],
    ['the account of the member is deleted', () => statuses(ben, ['DELETE', '/api/me/', leaving])],
  ];
  it.each(endings)('ends when %s', async (_, end) => {
    await handOver();
    expect([200, 204]).toContain((await end())[0]);
    expect(await api.deps.db.selectFrom('handovers').selectAll().execute()).toEqual([]);
    at('2026-04-02T00:00:00Z');
    await handOverDue(api.deps);
    expect((await api.call('GET', `/api/assets/${asset.id}/`, { as: ben })).status).not.toBe(200);
  });
});

describe('the first moment of the next month', () => {
  it('makes the member the owner before any request is answered', async () => {
    await handOver(8);
    at('2026-03-31T23:59:59.999Z');
    expect((await api.call('GET', `/api/assets/${asset.id}/`, { as: ben })).status).toBe(404);
    at(APRIL);
    expect(await owned(ben)).toMatchObject({
      owner: 'ben',
      handover: null,
      shared_with: [
        { shared_with_username: 'kim' },
        { shared_with_username: 'ana', monthly_hours_allocated: 8, pending: false },
      ],
    });
    expect((await api.call('GET', `/api/assets/${asset.id}/`, { as: ana })).status).toBe(404);
    expect(await listed<SharedAsset>(ben, '/api/shared-assets/')).toEqual([]);
    expect(await listed<SharedAsset>(ana, '/api/shared-assets/')).toMatchObject([
      { owner: 'ben', status: 'accepted', agreed: { price: 30, monthly_hours: 8 } },
    ]);
    expect(await shareOf(kim, kims)).toMatchObject({ owner: 'ben', next_owner: null });
    expect(await brokenPeriods(api.deps.db)).toEqual([]);
  });

  it('without hours, ends the access of the former owner', async () => {
    await handOver();
    at(APRIL);
    expect(await listed<SharedAsset>(ana, '/api/shared-assets/')).toEqual([]);
    expect((await owned(ben)).shared_with).toMatchObject([{ shared_with_username: 'kim' }]);
  });

  it('is the start of the month in the zone of the asset', async () => {
    await api.call('PATCH', `/api/assets/${asset.id}/`, { as: ana, body: { time_zone: 'Asia/Kathmandu' } });
    at('2026-04-10T00:00:00Z');
    await handOver();
    at('2026-04-30T18:14:59.999Z');
    expect((await api.call('GET', `/api/assets/${asset.id}/`, { as: ana })).status).toBe(200);
    at('2026-04-30T18:15:00Z');
    expect((await api.call('GET', `/api/assets/${asset.id}/`, { as: ana })).status).toBe(404);
  });

  it('ends the session of the new owner then, even if processed later', async () => {
    await handOver();
    at('2026-03-31T22:00:00Z');
    await api.call('POST', `/api/shared-assets/${bens.id}/start/`, { as: ben });
    await api.call('POST', `/api/shared-assets/${kims.id}/start/`, { as: kim });
    at('2026-04-01T09:00:00Z');
    await handOverDue(api.deps);
    const log = await listed<Session>(ben, `/api/shared-assets/${bens.id}/logs/`);
    expect(log).toMatchObject([{ end_time: '2026-04-01T00:00:00.000Z', duration: 120 }]);
    expect(await shareOf(kim, kims)).toMatchObject({ active_session: true });
  });

  it('ends links, offers, and the access of people whom only the former owner vouched for', async () => {
    const person = { name: 'Grandma', monthly_hours_allocated: 5 };
    await api.call('POST', `/api/assets/${asset.id}/people/`, { as: ana, body: person });
    // Late enough that neither has expired when the month ends.
    at('2026-03-30T00:00:00Z');
    const { token } = await api.invite(ana, asset);
    const zoe = await api.register('zoe');
    const { id } = await api.offer(ana, asset, zoe);
    await handOver();
    const invitation = async () => (await api.call('GET', `/api/invitations/${token}/`)).status;
    const offers = async () => (await listed<SharedAsset>(zoe, '/api/shared-assets/')).map(({ status }) => status);
    at('2026-03-31T23:59:59.999Z');
    expect([await invitation(), await offers()]).toEqual([200, ['offered']]);
    at(APRIL);
    expect((await owned(ben)).shared_with.map((entry) => entry.shared_with_username)).toEqual(['kim']);
    expect([await invitation(), await offers()]).toEqual([404, []]);
    expect((await api.call('POST', `/api/shared-assets/${id}/accept/`, { as: zoe })).status).toBe(404);
    const share = api.deps.db.selectFrom('shares').select('ended_at').where('id', '=', id);
    expect(await share.executeTakeFirst()).toEqual({ ended_at: new Date(APRIL) });
    expect(await linesOf(ana, '2026-03')).toContainEqual(['Grandma (ana)', 'member', 7.5]);
  });

  it('ends what the former owner gave since, and sessions in it, when it is processed later', async () => {
    const person = { name: 'Grandma', monthly_hours_allocated: 5 };
    await api.call('POST', `/api/assets/${asset.id}/people/`, { as: ana, body: person });
    await handOver();
    const { confirmedTime } = api.deps;
    api.deps.confirmedTime = async () => new Date('2026-03-31T00:00:00Z');
    at('2026-04-01T09:00:00Z');
    const zoe = await api.register('zoe');
    const zoes = await api.share(ana, asset, zoe);
    expect(await statuses(zoe, ['POST', `/api/shared-assets/${zoes.id}/start/`])).toEqual([201]);
    api.deps.confirmedTime = confirmedTime;
    at('2026-04-01T11:00:00Z');
    await api.deps.db.deleteFrom('outbox').execute();
    expect(await statuses(zoe, ['POST', `/api/shared-assets/${zoes.id}/end/`])).toEqual([404]);
    const open = await api.deps.db.selectFrom('sessions').select('id').where('ended_at', 'is', null).execute();
    expect(open).toEqual([]);
    const log = await listed<Session>(zoe, `/api/shared-assets/${zoes.id}/logs/`);
    expect(log).toMatchObject([{ end_time: '2026-04-01T09:00:00.000Z', duration: 0 }]);
    const ended = api.deps.db.selectFrom('outbox').select('share_id').where('kind', '=', 'share.ended');
    const people = api.deps.db.selectFrom('shares').select('id').where('ended_at', '=', new Date(APRIL));
    const ids = (await people.where('id', '<>', bens.id).execute()).map(({ id }) => id);
    expect((await ended.orderBy('share_id').execute()).map((event) => event.share_id)).toEqual([...ids, zoes.id]);
    at('2026-04-02T12:00:00Z');
    const { places, lines } = await statement(ben, '2026-04');
    expect([places, lines.map(({ username }) => username)]).toEqual([2, ['ben', 'kim']]);
  });

  it('happens before the first of its months closes, however long the server was off', async () => {
    await handOver();
    at('2026-05-10T00:00:00Z');
    await closeDuePeriods(api.deps);
    expect(await statement(ben, '2026-04')).toMatchObject({ closed: true, owner: 'ben' });
    expect(await statement(ana, '2026-03')).toMatchObject({ closed: true, owner: 'ana' });
  });

  it('waits while the clock is not confirmed', async () => {
    await handOver();
    const { confirmedTime } = api.deps;
    api.deps.confirmedTime = async () => new Date('2026-03-31T00:00:00Z');
    at(APRIL);
    expect((await api.call('GET', `/api/assets/${asset.id}/`, { as: ben })).status).toBe(404);
    api.deps.confirmedTime = confirmedTime;
    await handOverDue(api.deps);
    expect((await owned(ben)).owner).toBe('ben');
  });
});

describe('the months', () => {
  it('before it are billed by the former owner, and later ones by the new owner', async () => {
    await handOver(10);
    at('2026-05-03T23:00:00Z');
    expect(await linesOf(ana, '2026-03')).toEqual([
      ['ana', 'owner', 10],
      ['ben', 'member', 10],
      ['kim', 'member', 10],
    ]);
    await closeDuePeriods(api.deps);
    expect(await linesOf(ben, '2026-04')).toEqual([
      ['ben', 'owner', 10],
      ['ana', 'member', 10],
      ['kim', 'member', 10],
    ]);
    const before = (await api.call('GET', `/api/assets/${asset.id}/statements/2026-03/`, { as: ana })).text;
    at('2026-05-05T00:00:00Z');
    await closeDuePeriods(api.deps);
    expect((await api.call('GET', `/api/assets/${asset.id}/statements/2026-03/`, { as: ana })).text).toBe(before);
    expect((await statement(ana, '2026-03')).closed).toBe(true);
    const balances = async (as: SignedIn) =>
      (await listed<Balance>(as, '/api/balances/')).map(({ username, net }) => [username, net]);
    expect(await balances(ana)).toEqual([
      ['ben', 0],
      ['kim', 10],
    ]);
    expect(await balances(kim)).toEqual([
      ['ana', -10],
      ['ben', -10],
    ]);
    expect(await listed<Statement>(ana, '/api/statements/?month=2026-04&role=owner')).toEqual([]);
    expect(await listed<Statement>(ben, '/api/statements/?month=2026-03&role=member')).toMatchObject([
      { owner: 'ana', lines: [{ username: 'ben' }] },
    ]);
  });

  it('before it that are closed do not change in any answer', async () => {
    at('2026-03-10T12:00:00Z');
    const { assetId } = await api.billedAsset(ana, ben, '2026-02');
    const path = `/api/assets/${assetId}/statements/2026-02/`;
    const texts = async () =>
      [await api.call('GET', path, { as: ana }), await api.call('GET', path, { as: ben })].map(({ text }) => text);
    const before = await texts();
    const { shareId, version } = await api.offerHandover(ana, assetId, ben);
    await api.call('POST', `/api/shared-assets/${shareId}/handover/accept/`, { as: ben, body: { version } });
    at('2026-04-02T00:00:00Z');
    expect((await api.call('GET', `/api/assets/${assetId}/`, { as: ben })).status).toBe(200);
    expect(await texts()).toEqual(before);
  });

  it('are seen, priced, and closed only by their own owner', async () => {
    at('2026-03-20T00:00:00Z');
    await api.call('POST', `/api/shared-assets/${kims.id}/start/`, { as: kim });
    at('2026-03-20T02:00:00Z');
    await api.call('POST', `/api/shared-assets/${kims.id}/end/`, { as: kim });
    await handOver(10);
    at('2026-04-01T10:00:00Z');
    const path = `/api/assets/${asset.id}`;
    const march = { from_month: '2026-03', subscription_cost: 20 };
    expect(
      await statuses(
        ben,
        ['GET', `${path}/analytics/?month=2026-03`],
        ['POST', `${path}/statements/2026-03/close/`],
        ['POST', `${path}/prices/`, march],
        ['GET', `${path}/analytics/`],
      ),
    ).toEqual([404, 404, 400, 200]);
    expect((await statement(ben, '2026-03')).lines.map(({ username }) => username)).toEqual(['ben']);
    expect(await listed<Session>(ben, `${path}/sessions/`)).toEqual([]);
    expect(
      (await read<{ months: { month: string }[] }>(ben, `${path}/history/`)).months.map(({ month }) => month),
    ).toEqual(['2026-04']);
    const april = { from_month: '2026-04', subscription_cost: 1 };
    expect(
      await statuses(
        ana,
        ['GET', `${path}/analytics/?month=2026-03`],
        ['GET', `${path}/analytics/?month=2026-04`],
        ['POST', `${path}/prices/`, april],
        ['POST', `${path}/prices/`, march],
        ['PATCH', `${path}/`, { subscription_cost: 1 }],
        ['POST', `${path}/share/`, { username: 'kim', monthly_hours_allocated: 1 }],
        ['POST', `${path}/statements/2026-04/close/`],
      ),
    ).toEqual([200, 404, 400, 201, 404, 404, 404]);
    expect(await listed<Session>(ana, `${path}/sessions/`)).toMatchObject([{ username: 'kim', duration: 120 }]);
    expect(await linesOf(ana, '2026-03')).toContainEqual(['kim', 'member', 6.67]);
    expect((await owned(ben)).subscription_cost).toBe(30);
    for (const as of [ben, kim]) await api.call('POST', `${path}/statements/2026-03/confirm/`, { as });
    expect(await statuses(ana, ['POST', `${path}/statements/2026-03/close/`])).toEqual([200]);
    expect(await listed<object>(ben, `${path}/prices/`)).toEqual([
      { from_month: '2026-04', subscription_cost: 30, open: true },
    ]);
  });

  it('decide who answers a request and objects to an edit: the owner of the month it was recorded in', async () => {
    at('2026-03-31T10:00:00Z');
    await api.call('POST', `/api/shared-assets/${kims.id}/start/`, { as: kim });
    at('2026-03-31T14:00:00Z');
    await api.call('POST', `/api/shared-assets/${kims.id}/end/`, { as: kim });
    const [session] = await listed<Session>(kim, `/api/shared-assets/${kims.id}/logs/`);
    const logged = `/api/shared-assets/${kims.id}/logs/${session?.id}/`;
    await api.call('PATCH', logged, { as: kim, body: { end_time: '2026-03-31T10:00:02Z' } });
    await handOver();
    at('2026-04-01T10:00:00Z');
    await api.call('PATCH', logged, { as: kim, body: { end_time: '2026-03-31T10:00:01Z' } });
    const requested = `/api/assets/${asset.id}/sessions/${session?.id}/request/accept/`;
    expect(await statuses(ben, ['POST', requested])).toEqual([403]);
    expect(await statuses(ana, ['POST', requested])).toEqual([200]);
    at('2026-04-01T10:00:01Z');
    await api.call('PATCH', logged, { as: kim, body: { end_time: '2026-03-31T10:00:03Z' } });
    const path = `/api/assets/${asset.id}/sessions/${session?.id}/objection/`;
    expect(await statuses(ben, ['POST', path, {}])).toEqual([404]);
    expect(await statuses(ana, ['POST', path, { text: 'It ran' }])).toEqual([201]);
    expect((await listed<LoggedSession>(kim, `/api/shared-assets/${kims.id}/logs/`))[0]?.objection).toMatchObject({
      username: 'ana',
      messages: [{ username: 'ana' }],
    });
    at('2026-04-04T10:00:01Z');
    await closeDuePeriods(api.deps);
    expect((await statement(ana, '2026-03')).lines.find(({ username }) => username === 'kim')).toMatchObject({
      used_hours: 4,
    });
  });

  it('of an owner whose account is deleted still close, split as if it existed', async () => {
    await handOver();
    at('2026-04-01T10:00:00Z');
    const lines = await linesOf(ana, '2026-03');
    const leaving = { current_password: TEST_PASSWORD, keep_name: true };
    expect(await statuses(ana, ['DELETE', '/api/me/', leaving])).toEqual([204]);
    at('2026-04-05T00:00:00Z');
    await closeDuePeriods(api.deps);
    expect(await linesOf(kim, '2026-03')).toEqual(lines.slice(2));
    expect(await statement(kim, '2026-03')).toMatchObject({ owner: 'ana', closed: true });
    expect((await owned(ben)).owner).toBe('ben');
    at('2026-05-05T00:00:00Z');
    await closeDuePeriods(api.deps);
    expect(await linesOf(ben, '2026-04')).toEqual([
      // Kim said yes to a third, and not yet to a half.
      ['ben', 'owner', 20],
      ['kim', 'member', 10],
    ]);
  });

  it('of an owner whose account is deleted keep a stand-in until they are closed', async () => {
    const standIns = async () => {
      await removeStandIns(api.deps);
      return (await api.deps.db.selectFrom('users').select('id').where('former_id', 'is not', null).execute()).length;
    };
    await handOver();
    at('2026-04-01T10:00:00Z');
    await api.call('DELETE', '/api/me/', { as: ana, body: { current_password: TEST_PASSWORD, keep_name: false } });
    expect(await standIns()).toBe(1);
    at('2026-04-05T00:00:00Z');
    await closeDuePeriods(api.deps);
    expect(await standIns()).toBe(0);
  });

  it('go back and forth with the asset', async () => {
    await handOver(10);
    at('2026-04-10T00:00:00Z');
    const { shareId, version } = await api.offerHandover(ben, asset.id, ana, 4);
    await api.call('POST', `/api/shared-assets/${shareId}/handover/accept/`, { as: ana, body: { version } });
    at('2026-06-05T00:00:00Z');
    await api.call('GET', '/api/me/', { as: ana });
    await closeDuePeriods(api.deps);
    expect((await linesOf(ana, '2026-03'))[0]).toEqual(['ana', 'owner', 10]);
    expect(await linesOf(ana, '2026-04')).toEqual([['ana', 'member', 10]]);
    expect((await linesOf(ana, '2026-05'))[0]).toEqual(['ana', 'owner', 10]);
    expect(await statuses(ana, ['GET', `/api/assets/${asset.id}/analytics/?month=2026-04`])).toEqual([404]);
    expect(await listed<object>(ana, `/api/assets/${asset.id}/prices/`)).toHaveLength(2);
  });
});

const nextTick = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Makes two calls at once, the second a little later each round, after `arrange`. Returns both statuses. */
async function race(
  arrange: () => Promise<void>,
  first: () => Promise<{ status: number }>,
  second: () => Promise<{ status: number }>,
  check: (statuses: number[]) => Promise<void>,
) {
  for (const round of raceRounds(12)) {
    await arrange();
    const one = first();
    for (let waited = 0; waited < round * 2; waited++) await nextTick();
    const other = second();
    await check([(await one).status, (await other).status]);
  }
}

describe('a co-manager', () => {
  const path = (rest = '') => `/api/assets/${asset.id}/${rest}`;
  const nameManager = (as: SignedIn, { id }: { id: number }) =>
    api.call('PATCH', path(`share/${id}/`), { as, body: { manager: true } });

  it('can neither hand the asset over nor call that off', async () => {
    await nameManager(ana, kims);
    await offer();
    const calls = [
      ['POST', path('handover/'), { username: 'ben' }],
      ['DELETE', path('handover/')],
    ] as const;
    expect(await statuses(kim, ...calls.map((call) => [...call] as [string, string, object?]))).toEqual([403, 403]);
    expect((await owned(ana)).handover).toMatchObject({ username: 'ben' });
  });

  it('loses the role with the handover, until the new owner names them for their own months', async () => {
    await nameManager(ana, kims);
    await handOver(10);
    const calls = [
      ['GET', path()],
      ['GET', path('analytics/?month=2026-03')],
      ['GET', path('analytics/?month=2026-04')],
      ['POST', path('prices/'), { from_month: '2026-05', subscription_cost: 31 }],
    ] as [string, string, object?][];
    expect(await statuses(kim, ...calls.slice(0, 2))).toEqual([200, 200]);
    at('2026-04-01T10:00:00Z');
    expect(await statuses(kim, ...calls)).toEqual([404, 404, 404, 404]);
    expect((await owned(ben)).shared_with.map(({ manager }) => manager)).toEqual([false, false]);
    expect((await nameManager(ben, kims)).status).toBe(200);
    expect(await statuses(kim, ...calls)).toEqual([200, 404, 200, 201]);
    expect((await statement(kim, '2026-04')).lines.map(({ username }) => username)).toEqual(['ben', 'ana', 'kim']);
    // As a member, as before.
    expect((await statement(kim, '2026-03')).lines.map(({ username }) => username)).toEqual(['kim']);
  });
});

describe('a former owner who becomes a co-manager', () => {
  it('keeps their own months, and acts for the new owner in the others', async () => {
    at('2026-03-20T00:00:00Z');
    await api.call('POST', `/api/shared-assets/${kims.id}/start/`, { as: kim });
    at('2026-03-20T02:00:00Z');
    await api.call('POST', `/api/shared-assets/${kims.id}/end/`, { as: kim });
    await handOver(10);
    at('2026-04-01T10:00:00Z');
    const path = `/api/assets/${asset.id}`;
    const own = (await owned(ben)).shared_with.find(({ shared_with_username: username }) => username === 'ana');
    expect((await api.call('PATCH', `${path}/share/${own?.id}/`, { as: ben, body: { manager: true } })).status).toBe(
      200,
    );
    expect(await listed<Session>(ana, `${path}/sessions/`)).toMatchObject([{ username: 'kim', duration: 120 }]);
    expect(
      await statuses(
        ana,
        ['GET', `${path}/analytics/?month=2026-03`],
        ['GET', `${path}/analytics/?month=2026-04`],
        // Only the owner can lower the price of a month that has begun.
        ['POST', `${path}/prices/`, { from_month: '2026-03', subscription_cost: 20 }],
        ['POST', `${path}/prices/`, { from_month: '2026-04', subscription_cost: 20 }],
      ),
    ).toEqual([200, 200, 201, 403]);
    expect((await linesOf(ana, '2026-03')).length).toBe(3);
    expect((await linesOf(ana, '2026-04')).map(([username]) => username)).toEqual(['ben', 'ana', 'kim']);
    expect((await linesOf(ben, '2026-03')).map(([username]) => username)).toEqual(['ben']);
    expect(await listed<object>(ben, `${path}/manager-changes/`)).toEqual([]);
    for (const as of [ben, kim]) await api.call('POST', `${path}/statements/2026-03/confirm/`, { as });
    expect(await statuses(ana, ['POST', `${path}/statements/2026-03/close/`])).toEqual([200]);
  });
});

describe('what the former owner does', () => {
  it('to the price of a later month voids an acceptance', async () => {
    await handOver();
    const later = { from_month: '2026-05', subscription_cost: 0 };
    await api.call('POST', `/api/assets/${asset.id}/prices/`, { as: ana, body: later });
    expect((await shareOf(ben, bens)).handover).toMatchObject({ accepted: false, next_price: { price: 0 } });
    at('2026-04-01T10:00:00Z');
    expect((await owned(ana)).owner).toBe('ana');
  });

  it('remains possible for their months when the new owner deletes the asset', async () => {
    await handOver(10);
    at('2026-04-01T10:00:00Z');
    await api.call('DELETE', `/api/assets/${asset.id}/`, { as: ben });
    const march = { from_month: '2026-03', subscription_cost: 20 };
    expect(await statuses(ana, ['POST', `/api/assets/${asset.id}/prices/`, march])).toEqual([201]);
    expect(await statuses(ben, ['GET', `/api/assets/${asset.id}/prices/`])).toEqual([404]);
  });
});

describe('what can no longer happen', () => {
  const told = async (as: SignedIn) => {
    for (const _ of ['events', 'notices']) await dispatchWaiting(api.deps);
    return (await listed<Notice>(as, '/api/notifications/')).map(({ text, path }) => [text, path]);
  };
  const lapsed = async () => {
    expect(await api.deps.db.selectFrom('handovers').selectAll().execute()).toEqual([]);
    expect(await told(ana)).toContainEqual([
      'Netflix Premium was not handed over',
      `/assets?asset=${asset.id}&tab=share`,
    ]);
  };

  it('lapses when it is due: a disabled account is not handed an asset', async () => {
    await handOver();
    await disableAccount(api.deps, ben.user.id);
    expect((await owned(ana)).handover).toMatchObject({ accepted: true });
    at('2026-04-01T10:00:00Z');
    expect(await owned(ana)).toMatchObject({ owner: 'ana', handover: null });
    await lapsed();
  });

  it('stays so when the account is enabled again, even after months have closed', async () => {
    await handOver();
    await disableAccount(api.deps, ben.user.id);
    at('2026-05-10T00:00:00Z');
    await closeDuePeriods(api.deps);
    await enableAccount(api.deps, ben.user.id);
    at('2026-05-11T00:00:00Z');
    expect(await handOverDue(api.deps)).toBe(true);
    expect(await statement(ana, '2026-04')).toMatchObject({ closed: true, owner: 'ana' });
    expect((await owned(ana)).owner).toBe('ana');
  });

  it('lapses once the first of its months is closed', async () => {
    await handOver();
    const closed = { closed_at: new Date('2026-05-04T00:00:00Z') };
    await api.deps.db.updateTable('periods').set(closed).where('month', '<=', '2026-04-01').execute();
    at('2026-05-11T00:00:00Z');
    expect((await owned(ana)).owner).toBe('ana');
    await lapsed();
    expect(await told(ben)).toContainEqual([
      'Netflix Premium was not handed over',
      `/shared?share=${bens.id}&tab=usage`,
    ]);
  });

  it('is not tried again by each request after it has failed', async () => {
    await handOver();
    at(APRIL);
    const react = vi.spyOn(api.deps, 'react').mockRejectedValue(new Error('a fault'));
    try {
      expect((await owned(ana)).owner).toBe('ana');
      await owned(ana);
      expect(react.mock.calls.map(([, cause]) => cause)).toEqual(['sharesEnded', 'monthsStarted']);
    } finally {
      react.mockRestore();
    }
    await handOverDue(api.deps);
    expect((await owned(ben)).owner).toBe('ben');
  });
});

describe('at the same time', () => {
  let version = '';
  const arrange = async () => {
    at('2026-03-10T12:00:00Z');
    await api.deps.db.deleteFrom('assets').execute();
    asset = await api.addAsset(ana, { subscription_cost: 30, split_method: 'equal' });
    [bens, kims] = [await api.share(ana, asset, ben), await api.share(ana, asset, kim)];
    ({ version } = await offer(5));
  };
  const handovers = () => api.deps.db.selectFrom('handovers').select('month').execute();

  it('an acceptance takes effect only once', () =>
    race(
      arrange,
      () => accept(version),
      () => accept(version),
      async (both) => {
        expect(both).toEqual([200, 200]);
        expect(await handovers()).toEqual([{ month: '2026-04-01' }]);
      },
    ));

  it.each([
    ['called off', () => api.call('DELETE', `/api/assets/${asset.id}/handover/`, { as: ana })],
    ['ended with the share', () => api.call('POST', `/api/shared-assets/${bens.id}/leave/`, { as: ben })],
    ['ended with the asset', () => api.call('DELETE', `/api/assets/${asset.id}/`, { as: ana })],
  ])('when it is %s at the same time, nothing of it is left', (_, end) =>
    race(
      arrange,
      () => accept(version),
      end,
      async ([accepted, ended]) => {
        expect([200, 400, 404]).toContain(accepted);
        expect([200, 204]).toContain(ended);
        expect(await handovers()).toEqual([]);
      },
    ),
  );

  it('a changed price is not accepted unseen', () =>
    race(
      arrange,
      () => accept(version),
      () => api.call('PATCH', `/api/assets/${asset.id}/`, { as: ana, body: { subscription_cost: 900 } }),
      async () => {
        at(APRIL);
        expect((await owned(ana)).owner).toBe('ana');
      },
    ));

  it('requests and the schedule complete it only once', () =>
    race(
      async () => {
        await arrange();
        await accept(version);
        at(APRIL);
      },
      () => api.call('GET', '/api/assets/', { as: ben }),
      () => handOverDue(api.deps).then(() => ({ status: 200 })),
      async (both) => {
        expect(both).toEqual([200, 200]);
        const entries = (await owned(ben)).shared_with.map((entry) => entry.shared_with_username);
        expect(entries).toEqual(['kim', 'ana']);
      },
    ));

  it('when either account is deleted, the asset is deleted or has an owner', async () => {
    for (const [round, leaving] of ['owner', 'member', 'owner', 'member'].entries()) {
      const [from, to] = [await api.register(`from-${round}`), await api.register(`to-${round}`)];
      at('2026-03-10T12:00:00Z');
      const { id } = await api.addAsset(from, { split_method: 'equal' });
      await api.share(from, { ...asset, id }, to);
      const { shareId, version: seen } = await api.offerHandover(from, id, to);
      await api.call('POST', `/api/shared-assets/${shareId}/handover/accept/`, { as: to, body: { version: seen } });
      at(new Date(Date.parse(APRIL) + HOUR).toISOString());
      const who = leaving === 'owner' ? from : to;
      const handing = handOverDue(api.deps);
      for (let waited = 0; waited < round; waited++) await nextTick();
      const [left] = await statuses(who, ['DELETE', '/api/me/', { current_password: TEST_PASSWORD, keep_name: false }]);
      await handing;
      expect(left).toBe(204);
      const other = leaving === 'owner' ? to : from;
      const { status } = await api.call('GET', `/api/assets/${id}/`, { as: other });
      const rest = await api.deps.db.selectFrom('assets').select('deleted_at').where('id', '=', id).execute();
      expect(status === 200 || rest.every(({ deleted_at }) => deleted_at !== null)).toBe(true);
      expect(await api.deps.db.selectFrom('handovers').selectAll().where('asset_id', '=', id).execute()).toEqual([]);
    }
  });
});
