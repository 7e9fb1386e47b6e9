import type { OwnedAsset } from '@hourshare/contract/assets';
import type { NoticeList } from '@hourshare/contract/notifications';
import type { Renewal } from '@hourshare/contract/periods';
import type { SharedAsset } from '@hourshare/contract/shares';
import type { Statement } from '@hourshare/contract/statements';
import type { SignedIn } from '@hourshare/contract/sign-ins';
import type { CalendarAddress } from '@hourshare/contract/calendar';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { archiveEndedAssets } from '../../assets/service.ts';
import { openTestApi, type TestApi } from '../../../testing/api.ts';
import { tellOfMonthsAndBalances } from '../../notifications/timed-notices/service.ts';

let api: TestApi;
let mira: SignedIn;
let ana: SignedIn;
let zoe: SignedIn;
let asset: OwnedAsset;
let share: SharedAsset;
beforeAll(async () => {
  api = await openTestApi();
});
/** $120 a year, to be canceled two weeks before March 14, 2027. */
beforeEach(async () => {
  await api.reset();
  setClock('2026-03-14T09:00:00Z');
  [mira, ana, zoe] = [await api.register('mira'), await api.register('ana'), await api.register('zoe')];
  const cycle = { every: 1, unit: 'year', anchor: '2026-03-14' };
  asset = await api.addAsset(mira, { name: 'Films', subscription_cost: 120, cycle, cancel_by_days: 14 });
  share = await api.share(mira, asset, ana, 10);
});
afterAll(() => api.close());

function setClock(instant: string): void {
  api.clock.now = new Date(instant);
}
const list = async (as: SignedIn, query = '') =>
  (await api.call<{ results: Renewal[]; next: string | null }>('GET', `/api/renewals/${query}`, { as })).body;
const vote = (body: object, as = ana) =>
  api.call<Renewal>('POST', `/api/shared-assets/${share.id}/vote/`, { as, body });
const decide = (decision: string, as = mira, renews_on = '2027-03-14') =>
  api.call<Renewal>('POST', `/api/assets/${asset.id}/renewal/`, { as, body: { renews_on, decision } });
const told = async (as: SignedIn) =>
  (await api.call<NoticeList>('GET', '/api/notifications/', { as })).body.results
    .filter(({ kind }) => kind === 'renewal')
    .map(({ text, detail, path }) => [text, detail, path]);
/** As two servers do. */
const remind = () => Promise.all([tellOfMonthsAndBalances(api.deps), tellOfMonthsAndBalances(api.deps)]);

