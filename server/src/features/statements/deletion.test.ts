import type { SignedIn } from '@hourshare/contract/sign-ins';
import type { OwnedAsset } from '@hourshare/contract/assets';
import type { Balance } from '@hourshare/contract/settlements';
import type { Session } from '@hourshare/contract/sessions';
import type { SharedAsset } from '@hourshare/contract/shares';
import type { Statement } from '@hourshare/contract/statements';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openTestApi, type TestApi } from '../../testing/api.ts';
import { amounts, billingCalls, CLOSED, type Household } from '../../testing/bills.ts';
import { removeAllDeletedAssets } from '../assets/service.ts';
import { brokenPeriods, upkeepOf } from '../periods/upkeep/service.ts';
import { verifyUsage } from '../usage/service.ts';
import { closeDuePeriods } from './closing/service.ts';

let api: TestApi;
let home: Household;
beforeAll(async () => {
  api = await openTestApi();
});
/** Mira's asset of $20.00 in February, used by Ana (30 h) and Ben (0.1 h). It is February 20, 12:00 UTC. */
beforeEach(async () => {
  await api.reset();
  home = await household();
});
afterAll(() => api.close());

const { setClock, get, send, record, statementOf, statementsOf, household } = billingCalls(() => api);

const path = (rest = '') => `/api/assets/${home.asset.id}/${rest}`;
const remove = (bill?: string) =>
  api.call('DELETE', path(bill === undefined ? '' : `?bill=${bill}`), { as: home.mira });
const change = (body: object) => api.call<OwnedAsset>('PATCH', path(), { as: home.mira, body });
const february = (as: SignedIn) => statementOf(home.asset, '2026-02', as);
const listed = async (as: SignedIn, month?: string) =>
  (await get<{ results: Statement[] }>(`/api/statements/${month === undefined ? '' : `?month=${month}`}`, as)).results;
const past = async (as: SignedIn) =>
  (await get<{ results: SharedAsset[] }>('/api/shared-assets/?status=past', as)).results;
const owes = async (as: SignedIn) =>
  (await get<{ results: Balance[] }>('/api/balances/', as)).results.map(({ you_owe }) => you_owe);
const editFirst = async (as: SignedIn, share: SharedAsset, body: object) => {
  const logs = `/api/shared-assets/${share.id}/logs/`;
  const [session] = (await get<{ results: Session[] }>(logs, as)).results;
  return api.call<Session>('PATCH', `${logs}${session?.id}/`, { as, body });
};
const rows = async (table: 'assets' | 'periods' | 'shares' | 'sessions' | 'usage_days') =>
  (await api.deps.db.selectFrom(table).selectAll().execute()).length;

const SHORTER = { end_time: '2026-02-03T18:00:00Z' };
const EVENLY = { split_method: 'equal' };

