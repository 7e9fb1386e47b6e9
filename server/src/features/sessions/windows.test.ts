import type { SignedIn } from '@hourshare/contract/sign-ins';
import type { LoggedSession, Session } from '@hourshare/contract/sessions';
import type { SharedAsset } from '@hourshare/contract/shares';
import type { Statement } from '@hourshare/contract/statements';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openTestApi, type TestApi } from '../../testing/api.ts';
import { billingCalls, CLOSED, JUST_BEFORE, type Household } from '../../testing/bills.ts';

let api: TestApi;
let home: Household;
beforeAll(async () => {
  api = await openTestApi();
});
/** Ana's session is February 3, 8:00 to February 4, 14:00 UTC. February would close on March 4, 0:00. */
beforeEach(async () => {
  await api.reset();
  home = await household();
});
afterAll(() => api.close());

const { setClock, get, send, statementOf, household } = billingCalls(() => api);

const logsOf = async (as: SignedIn, share: SharedAsset) =>
  (await get<{ results: LoggedSession[] }>(`/api/shared-assets/${share.id}/logs/`, as)).results;
const sessionPath = async (as: SignedIn, share: SharedAsset) =>
  `/api/shared-assets/${share.id}/logs/${(await logsOf(as, share))[0]?.id}/`;
const edit = async (as: SignedIn, share: SharedAsset, body: object) =>
  api.call<Session>('PATCH', await sessionPath(as, share), { as, body });
const past = async (as: SignedIn) =>
  (await get<{ results: SharedAsset[] }>('/api/shared-assets/?status=past', as)).results;
const end = ({ id }: SharedAsset) => send('DELETE', `/api/assets/${home.asset.id}/share/${id}/`, { as: home.mira });

const SHORTER = { end_time: '2026-02-03T08:00:00.400Z' };

describe('someone whose access has ended', () => {
  it('can read and edit their sessions until the month closes', async () => {
    const { ana, asset, mira, shareOfAna } = home;
    await end(shareOfAna);
    expect(await past(ana)).toMatchObject([
      { id: shareOfAna.id, status: 'past', ended_at: '2026-02-20T12:00:00.000Z' },
    ]);
    expect((await get<{ results: unknown[] }>('/api/shared-assets/', ana)).results).toEqual([]);
    setClock('2026-02-28T00:00:00Z');
    expect(await edit(ana, shareOfAna, { end_time: '2026-02-03T18:00:00Z' })).toMatchObject({
      status: 200,
      body: { duration: 600 },
    });
    setClock('2026-03-02T00:00:00Z');
    expect((await edit(ana, shareOfAna, { end_time: '2026-02-03T19:00:00Z' })).body.duration).toBe(660);
    expect((await statementOf(asset, '2026-02', mira)).lines[1]).toMatchObject({ username: 'ana', used_hours: 11 });
    setClock(CLOSED);
    expect(await edit(ana, shareOfAna, SHORTER)).toMatchObject({ status: 400, body: { code: 'month_closed' } });
    expect([await past(ana), await logsOf(ana, shareOfAna)]).toMatchObject([[], [{ duration: 660 }]]);
  });

  it('cannot move a session past the end of their access', async () => {
    const { ana, shareOfAna } = home;
    await end(shareOfAna);
    setClock('2026-02-25T00:00:00Z');
    const times = { start_time: '2026-02-20T11:00:00Z', end_time: '2026-02-20T12:00:01Z' };
    expect(await edit(ana, shareOfAna, times)).toMatchObject({
      status: 400,
      body: { fields: { end_time: ['Your access to this asset had ended by then.'] } },
    });
    expect((await edit(ana, shareOfAna, { ...times, end_time: '2026-02-20T12:00:00Z' })).status).toBe(200);
  });

  it('can also edit while the asset is archived', async () => {
    const { mira, ana, asset, shareOfAna } = home;
    await send('PATCH', `/api/assets/${asset.id}/`, { as: mira, body: { archived: true } });
    expect(await past(ana)).toMatchObject([{ id: shareOfAna.id, status: 'past', ended_at: null }]);
    expect((await edit(ana, shareOfAna, SHORTER)).status).toBe(200);
    setClock('2026-04-20T00:00:00Z');
    await statementOf(asset, '2026-02', mira);
    expect(await past(ana)).toEqual([]);
  });

  it('cannot move a session into time in which the asset was archived', async () => {
    const { mira, ana, asset, shareOfAna } = home;
    const archive = (archived: boolean) => send('PATCH', `/api/assets/${asset.id}/`, { as: mira, body: { archived } });
    await archive(true);
    setClock('2026-02-20T18:00:00Z');
    const refused = (field: string) => ({
      status: 400,
      body: { fields: { [field]: ['This asset was archived at that time.'] } },
    });
    const at = (from: string, to: string) =>
      edit(ana, shareOfAna, { start_time: `2026-02-20T${from}:00Z`, end_time: `2026-02-20T${to}:00Z` });
    expect(await at('11:00', '12:01')).toMatchObject(refused('end_time'));
    expect(await at('12:00', '13:00')).toMatchObject(refused('start_time'));
    await archive(false);
    setClock('2026-02-20T20:00:00Z');
    expect(await at('17:59', '19:00')).toMatchObject(refused('start_time'));
    expect(await at('11:00', '19:00')).toMatchObject(refused('end_time'));
    expect((await at('11:00', '12:00')).status).toBe(200);
    expect((await at('18:00', '19:00')).status).toBe(200);
  });

  it('cannot be read or edited by anyone else', async () => {
    const { ben, shareOfAna } = home;
    const path = await sessionPath(home.ana, shareOfAna);
    await end(shareOfAna);
    expect((await api.call('GET', `/api/shared-assets/${shareOfAna.id}/logs/`, { as: ben })).status).toBe(404);
    expect((await api.call('PATCH', path, { as: ben, body: SHORTER })).status).toBe(404);
  });
});

it('an ended month stays open when the asset is archived and restored', async () => {
  const { mira, ana, asset, shareOfAna } = home;
  setClock('2026-03-01T00:00:01Z');
  for (const archived of [true, false])
    await send('PATCH', `/api/assets/${asset.id}/`, { as: mira, body: { archived } });
  expect((await statementOf(asset, '2026-02', mira)).closed).toBe(false);
  expect((await edit(ana, shareOfAna, SHORTER)).status).toBe(200);
});

it('an edit a moment before the close keeps nothing open', async () => {
  setClock(JUST_BEFORE);
  expect((await edit(home.ana, home.shareOfAna, { end_time: '2026-02-04T15:00:00Z' })).status).toBe(200);
  expect((await statementOf(home.asset, '2026-02', home.mira)).closes_at).toBe(CLOSED);
  setClock(CLOSED);
  expect((await statementOf(home.asset, '2026-02', home.mira)).closed).toBe(true);
});

it('an edit withdraws that its member has nothing to edit in that month', async () => {
  const { mira, ana, ben, asset, shareOfAna } = home;
  setClock('2026-03-01T12:00:00Z');
  const call = (action: string, as: SignedIn) =>
    api.call<Statement>('POST', `/api/assets/${asset.id}/statements/2026-02/${action}/`, { as });
  for (const as of [ana, ben]) expect((await call('confirm', as)).status).toBe(200);
  await edit(ana, shareOfAna, { end_time: '2026-02-04T15:00:00Z' });
  expect(await call('close', mira)).toMatchObject({ status: 400, body: { code: 'members_may_edit' } });
  expect((await call('confirm', ana)).status).toBe(200);
  expect(await call('close', mira)).toMatchObject({ status: 200, body: { closed: true } });
});