describe('renewals', () => {
  it('of the next twelve months are listed for everyone who has the asset, and for no one else', async () => {
    const expected = {
      asset_name: 'Films',
      kind: 'renewal',
      on: '2027-03-14',
      cancel_by: '2027-02-28',
      price: 120,
      near: false,
      open: false,
    };
    setClock('2026-05-01T12:00:00Z');
    expect((await list(mira)).results).toMatchObject([{ ...expected, your_role: 'owner', share_id: null }]);
    expect((await list(ana)).results).toMatchObject([{ ...expected, your_role: 'member', share_id: share.id }]);
    expect((await list(zoe)).results).toEqual([]);
    await api.addAsset(mira, {
      name: 'Gym',
      subscription_cost: 30,
      cycle: { every: 1, unit: 'month', anchor: '2026-01-31' },
    });
    const first = await list(mira, '?limit=10');
    expect(first.results.map(({ on }) => on).slice(0, 2)).toEqual(['2026-05-31', '2026-06-30']);
    const second = await list(mira, `?limit=10&cursor=${first.next}`);
    expect([...first.results, ...second.results]).toHaveLength(13);
    await api.call('PATCH', `/api/assets/${asset.id}/`, { as: mira, body: { archived: true } });
    expect((await list(ana)).results).toEqual([]);
  });

  it('include the end of what is paid each calendar month', async () => {
    const gym = await api.addAsset(mira, { name: 'Gym', subscription_cost: 30, ends_on: '2026-06-15' });
    expect(await api.share(mira, gym, ana)).toMatchObject({ ends_on: '2026-06-15' });
    expect((await list(mira)).results).toMatchObject([
      { asset_name: 'Films', kind: 'renewal' },
      { asset_name: 'Gym', kind: 'end', on: '2026-06-15', price: 30, cycle: null, near: false, open: false },
      { asset_name: 'Films', kind: 'renewal' },
    ]);
    const { address } = (await api.call<CalendarAddress>('POST', '/api/me/calendar/', { as: mira })).body;
    const { text } = await api.call('GET', new URL(address).pathname);
    expect(text).toContain('DTSTART;VALUE=DATE:20260615\r\nDTEND;VALUE=DATE:20260616\r\nSUMMARY:Gym ends\r\n');
  });

  it('name the price that they begin', async () => {
    setClock('2026-05-01T12:00:00Z');
    const body = { from_month: '2027-03', subscription_cost: 150 };
    await api.call('POST', `/api/assets/${asset.id}/prices/`, { as: mira, body });
    expect((await list(ana)).results).toMatchObject([{ price: 150 }]);
  });

  it('are reminded of once each, and late only by the latest reminder', async () => {
    setClock('2027-01-29T07:59:00Z');
    await remind();
    expect(await told(ana)).toEqual([]);
    setClock('2027-01-29T08:00:00Z');
    await remind();
    await remind();
    const notice = ['Films renews on March 14', '$120.00; cancel by February 28', '/renewals'];
    expect(await told(ana)).toEqual([notice]);
    expect(await told(mira)).toEqual([notice]);
    expect(await told(zoe)).toEqual([]);
    // No server ran from before the second reminder to after the third.
    setClock('2027-02-27T08:00:00Z');
    await remind();
    expect(await told(ana)).toEqual([notice, notice]);
    setClock('2027-03-02T08:00:00Z');
    await remind();
    expect(await told(ana)).toHaveLength(2);
  });

  it('come in the calendar, with the last day to cancel', async () => {
    await api.addAsset(mira, { name: 'Gym', trial_until: '2026-04-13' });
    const { address } = (await api.call<CalendarAddress>('POST', '/api/me/calendar/', { as: mira })).body;
    const { text } = await api.call('GET', new URL(address).pathname);
    expect(text).toContain('DTSTART;VALUE=DATE:20270314\r\nDTEND;VALUE=DATE:20270315\r\n');
    expect(text).toContain('SUMMARY:Films renews\r\n');
    expect(text).toContain(
      'DTSTART;VALUE=DATE:20260414\r\nDTEND;VALUE=DATE:20260415\r\nSUMMARY:Gym is no longer free\r\n',
    );
    const cancel = text.split('BEGIN:VEVENT').filter((event) => event.includes('SUMMARY:Last day to cancel Films\r\n'));
    expect(cancel.at(-1)).toContain('DTSTART;VALUE=DATE:20270228\r\n');
  });
});