describe('an asset deleted a second after a month', () => {
  const DELETED = '2026-03-01T00:00:01.000Z';
  // It was closed at once, with a forgotten session in it that no one could edit anymore.
  it('leaves the month open to everyone for 72 hours, and is billed as usual', async () => {
    const { mira, ana, ben, shareOfAna } = home;
    setClock(DELETED);
    expect((await remove()).status).toBe(204);
    expect(await february(ana)).toMatchObject({ closed: false, closes_at: CLOSED, deleted_at: null });
    expect(await past(ana)).toMatchObject([{ id: shareOfAna.id, status: 'past', ended_at: DELETED }]);
    setClock('2026-03-02T00:00:00Z');
    const edited = await editFirst(ana, shareOfAna, SHORTER);
    expect(amounts(await february(mira))).toEqual({ mira: 13.98, ana: 6, ben: 0.02 });
    const accept = path(`sessions/${edited.body.id}/request/accept/`);
    expect((await api.call('POST', accept, { as: mira })).status).toBe(200);
    expect(amounts(await february(mira))).toEqual({ mira: 17.98, ana: 2, ben: 0.02 });

    setClock(CLOSED);
    await closeDuePeriods(api.deps);
    const bill = { closed: true, asset_id: home.asset.id, ends_at: '2026-03-01T00:00:00.000Z', deleted_at: null };
    for (const as of [mira, ana, ben]) expect(await listed(as, '2026-02')).toMatchObject([bill]);
    expect(await editFirst(ana, shareOfAna, SHORTER)).toMatchObject({ status: 400, body: { code: 'month_closed' } });
    expect(await owes(ana)).toEqual([2]);
  });

  it('is removed with everything in it once its last month has closed', async () => {
    const { mira, ana } = home;
    setClock(DELETED);
    await remove();
    setClock(CLOSED);
    await closeDuePeriods(api.deps);
    expect([await rows('assets'), await rows('shares'), await rows('periods')]).toEqual([1, 2, 2]);
    setClock('2026-03-04T00:00:01.000Z');
    await closeDuePeriods(api.deps);
    for (const table of ['assets', 'periods', 'shares', 'sessions', 'usage_days'] as const)
      expect([table, await rows(table)]).toEqual([table, 0]);
    expect(await past(ana)).toEqual([]);
    const [billed] = await listed(mira, '2026-02');
    expect(billed).toMatchObject({ asset_id: null, asset_name: 'Netflix Premium', deleted_at: null });
    expect(amounts(billed!)).toEqual({ mira: 13.98, ana: 6, ben: 0.02 });
    expect(await listed(mira, '2026-03')).toMatchObject([{ asset_id: null, deleted_at: DELETED, ends_at: DELETED }]);
    expect((await api.call('GET', path('statements/'), { as: mira })).status).toBe(404);
  });

  it('can be closed early if every member agrees, and not otherwise', async () => {
    const { mira, ana, ben } = home;
    setClock(DELETED);
    await remove();
    const answer = (month: string, what: string, as: SignedIn) =>
      api.call<Statement>('POST', path(`statements/${month}/${what}/`), { as });
    expect(await answer('2026-03', 'close', mira)).toMatchObject({ status: 400, body: { code: 'members_may_edit' } });
    for (const month of ['2026-02', '2026-03'])
      for (const as of [ana, ben]) expect((await answer(month, 'confirm', as)).status).toBe(200);
    expect((await answer('2026-03', 'close', ana)).status).toBe(404);
    expect(await answer('2026-03', 'close', mira)).toMatchObject({
      status: 200,
      body: { closed: true, asset_id: null, deleted_at: DELETED },
    });
    expect(await rows('assets')).toBe(0);
    expect(await owes(ana)).toEqual([6]);
  });
});