describe('a vote', () => {
  it('is open from the first reminder to the last day to cancel, and seen by all', async () => {
    const body = { renews_on: '2027-03-14', choice: 'smaller', line: 'Two seats would do' };
    setClock('2027-01-28T12:00:00Z');
    expect(await vote(body)).toMatchObject({ status: 400, body: { fields: { renews_on: [expect.any(String)] } } });
    setClock('2027-01-29T12:00:00Z');
    expect(await vote(body)).toMatchObject({ status: 200, body: { your_vote: 'smaller', open: true } });
    expect(await vote({ ...body, choice: 'cancel' })).toMatchObject({ body: { your_vote: 'cancel' } });
    expect((await list(mira)).results).toMatchObject([
      {
        near: true,
        your_vote: null,
        votes: [{ username: 'ana', choice: 'cancel', line: 'Two seats would do', hue: expect.any(Number) as number }],
      },
    ]);
    expect(await vote(body, zoe)).toMatchObject({ status: 404 });
    expect(await vote({ ...body, renews_on: '2027-03-15' })).toMatchObject({ status: 400 });
    setClock('2027-03-01T12:00:00Z');
    expect(await vote(body)).toMatchObject({ status: 400 });
  });

  it("is recorded on the renewal's statement, as it was", async () => {
    setClock('2027-02-01T12:00:00Z');
    await vote({ renews_on: '2027-03-14', choice: 'keep', line: 'Daily' });
    await decide('renewed');
    const renewal = {
      on: '2027-03-14',
      decision: 'renewed',
      votes: [{ username: 'ana', choice: 'keep', line: 'Daily' }],
    };
    const read = async () =>
      (await api.call<Statement>('GET', `/api/assets/${asset.id}/statements/2027-03/`, { as: ana })).body;
    setClock('2027-03-20T12:00:00Z');
    expect(await read()).toMatchObject({ closed: false, renewal });
    setClock('2027-04-05T12:00:00Z');
    expect(await read()).toMatchObject({ closed: true, renewal });
  });

  it('on the first of a month is recorded in the month before, if the asset ends with it', async () => {
    const read = async (id: number, month: string) =>
      (await api.call<Statement>('GET', `/api/assets/${id}/statements/${month}/`, { as: mira })).body.renewal;
    const cycle = { every: 1, unit: 'year', anchor: '2026-06-01' };
    const [canceled, renewed] = [await api.addAsset(mira, { cycle }), await api.addAsset(mira, { cycle })];
    for (const { id } of [canceled, renewed]) {
      const body = { renews_on: '2026-06-01', decision: id === canceled.id ? 'canceled' : 'renewed' };
      expect(await api.call('POST', `/api/assets/${id}/renewal/`, { as: mira, body })).toMatchObject({ status: 200 });
    }
    setClock('2026-06-20T12:00:00Z');
    await archiveEndedAssets(api.deps);
    expect(await read(canceled.id, '2026-05')).toMatchObject({ on: '2026-06-01', decision: 'canceled' });
    expect(await read(renewed.id, '2026-05')).toBeNull();
    expect(await read(renewed.id, '2026-06')).toMatchObject({ on: '2026-06-01', decision: 'renewed' });
  });

  it('that was decided is recorded rather than an earlier one of the same month that was not', async () => {
    const cycle = { every: 1, unit: 'month', anchor: '2026-03-25' };
    const gym = await api.addAsset(mira, { subscription_cost: 30, cycle, trial_until: '2026-04-10' });
    const own = await api.share(mira, gym, ana, 10);
    const say = (renews_on: string) =>
      api.call('POST', `/api/shared-assets/${own.id}/vote/`, { as: ana, body: { renews_on, choice: 'keep' } });
    const read = async () =>
      (await api.call<Statement>('GET', `/api/assets/${gym.id}/statements/2026-04/`, { as: ana })).body.renewal;
    setClock('2026-04-09T12:00:00Z');
    expect(await say('2026-04-11')).toMatchObject({ status: 200 });
    expect(await read()).toMatchObject({ on: '2026-04-11' });
    setClock('2026-04-24T12:00:00Z');
    const body = { renews_on: '2026-04-25', decision: 'renewed' };
    await api.call('POST', `/api/assets/${gym.id}/renewal/`, { as: mira, body });
    expect(await read()).toMatchObject({ on: '2026-04-25', decision: 'renewed' });
  });

  it('and a decision name the day where there is no renewal, and refuse others like any call of the asset', async () => {
    const gym = await api.addAsset(mira, { name: 'Gym', subscription_cost: 30 });
    const own = await api.share(mira, gym, zoe, 10);
    const [renews_on, path] = ['2027-03-14', `/api/assets/${gym.id}/`];
    const decideOn = (as: SignedIn) =>
      api.call('POST', `${path}renewal/`, { as, body: { renews_on, decision: 'renewed' } });
    const closed = { status: 400, body: { fields: { renews_on: [expect.any(String)] } } };
    const body = { renews_on, choice: 'keep' };
    expect(await api.call('POST', `/api/shared-assets/${own.id}/vote/`, { as: zoe, body })).toMatchObject(closed);
    expect(await decideOn(mira)).toMatchObject(closed);
    expect(await decideOn(zoe)).toMatchObject({ status: 404 });
    await api.call('PATCH', `${path}share/${own.id}/`, { as: mira, body: { manager: true } });
    expect(await decideOn(zoe)).toMatchObject({ status: 403, body: { code: 'owner_only' } });
  });

  it('binds no one: the owner decides, and a canceled plan ends with its renewal', async () => {
    setClock('2027-02-01T12:00:00Z');
    expect(await decide('canceled', ana)).toMatchObject({ status: 404 });
    expect(await decide('canceled')).toMatchObject({ status: 200, body: { decision: 'canceled' } });
    const read = () => api.call<OwnedAsset>('GET', `/api/assets/${asset.id}/`, { as: mira });
    expect((await read()).body).toMatchObject({ ends_on: '2027-03-14' });
    expect((await list(ana)).results).toMatchObject([{ kind: 'end', on: '2027-03-14' }]);
    await remind();
    expect(await told(ana)).toEqual([]);
    expect(await decide('renewed')).toMatchObject({ status: 200, body: { decision: 'renewed' } });
    expect((await read()).body).toMatchObject({ ends_on: null });
    expect(await decide('renewed', mira, '2027-03-15')).toMatchObject({ status: 400 });
    await remind();
    expect(await told(ana)).toEqual([]);
  });

  it('decides about what does not renew by itself: it ends with its next renewal unless it is renewed', async () => {
    const path = `/api/assets/${asset.id}/`;
    const patch = async (body: object) => (await api.call<OwnedAsset>('PATCH', path, { as: mira, body })).body.ends_on;
    const listed = async () => (await list(ana)).results.map(({ kind, on, decision }) => [kind, on, decision]);
    const { address } = (await api.call<CalendarAddress>('POST', '/api/me/calendar/', { as: ana })).body;
    setClock('2027-02-01T12:00:00Z');
    expect(await patch({ auto_renews: false })).toBe('2027-03-14');
    expect(await listed()).toEqual([['renewal', '2027-03-14', null]]);
    expect((await vote({ renews_on: '2027-03-14', choice: 'keep' })).status).toBe(200);
    await remind();
    expect(await told(ana)).toEqual([
      ['Films ends on March 14 unless renewed', '$120.00; cancel by February 28', '/renewals'],
    ]);
    expect((await api.call('GET', new URL(address).pathname)).text).toContain('SUMMARY:Films ends unless renewed\r\n');
    await decide('canceled');
    expect(await listed()).toEqual([['end', '2027-03-14', 'canceled']]);
    await decide('renewed');
    expect(await patch({ description: 'Ours' })).toBe('2028-03-14');
    expect(await listed()).toEqual([['renewal', '2027-03-14', 'renewed']]);
    // Not renewed the year after.
    setClock('2028-04-20T12:00:00Z');
    await archiveEndedAssets(api.deps);
    const priceIn = async (month: string) =>
      (await api.call<Statement>('GET', `${path}statements/${month}/`, { as: mira })).body.price;
    expect(await priceIn('2027-04')).toBeGreaterThan(0);
    expect(await priceIn('2028-03')).toBe(4.27);
    // Restored, it goes on to its next renewal.
    expect(await patch({ archived: false })).toBe('2029-03-14');
  });

  it('is not needed for what renews by itself again, has an end of its own, or no cycle', async () => {
    const path = `/api/assets/${asset.id}/`;
    const patch = async (body: object) => (await api.call<OwnedAsset>('PATCH', path, { as: mira, body })).body.ends_on;
    expect(await patch({ auto_renews: false })).toBe('2027-03-14');
    expect(await patch({ auto_renews: true })).toBeNull();
    expect(await patch({ auto_renews: false, ends_on: '2028-01-01' })).toBe('2028-01-01');
    expect((await list(mira)).results.map(({ kind }) => kind)).toEqual(['renewal', 'renewal']);
    expect(await patch({ ends_on: null })).toBe('2027-03-14');
    expect(await patch({ ends_on: null })).toBe('2027-03-14');
    const cycle = { every: 1, unit: 'year', anchor: '2026-05-01' };
    expect(await patch({ cycle, subscription_cost: 120, trial_until: '2026-06-10' })).toBe('2027-05-01');
    expect(await patch({ cycle: null, subscription_cost: 10 })).toBeNull();
    expect((await api.addAsset(mira, { cycle, auto_renews: false })).ends_on).toBe('2026-05-01');
  });

  it('is also on the end of a trial, until its last day; canceled, the asset ends with it', async () => {
    const gym = await api.addAsset(mira, { name: 'Gym', subscription_cost: 30, trial_until: '2026-04-13' });
    const own = await api.share(mira, gym, ana, 10);
    const renews_on = '2026-04-14';
    const say = (choice: string) =>
      api.call<Renewal>('POST', `/api/shared-assets/${own.id}/vote/`, { as: ana, body: { renews_on, choice } });
    const decideOn = (decision: string) =>
      api.call<Renewal>('POST', `/api/assets/${gym.id}/renewal/`, { as: mira, body: { renews_on, decision } });
    const read = () => api.call<OwnedAsset>('GET', `/api/assets/${gym.id}/`, { as: mira });
    const notice = ['The free trial of Gym ends; paid from April 14', '$30.00; cancel by April 13', '/renewals'];
    setClock('2026-04-05T12:00:00Z');
    await remind();
    expect(await say('keep')).toMatchObject({ status: 400 });
    expect(await told(ana)).toEqual([]);
    setClock('2026-04-06T12:00:00Z');
    await remind();
    expect(await told(ana)).toEqual([notice]);
    expect(await say('keep')).toMatchObject({ status: 200, body: { kind: 'trial', open: true, your_vote: 'keep' } });
    expect(await decideOn('canceled')).toMatchObject({ status: 200, body: { decision: 'canceled' } });
    expect((await read()).body).toMatchObject({ ends_on: renews_on });
    expect(await decideOn('renewed')).toMatchObject({ status: 200, body: { decision: 'renewed', kind: 'trial' } });
    expect((await read()).body).toMatchObject({ ends_on: null });
    setClock('2026-04-13T12:00:00Z');
    await remind();
    expect(await told(ana)).toEqual([notice]);
    expect(await say('smaller')).toMatchObject({ status: 200 });
    setClock('2026-04-14T12:00:00Z');
    expect(await say('keep')).toMatchObject({ status: 400 });
    const statement = await api.call<Statement>('GET', `/api/assets/${gym.id}/statements/2026-04/`, { as: ana });
    expect(statement.body.renewal).toMatchObject({
      on: renews_on,
      decision: 'renewed',
      votes: [{ choice: 'smaller' }],
    });
  });

  it('renewed, the plan still ends on the later day that its owner set', async () => {
    setClock('2027-02-01T12:00:00Z');
    const path = `/api/assets/${asset.id}/`;
    await api.call('PATCH', path, { as: mira, body: { ends_on: '2028-03-14' } });
    expect(await decide('renewed')).toMatchObject({ status: 200, body: { decision: 'renewed' } });
    expect(await api.call('GET', path, { as: mira })).toMatchObject({ body: { ends_on: '2028-03-14' } });
  });

  it('is decided again once its owner sets another end, but not if it has passed', async () => {
    setClock('2027-02-01T12:00:00Z');
    const setEnd = (ends_on: string | null) =>
      api.call('PATCH', `/api/assets/${asset.id}/`, { as: mira, body: { ends_on } });
    const decided = async () => (await list(mira)).results.map(({ kind, decision }) => [kind, decision]);
    await decide('canceled');
    await setEnd(null);
    expect(await decided()).toEqual([['renewal', null]]);
    await decide('renewed');
    await setEnd('2027-03-14');
    expect(await decided()).toEqual([['end', null]]);
    await decide('canceled');
    setClock('2027-03-14T12:00:00Z');
    await archiveEndedAssets(api.deps);
    await api.call('PATCH', `/api/assets/${asset.id}/`, { as: mira, body: { archived: false } });
    expect(await decided()).toContainEqual(['renewal', 'canceled']);
  });

  it('goes with the account that made it', async () => {
    setClock('2027-02-01T12:00:00Z');
    await vote({ renews_on: '2027-03-14', choice: 'keep' });
    await api.call('DELETE', '/api/me/', {
      as: ana,
      body: { current_password: 'correct horse battery', keep_name: true },
    });
    expect((await list(mira)).results).toMatchObject([{ votes: [] }]);
  });

  it('stays on the statement without the name, if the account that made it takes that along', async () => {
    setClock('2027-02-01T12:00:00Z');
    await vote({ renews_on: '2027-03-14', choice: 'keep', line: 'Every day' });
    await api.call('POST', `/api/shared-assets/${share.id}/leave/`, { as: ana });
    setClock('2027-04-05T12:00:00Z');
    const path = `/api/assets/${asset.id}/statements/2027-03/`;
    const votes = async () => (await api.call<Statement>('GET', path, { as: mira })).body.renewal?.votes;
    expect(await votes()).toEqual([{ username: 'ana', choice: 'keep', line: 'Every day' }]);
    await api.call('DELETE', '/api/me/', {
      as: ana,
      body: { current_password: 'correct horse battery', keep_name: false },
    });
    expect(await votes()).toEqual([
      { username: expect.stringMatching(/^Deleted user/), choice: 'keep', line: 'Every day' },
    ]);
  });
});