describe('the running month of a deleted asset', () => {
  const DELETED = '2026-02-20T12:00:00.000Z';
  const WHEN = { ends_at: DELETED, deleted_at: DELETED, closes_at: '2026-02-23T12:00:00.000Z' };

  it('ends now, and by default is billed with the days and use up to now', async () => {
    const { mira, ana, ben, shareOfBen } = home;
    await change(EVENLY);
    for (const table of ['periods', 'agreements'] as const)
      await api.deps.db.updateTable(table).set({ split_method: 'equal' }).execute();
    await send('POST', `/api/shared-assets/${shareOfBen.id}/start/`, { as: ben });
    await remove();
    const bill = { ...WHEN, ended: true, closed: false, price: 20, unbilled: false };
    expect(await february(mira)).toMatchObject({ ...bill, places: 3 });
    expect(amounts(await february(mira))).toEqual({ mira: 10.48, ana: 4.76, ben: 4.76 });
    expect((await february(ana)).lines).toMatchObject([{ days: 20, summed_hours: 20 * 60, used_hours: 30 }]);
    // Still part of what this month costs.
    for (const as of [mira, ana, ben]) expect(await listed(as)).toMatchObject([{ ...bill }]);
    setClock('2026-02-23T12:00:00Z');
    for (const as of [mira, ana, ben]) expect(await listed(as)).toMatchObject([{ ...bill, closed: true }]);
    expect([await owes(ana), await rows('assets')]).toEqual([[4.76], 0]);
    setClock('2026-03-01T00:00:00Z');
    expect([await listed(mira), (await listed(mira, '2026-02')).length]).toEqual([[], 1]);
  });

  it('counts days in the time zone of the asset', async () => {
    await change({ time_zone: 'America/New_York' });
    setClock('2026-03-20T03:00:00Z');
    await remove();
    const { lines } = await statementOf(home.asset, '2026-03', home.mira);
    expect(lines.slice(1).map(({ days }) => days)).toEqual([19, 19]);
  });

  it('costs no one anything if the owner chooses so, and says so', async () => {
    const { mira, ana } = home;
    expect((await remove('nothing')).status).toBe(204);
    const bill = { ...WHEN, price: 0, unbilled: true };
    expect(await february(ana)).toMatchObject({ ...bill, lines: [{ amount: 0, used_hours: 30 }] });
    setClock('2026-02-23T12:00:00Z');
    expect(await listed(mira, '2026-02')).toMatchObject([{ ...bill, closed: true, asset_id: null }]);
    expect(await owes(ana)).toEqual([]);
  });

  it('leaves no statement if it is neither billed nor used, or no one had access; the asset goes at once, or a day after an offer', async () => {
    const { mira, ana } = home;
    setClock('2026-03-20T00:00:00Z');
    expect((await february(mira)).closed).toBe(true);
    const own = await api.addAsset(mira);
    await api.offer(mira, own, ana);
    await send('DELETE', `/api/assets/${own.id}/`, { as: mira });
    // Until then, the offer counts among those of a day.
    setClock('2026-03-20T23:59:59.999Z');
    await removeAllDeletedAssets(api.deps);
    expect([await rows('assets'), await brokenPeriods(api.deps.db)]).toEqual([2, []]);
    setClock('2026-03-21T00:00:00Z');
    await removeAllDeletedAssets(api.deps);
    expect(await rows('assets')).toBe(1);
    await remove('nothing');
    expect([await rows('assets'), await listed(mira, '2026-03')]).toEqual([0, []]);
    expect(await listed(mira, '2026-02')).toHaveLength(1);
  });

  it('leaves no statement, and the asset goes at once if its only offer was promised', async () => {
    const { mira, ana } = home;
    const own = await api.addAsset(mira);
    await api.offer(mira, own, ana);
    const promised = { starts_on: '2026-03-01', promised_at: api.clock.now };
    await api.deps.db.updateTable('shares').set(promised).where('asset_id', '=', own.id).execute();
    await send('DELETE', `/api/assets/${own.id}/`, { as: mira });
    expect(await rows('assets')).toBe(1);
  });

  it('is removed with all others that are due, in several batches', async () => {
    const { id: owner_id } = home.mira.user;
    const at = api.clock.now;
    const gone = Array.from({ length: 101 }, (_, index) => ({
      owner_id,
      name: `gone ${index}`,
      description: '',
      created_at: at,
      deleted_at: at,
    }));
    await api.deps.db.insertInto('assets').values(gone).execute();
    await removeAllDeletedAssets(api.deps);
    expect(await rows('assets')).toBe(1);
  });

  it('that is not billed leaves the month before it as it is', async () => {
    setClock('2026-03-01T12:00:00Z');
    await record(home.shareOfAna, '2026-03-01T08:00:00Z', 1);
    await remove('nothing');
    setClock('2026-03-04T12:00:00Z');
    await closeDuePeriods(api.deps);
    expect(amounts((await listed(home.mira, '2026-02'))[0]!)).toEqual({ mira: 13.98, ana: 6, ben: 0.02 });
    expect(await listed(home.mira, '2026-03')).toMatchObject([{ price: 0, unbilled: true }]);
  });

  it('leaves no gaps behind, and no use that the sessions do not have', async () => {
    await send('POST', `/api/shared-assets/${home.shareOfBen.id}/start/`, { as: home.ben });
    api.clock.advance(90_000);
    await remove();
    api.clock.advance(60 * 24 * 3_600_000);
    upkeepOf(api.deps).extendedAt = -Infinity;
    await get('/api/assets/', home.mira);
    expect([await rows('periods'), await brokenPeriods(api.deps.db)]).toEqual([1, []]);
    for await (const { days } of verifyUsage(api.deps.db, { repair: false })) expect(days).toEqual([]);
  });

  it.each(['', 'all', 'until_today&bill=nothing'])('cannot be billed for %j', async (bill) => {
    expect(await remove(bill)).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
    expect((await api.call('GET', path(), { as: home.mira })).status).toBe(200);
  });
});

describe('a deleted asset', () => {
  it('is gone for its owner in every call but those about its statements and sessions', async () => {
    const { mira, ben, shareOfAna } = home;
    const { id: invitation, token } = await api.invite(mira, home.asset);
    await remove();
    const terms = { subscription_cost: 1, from_month: '2026-02' };
    for (const [method, rest, body] of [
      ['GET', ''],
      ['PATCH', '', { name: 'Back' }],
      ['PATCH', '', { archived: false }],
      ['DELETE', ''],
      ['GET', 'prices/'],
      ['POST', 'prices/', terms],
      ['GET', 'analytics/'],
      ['GET', 'history/'],
      ['POST', 'split-preview/', {}],
      ['POST', 'share/', { username: 'ben', monthly_hours_allocated: 1 }],
      ['PATCH', `share/${shareOfAna.id}/`, { monthly_hours_allocated: 1 }],
      ['DELETE', `share/${shareOfAna.id}/`],
      ['POST', 'invitations/', { monthly_hours_allocated: 1 }],
      ['DELETE', `invitations/${invitation}/`],
    ] as const) {
      const { status } = await api.call(method, path(rest), { as: mira, ...(body && { body }) });
      expect([method, rest, status]).toEqual([method, rest, 404]);
    }
    for (const list of ['/api/assets/', '/api/findings/'])
      expect((await get<{ results: unknown[] }>(list, mira)).results).toEqual([]);
    expect((await api.call('POST', `/api/invitations/${token}/`, { as: ben })).status).toBe(404);
    expect(await statementsOf(home.asset, mira)).toHaveLength(1);
    // Its name is free.
    expect((await api.addAsset(mira)).name).toBe(home.asset.name);
  });

  it('gives its members no access: sessions and offers end', async () => {
    const { mira, ana, asset, shareOfAna } = home;
    const zoe = await api.register('zoe');
    const offer = await api.offer(mira, asset, zoe);
    const use = (what: string, id: number, as: SignedIn) =>
      api.call('POST', `/api/shared-assets/${id}/${what}/`, { as });
    await use('start', shareOfAna.id, ana);
    api.clock.advance(60_000);
    await remove();
    for (const what of ['start', 'end', 'leave']) expect((await use(what, shareOfAna.id, ana)).status).toBe(404);
    expect((await use('accept', offer.id, zoe)).status).toBe(404);
    for (const as of [ana, zoe])
      expect((await get<{ results: unknown[] }>('/api/shared-assets/', as)).results).toEqual([]);
    const logs = await get<{ results: Session[] }>(`/api/shared-assets/${shareOfAna.id}/logs/`, ana);
    expect(logs.results[0]).toMatchObject({ end_time: '2026-02-20T12:01:00.000Z', duration: 1 });
    expect([(await past(ana)).length, await past(zoe)]).toEqual([1, []]);
  });
});

describe('archiving', () => {
  const archive = (bill?: string) => change({ archived: true, ...(bill !== undefined && { bill }) });

  it('bills the running month up to then by default', async () => {
    expect((await archive()).body.unbilled).toBe(false);
    expect(await february(home.ana)).toMatchObject({ price: 20, unbilled: false, deleted_at: null });
    setClock(CLOSED);
    expect((await february(home.mira)).lines.map(({ days }) => days)).toEqual([0, 20, 20]);
  });

  it('can leave the running month unbilled, which it stays, whatever is chosen later', async () => {
    expect((await archive('nothing')).body).toMatchObject({ unbilled: true, subscription_cost: 20 });
    const free = { price: 0, unbilled: true, lines: [{ amount: 0 }] };
    expect(await february(home.ana)).toMatchObject(free);
    for (const body of [{ archived: true, bill: 'until_today' }, { name: 'Films' }, { archived: false }])
      expect((await change(body)).body.unbilled).toBe(true);
    expect((await archive('until_today')).body.unbilled).toBe(true);
    setClock('2026-03-01T00:00:00Z');
    expect((await archive('until_today')).body.unbilled).toBe(false);
    await change({ archived: false });
    expect(await february(home.ana)).toMatchObject({ ...free, closed: false });
    setClock(CLOSED);
    expect(await february(home.ana)).toMatchObject({ ...free, closed: true });
    expect((await statementOf(home.asset, '2026-03', home.mira)).price).toBe(20);
  });

  it('leaves no statement of a month that is neither billed nor used', async () => {
    setClock('2026-03-10T00:00:00Z');
    await archive('nothing');
    setClock('2026-04-10T00:00:00Z');
    expect((await statementsOf(home.asset, home.mira)).map(({ month }) => month)).toEqual(['2026-02']);
  });

  it.each([undefined, 'until_today'])('decides for a deletion that says %s', async (bill) => {
    await archive('nothing');
    await remove(bill);
    expect(await february(home.ana)).toMatchObject({ price: 0, unbilled: true });
  });

  it('for the whole month leaves nothing to bill when the asset is deleted', async () => {
    await archive();
    setClock('2026-03-20T00:00:00Z');
    expect((await february(home.mira)).closed).toBe(true);
    expect(await past(home.ana)).toEqual([]);
    await remove();
    expect([await rows('assets'), await listed(home.mira, '2026-03')]).toEqual([0, []]);
  });

  it.each([{ bill: 'nothing' }, { archived: false, bill: 'nothing' }, { archived: true, bill: 'half' }])(
    'is what a choice of billing needs: %j',
    async (body) => {
      expect(await change(body)).toMatchObject({
        status: 400,
        body: { code: 'validation_failed', fields: { bill: [expect.any(String)] } },
      });
      expect((await february(home.ana)).price).toBe(20);
    },
  );
});
