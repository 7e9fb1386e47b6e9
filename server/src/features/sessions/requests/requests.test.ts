import type { SignedIn } from '@hourshare/contract/sign-ins';
import type { LoggedSession, MemberSession, SessionOrRequest } from '@hourshare/contract/sessions';
import type { Notice } from '@hourshare/contract/notifications';
import type { SharedAsset } from '@hourshare/contract/shares';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openTestApi, TEST_PASSWORD, type TestApi } from '../../../testing/api.ts';
import { billingCalls, CLOSED, JUST_BEFORE, type Household } from '../../../testing/bills.ts';
import { disableAccount } from '../../accounts/administration/service.ts';
import { dispatchAll } from '../../notifications/dispatch/service.ts';
import { verifyUsage } from '../../usage/service.ts';

let api: TestApi;
let home: Household;
beforeAll(async () => {
  api = await openTestApi();
});
/** Ana's session is February 3, 8:00 to February 4, 14:00 UTC, Ben's 6 minutes. It is March 1, 12:00; February closes on March 4. */
beforeEach(async () => {
  await api.reset();
  home = await household();
  setClock('2026-03-01T12:00:00Z');
});
afterAll(() => api.close());

const { setClock, get, send, record, statementOf, household } = billingCalls(() => api);

const RECORDED = { start_time: '2026-02-03T08:00:00.000Z', end_time: '2026-02-04T14:00:00.000Z' };
const SHORTER = { end_time: '2026-02-03T18:00:00.000Z' };

const logs = async (as = home.ana, share = home.shareOfAna) =>
  (await get<{ results: LoggedSession[] }>(`/api/shared-assets/${share.id}/logs/`, as)).results;
const ownerLogs = async () =>
  (await get<{ results: MemberSession[] }>(`/api/assets/${home.asset.id}/sessions/`, home.mira)).results;
const idOf = async (start = '2026-02-03T08') =>
  (await ownerLogs()).find((each) => (each.edited?.start_time ?? each.start_time).startsWith(start))?.id;
const own = async (start?: string) => `/api/shared-assets/${home.shareOfAna.id}/logs/${await idOf(start)}/`;
const edit = async (body: object, start?: string) =>
  api.call<SessionOrRequest>('PATCH', await own(start), { as: home.ana, body });
const remove = async () => api.call<SessionOrRequest>('DELETE', await own(), { as: home.ana });
const answer = async (verb: 'accept' | 'decline', as: SignedIn = home.mira, start?: string) =>
  api.call<MemberSession>('POST', `/api/assets/${home.asset.id}/sessions/${await idOf(start)}/request/${verb}/`, {
    as,
  });
const withdraw = async () => api.call<LoggedSession>('DELETE', `${await own()}request/`, { as: home.ana });
const usedHours = async (month = '2026-02') =>
  (await statementOf(home.asset, month, home.mira)).lines.find(({ username }) => username === 'ana')?.used_hours;
const noticesOf = async (as: SignedIn) => {
  await dispatchAll(api.deps);
  return (await get<{ results: Notice[] }>('/api/notifications/', as)).results;
};
async function expectUsageRight(): Promise<void> {
  for await (const { days } of verifyUsage(api.deps.db, { repair: false })) expect(days).toEqual([]);
}

/** Makes an asset split by share of use, in which Ben has used an hour and Zoe nothing. */
async function shareByUse(): Promise<{ zoe: SignedIn; shareOfZoe: SharedAsset }> {
  setClock('2026-02-20T12:00:00Z');
  const zoe = await api.register('zoe');
  const shareOfZoe = await api.share(home.mira, home.asset, zoe);
  const terms = { split_method: 'share_of_use' as const, max_hour_cents: 100 };
  await api.deps.db.updateTable('periods').set(terms).execute();
  setClock('2026-03-01T12:00:00Z');
  return { zoe, shareOfZoe };
}

describe('an edit that takes time out of an ended month', () => {
  it('is a request, and counts once the owner accepts it', async () => {
    const request = {
      status: 'open',
      start_time: RECORDED.start_time,
      end_time: SHORTER.end_time,
      requested_at: '2026-03-01T12:00:00.000Z',
      waits_for: ['mira'],
    };
    expect(await edit(SHORTER)).toMatchObject({ status: 200, body: { ...RECORDED, duration: 1800, request } });
    expect(await logs()).toMatchObject([{ ...RECORDED, edited: null, objection: null, request }]);
    expect((await ownerLogs())[1]).toMatchObject({ username: 'ana', ...RECORDED, request });
    expect(await usedHours()).toBe(30);
    expect(await answer('accept')).toMatchObject({
      status: 200,
      body: { duration: 600, edited: { kind: 'corrected', objection_until: null }, request: { status: 'accepted' } },
    });
    expect(await usedHours()).toBe(10);
    await expectUsageRight();
    // The owner has said yes to it.
    const objection = `/api/assets/${home.asset.id}/sessions/${await idOf()}/objection/`;
    expect(await api.call('POST', objection, { as: home.mira, body: {} })).toMatchObject({
      status: 400,
      body: { code: 'objection_too_late' },
    });
    setClock(CLOSED);
    expect(await usedHours()).toBe(10);
  });

  it('is a request to remove the session, too', async () => {
    expect(await remove()).toMatchObject({
      status: 200,
      body: { ...RECORDED, request: { status: 'open', start_time: null, end_time: null } },
    });
    expect(await usedHours()).toBe(30);
    expect((await answer('accept')).body).toMatchObject({ duration: 0, edited: { kind: 'removed' } });
    expect([await usedHours(), await logs()]).toEqual([0, []]);
    await expectUsageRight();
  });

  it('is over once its member agrees to an objection to an earlier edit', async () => {
    setClock('2026-02-20T12:00:00Z');
    await edit(SHORTER);
    const id = await idOf();
    await send('POST', `/api/assets/${home.asset.id}/sessions/${id}/objection/`, { as: home.mira, body: {} });
    setClock('2026-03-01T12:00:00Z');
    expect((await edit({ end_time: '2026-02-03T12:00:00Z' })).body).toMatchObject({ request: { status: 'open' } });
    await send('POST', `/api/shared-assets/${home.shareOfAna.id}/logs/${id}/objection/agree/`, { as: home.ana });
    expect(await logs()).toMatchObject([{ ...RECORDED, request: { status: 'withdrawn' } }]);
    expect(await answer('accept')).toMatchObject({ body: { code: 'request_ended' } });
    expect(await usedHours()).toBe(30);
  });

  it.each([
    ['moves it within the month', { start_time: '2026-02-10T08:00:00Z', end_time: '2026-02-11T14:00:00Z' }],
    ['moves it to the next month', { start_time: '2026-03-01T08:00:00Z', end_time: '2026-03-01T09:00:00Z' }],
    ['adds more than it takes', { start_time: '2026-02-03T09:00:00Z', end_time: '2026-02-04T18:00:00Z' }],
  ])('is a request as a whole if it %s', async (_, body) => {
    expect((await edit(body)).body).toMatchObject({ ...RECORDED, request: { status: 'open' } });
    expect(await usedHours()).toBe(30);
    await answer('accept');
    expect((await logs())[0]).toMatchObject({ edited: { kind: 'corrected' }, request: { status: 'accepted' } });
    await expectUsageRight();
  });

  it('does not count when the month closes without an answer', async () => {
    await edit(SHORTER);
    setClock(CLOSED);
    expect(await usedHours()).toBe(30);
    expect((await logs())[0]).toMatchObject({ ...RECORDED, edited: null, request: { status: 'lapsed' } });
    for (const late of [await answer('accept'), await answer('decline'), await withdraw()])
      expect(late).toMatchObject({ status: 409, body: { code: 'request_ended' } });
    expect((await noticesOf(home.ana)).map(({ text }) => text)).toContain(
      'No one answered your edit of a session of Netflix Premium',
    );
  });

  it('does not count when the owner declines it, or the member withdraws it', async () => {
    await edit(SHORTER);
    expect((await answer('decline')).body).toMatchObject({
      ...RECORDED,
      request: { status: 'declined', waits_for: [] },
    });
    for (const late of [await answer('accept'), await withdraw()])
      expect(late).toMatchObject({ status: 409, body: { code: 'request_ended' } });
    await edit(SHORTER);
    expect((await withdraw()).body).toMatchObject({ ...RECORDED, request: { status: 'withdrawn' } });
    expect(await answer('accept')).toMatchObject({ status: 409, body: { code: 'request_ended' } });
    expect(await usedHours()).toBe(30);
  });

  it('gives way to a later edit of the session', async () => {
    await edit(SHORTER);
    await edit({ end_time: '2026-02-03T20:00:00Z' });
    expect((await logs())[0]?.request).toMatchObject({ status: 'open', end_time: '2026-02-03T20:00:00.000Z' });
    expect((await edit({ end_time: '2026-02-04T15:00:00Z' })).body).toMatchObject({ duration: 1860, request: null });
    expect((await logs())[0]?.request).toMatchObject({ status: 'withdrawn' });
    expect(await answer('accept')).toMatchObject({ status: 409, body: { code: 'request_ended' } });
  });

  it('cannot be accepted over a session that has come since', async () => {
    await edit({ start_time: '2026-02-10T08:00:00Z', end_time: '2026-02-10T09:00:00Z' });
    await record(home.shareOfAna, '2026-02-10T08:30:00Z', 1);
    expect(await answer('accept')).toMatchObject({ status: 400, body: { code: 'session_overlap' } });
    expect((await logs()).find(({ request }) => request)?.request).toMatchObject({
      status: 'open',
      waits_for: ['mira'],
    });
  });

  it('is news to the owner, and the answer to the member', async () => {
    await edit(SHORTER);
    expect((await noticesOf(home.mira))[0]).toMatchObject({
      kind: 'session_request',
      text: 'ana asks to edit a session of Netflix Premium',
      path: `/assets?asset=${home.asset.id}&tab=sessions`,
    });
    await answer('accept');
    expect((await noticesOf(home.ana))[0]).toMatchObject({
      text: 'mira accepted your edit of a session of Netflix Premium',
      path: `/shared?share=${home.shareOfAna.id}&tab=sessions&session=${await idOf()}`,
    });
  });

  it('is accepted or declined by the owner of that month alone, not by a co-manager or the member', async () => {
    const { mira, ana, ben, asset, shareOfBen } = home;
    await send('PATCH', `/api/assets/${asset.id}/share/${shareOfBen.id}/`, { as: mira, body: { manager: true } });
    expect(await answer('accept', ben)).toMatchObject({ status: 403, body: { code: 'owner_only' } });
    expect(await answer('accept')).toMatchObject({ status: 400, body: { code: 'session_not_edited' } });
    await edit(SHORTER);
    for (const verb of ['accept', 'decline'] as const) {
      expect(await answer(verb, ben)).toMatchObject({ status: 403, body: { code: 'owner_only' } });
      expect(await answer(verb, ana)).toMatchObject({ status: 404 });
      expect(await answer(verb, await api.register(`z-${verb}`))).toMatchObject({ status: 404 });
    }
    const path = `/api/shared-assets/${shareOfBen.id}/logs/${await idOf()}/request/`;
    expect((await api.call('DELETE', path, { as: ben })).status).toBe(404);
    expect((await logs())[0]?.request?.status).toBe('open');
  });

  it('keeps the owner from closing the month early', async () => {
    await edit(SHORTER);
    const month = `/api/assets/${home.asset.id}/statements/2026-02`;
    for (const as of [home.ana, home.ben]) await send('POST', `${month}/confirm/`, { as });
    const close = () => api.call('POST', `${month}/close/`, { as: home.mira });
    expect(await close()).toMatchObject({ status: 409, body: { code: 'objections_open' } });
    await answer('decline');
    expect(await close()).toMatchObject({ status: 200, body: { closed: true } });
  });

  it('is on the statement, for the owner and the member', async () => {
    await edit(SHORTER);
    const listed = {
      session_id: await idOf(),
      username: 'ana',
      kind: 'requested',
      start_time: RECORDED.start_time,
      end_time: RECORDED.end_time,
      objection: null,
      request: { status: 'open', start_time: RECORDED.start_time, end_time: SHORTER.end_time },
    };
    const trace = async (as: SignedIn) => (await statementOf(home.asset, '2026-02', as)).edited_sessions;
    for (const as of [home.mira, home.ana]) expect(await trace(as)).toMatchObject([listed]);
    expect(await trace(home.ben)).toEqual([]);
    setClock(CLOSED);
    const lapsed = { ...listed, request: { ...listed.request, status: 'lapsed' } };
    for (const as of [home.mira, home.ana]) expect(await trace(as)).toMatchObject([lapsed]);
  });

  it('is one of a deleted asset, too, which the owner can still accept', async () => {
    await send('DELETE', `/api/assets/${home.asset.id}/`, { as: home.mira });
    expect((await edit(SHORTER)).body.request?.status).toBe('open');
    expect((await answer('accept')).status).toBe(200);
    expect((await logs())[0]).toMatchObject({ duration: 600 });
  });
});

describe('an edit that adds time to an ended month', () => {
  it('counts at once, a moment before the month closes', async () => {
    setClock(JUST_BEFORE);
    expect((await edit({ end_time: '2026-02-04T15:00:00Z' })).body).toMatchObject({ duration: 1860, request: null });
    setClock(CLOSED);
    expect(await usedHours()).toBe(31);
  });

  it('counts at once if it takes time out of the running month only', async () => {
    await record(home.shareOfAna, '2026-02-28T20:00:00Z', 8);
    const spanning = '2026-02-28T20';
    expect((await edit({ end_time: '2026-03-01T02:00:00Z' }, spanning)).body.request).toBeNull();
    expect((await logs())[0]).toMatchObject({ duration: 360, edited: { objection_until: '2026-04-03T00:00:00.000Z' } });
    expect((await edit({ start_time: '2026-02-28T21:00:00Z' }, spanning)).body.request?.status).toBe('open');
  });
});

describe('a session moved into an ended month', () => {
  const MARCH = '2026-03-01T08';
  const moved = { start_time: '2026-02-26T08:00:00.000Z', end_time: '2026-02-27T08:00:00.000Z' };
  const objection = async () => `/api/assets/${home.asset.id}/sessions/${await idOf(MARCH)}/objection/`;
  beforeEach(async () => {
    await record(home.shareOfAna, '2026-03-01T08:00:00Z', 24);
    setClock('2026-03-02T12:00:00Z');
  });

  it('adds there and takes here at once, and can be objected to until a day before this month closes', async () => {
    expect((await edit(moved, MARCH)).body).toMatchObject({ ...moved, request: null });
    expect([await usedHours(), await usedHours('2026-03')]).toEqual([54, 0]);
    setClock('2026-04-02T23:59:59Z');
    expect((await api.call('POST', await objection(), { as: home.mira, body: {} })).status).toBe(201);
    setClock('2026-04-04T00:00:00Z');
    // February is closed with what was moved there.
    expect([await usedHours(), await usedHours('2026-03')]).toEqual([54, 24]);
    expect((await logs()).map(({ start_time, duration }) => [start_time, duration])).toEqual([
      ['2026-03-01T08:00:00.000Z', 1440],
      [moved.start_time, 1440],
      [RECORDED.start_time, 1800],
    ]);
    await expectUsageRight();
  });

  it('goes back as a whole while the ended month is open', async () => {
    await edit(moved, MARCH);
    await api.call('POST', await objection(), { as: home.mira, body: {} });
    await send('POST', `${await own(MARCH)}objection/agree/`, { as: home.ana });
    expect([await usedHours(), await usedHours('2026-03')]).toEqual([30, 24]);
    expect(await logs()).toHaveLength(2);
    await expectUsageRight();
  });

  it('can no longer be objected to in the last 24 hours', async () => {
    await edit(moved, MARCH);
    setClock('2026-04-03T00:00:00Z');
    expect(await api.call('POST', await objection(), { as: home.mira, body: {} })).toMatchObject({
      status: 400,
      body: { code: 'objection_too_late' },
    });
  });
});

describe('with share of use', () => {
  it('a request waits for everyone who used the asset, and the owner', async () => {
    const { zoe } = await shareByUse();
    expect((await edit(SHORTER)).body.request?.waits_for).toEqual(['ben', 'mira']);
    expect(await answer('accept', zoe)).toMatchObject({ status: 404 });
    expect((await answer('accept', home.mira)).body.request).toMatchObject({ status: 'open', waits_for: ['ben'] });
    expect((await answer('accept', home.mira)).body.request?.waits_for).toEqual(['ben']);
    expect(await usedHours()).toBe(30);
    expect((await answer('accept', home.ben)).body).toMatchObject({ duration: 600, request: { status: 'accepted' } });
    expect(await usedHours()).toBe(10);
  });

  it('a request asks no one whose charge it does not raise, because an hour costs them as much as it can', async () => {
    await shareByUse();
    // $6.02 ÷ 30.1 h.
    const terms = {
      split_method: 'share_of_use' as const,
      base_percent: 0,
      total_hours: 20,
      places: 3,
      monthly_hours: 5,
    };
    await api.deps.db.updateTable('periods').set({ price_cents: 602, max_hour_cents: 20 }).execute();
    expect((await edit(SHORTER)).body.request?.waits_for).toEqual(['mira']);
    await api.deps.db.updateTable('periods').set({ max_hour_cents: 21 }).execute();
    expect((await logs())[0]?.request?.waits_for).toEqual(['ben', 'mira']);
    await api.deps.db
      .updateTable('agreements')
      .set({ ...terms, max_hour_cents: 20 })
      .where('share_id', '=', home.shareOfBen.id)
      .execute();
    expect((await logs())[0]?.request?.waits_for).toEqual(['mira']);
  });

  it('the bell no longer asks what was answered, replaced, or withdrawn by another edit', async () => {
    const asks = async (as: SignedIn) =>
      (await noticesOf(as)).filter(({ text }) => text.includes('asks to edit')).length;
    await shareByUse();
    await edit(SHORTER);
    expect([await asks(home.mira), await asks(home.ben)]).toEqual([1, 1]);
    setClock('2026-03-01T13:00:00Z');
    await answer('accept', home.mira);
    expect([await asks(home.mira), await asks(home.ben)]).toEqual([0, 1]);
    setClock('2026-03-01T14:00:00Z');
    await remove();
    expect([await asks(home.mira), await asks(home.ben)]).toEqual([1, 1]);
    await edit({ end_time: '2026-02-04T15:00:00.000Z' });
    expect([await asks(home.mira), await asks(home.ben)]).toEqual([0, 0]);
  });

  it.each(['disabled', 'deleted'])('a request that the others accepted counts once an account is %s', async (how) => {
    const { ben, mira } = home;
    await shareByUse();
    await edit(SHORTER);
    await answer('accept', mira);
    expect(await usedHours()).toBe(30);
    if (how === 'disabled') await disableAccount(api.deps, ben.user.id);
    else await api.call('DELETE', '/api/me/', { as: ben, body: { current_password: TEST_PASSWORD, keep_name: true } });
    expect((await logs())[0]).toMatchObject({ duration: 600, request: { status: 'accepted' } });
    expect((await noticesOf(home.ana))[0]?.text).toMatch(/^mira accepted your edit/);
    await expectUsageRight();
  });

  it('one of them declines a request', async () => {
    await shareByUse();
    await edit(SHORTER);
    expect((await answer('decline', home.ben)).body.request?.status).toBe('declined');
    expect(await answer('accept', home.mira)).toMatchObject({ status: 409 });
  });

  it('a request is on the statement of everyone, and leads them there', async () => {
    const { zoe } = await shareByUse();
    await edit(SHORTER);
    for (const as of [home.ben, zoe])
      expect((await statementOf(home.asset, '2026-02', as)).edited_sessions).toMatchObject([{ kind: 'requested' }]);
    const path = `/costs/${home.asset.id}/2026-02`;
    expect((await noticesOf(home.ben)).filter(({ kind }) => kind === 'session_request')).toMatchObject([{ path }]);
    expect((await noticesOf(zoe)).filter(({ kind }) => kind === 'session_request')).toEqual([]);
  });

  it('a request waits on the statement only of those who have yet to answer it', async () => {
    const { zoe } = await shareByUse();
    const { mira, ana, ben } = home;
    await api.deps.db
      .updateTable('shares')
      .set({ manager_since: new Date('2026-02-20T12:00:00Z') })
      .where('member_id', '=', zoe.user.id)
      .execute();
    await edit(SHORTER);
    const waiting = async () => {
      const names = [];
      for (const as of [mira, ana, ben, zoe]) {
        const [session] = (await statementOf(home.asset, '2026-02', as)).edited_sessions;
        if (session?.request?.waits_for_you) names.push(as.user.username);
      }
      return names;
    };
    // The co-manager sees what the owner sees, but can't answer for them.
    expect(await waiting()).toEqual(['mira', 'ben']);
    await answer('accept', ben);
    expect(await waiting()).toEqual(['mira']);
    await answer('decline', mira);
    expect(await waiting()).toEqual([]);
  });

  it('what the owner takes from someone without an account waits for the others who used it', async () => {
    const { mira, ben, asset } = home;
    setClock('2026-02-20T12:00:00Z');
    const body = { name: 'Grandma', monthly_hours_allocated: 5 };
    const { shared_with: entries } = await send<{ shared_with: { id: number; person: boolean }[] }>(
      'POST',
      `/api/assets/${asset.id}/people/`,
      { as: mira, body },
    );
    const path = `/api/assets/${asset.id}/share/${entries.find(({ person }) => person)?.id}/sessions/`;
    setClock('2026-02-20T15:00:00Z');
    const times = { start_time: '2026-02-20T13:00:00Z', end_time: '2026-02-20T14:00:00Z' };
    const { id } = await send<{ id: number }>('POST', path, { as: mira, body: times });
    await api.deps.db.updateTable('periods').set({ split_method: 'share_of_use', max_hour_cents: 100 }).execute();
    setClock('2026-03-01T12:00:00Z');
    expect((await api.call('DELETE', `${path}${id}/`, { as: mira })).status).toBe(204);
    const request = async () => (await ownerLogs()).find((each) => each.id === id)?.request;
    expect(await request()).toMatchObject({ status: 'open', waits_for: ['ana', 'ben'] });
    const respond = (verb: string, as: SignedIn) =>
      api.call('POST', `/api/assets/${asset.id}/sessions/${id}/request/${verb}/`, { as });
    expect((await respond('accept', mira)).status).toBe(404);
    expect((await respond('accept', ben)).status).toBe(200);
    expect((await respond('decline', mira)).status).toBe(200);
    expect((await request())?.status).toBe('withdrawn');
    expect((await api.call('DELETE', `${path}${id}/`, { as: mira })).status).toBe(204);
    expect((await respond('decline', ben)).status).toBe(200);
    expect((await noticesOf(mira))[0]?.text).toMatch(/^ben declined your edit/);
  });

  describe('an owner who takes part', () => {
    const start = '2026-02-10T08';
    let ownShare: number;
    beforeEach(async () => {
      await shareByUse();
      await api.deps.db.updateTable('periods').set({ owner_takes_part: true }).execute();
      const since = new Date('2026-02-01T00:00:00Z');
      const { id } = await api.deps.db
        .insertInto('shares')
        .values({
          asset_id: home.asset.id,
          member_id: home.mira.user.id,
          own: true,
          monthly_hours_allocated: 0,
          created_at: since,
          accepted_at: since,
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      ownShare = id;
      await record({ ...home.shareOfAna, id }, `${start}:00:00Z`, 10);
    });
    const ownSession = async () => (await logs(home.mira, { ...home.shareOfAna, id: ownShare }))[0];
    const shorten = async () =>
      api.call<SessionOrRequest>('PATCH', `/api/shared-assets/${ownShare}/logs/${(await ownSession())?.id}/`, {
        as: home.mira,
        body: { end_time: `${start}:30:00.000Z` },
      });
    const post = async (path: string, as: SignedIn) =>
      api.call<MemberSession>('POST', `/api/assets/${home.asset.id}/sessions/${(await ownSession())?.id}/${path}/`, {
        as,
        body: {},
      });

    it('asks all others who used it, after the month', async () => {
      expect((await shorten()).body.request).toMatchObject({ status: 'open', waits_for: ['ana', 'ben'] });
      expect((await post('request/accept', home.mira)).status).toBe(404);
      for (const as of [home.ana, home.ben]) expect((await post('request/accept', as)).status).toBe(200);
      expect((await ownSession())?.duration).toBe(30);
    });

    it('edits at once while it runs, and any other participant objects', async () => {
      setClock('2026-02-20T12:00:00Z');
      expect((await shorten()).body).toMatchObject({ duration: 30, request: null });
      expect((await post('objection', home.mira)).status).toBe(404);
      expect((await post('objection', home.ben)).status).toBe(201);
      setClock(CLOSED);
      await statementOf(home.asset, '2026-02', home.mira);
      expect(await ownSession()).toMatchObject({
        duration: 600,
        objection: { status: 'upheld', username: 'ben' },
      });
    });
  });

  describe('while the month runs', () => {
    beforeEach(async () => {
      await shareByUse();
      setClock('2026-02-20T13:00:00Z');
      await edit(SHORTER);
    });
    const objection = async () => `/api/assets/${home.asset.id}/sessions/${await idOf()}/objection/`;
    const object = async (as: SignedIn, text?: string) =>
      api.call<MemberSession>('POST', await objection(), { as, body: text === undefined ? {} : { text } });

    it('every participant sees an edit, and can object to it once', async () => {
      const { ben, mira, ana } = home;
      expect((await statementOf(home.asset, '2026-02', ben)).edited_sessions).toMatchObject([{ username: 'ana' }]);
      expect((await noticesOf(ben)).map(({ kind, path }) => [kind, path])).toContainEqual([
        'session_edited',
        `/costs/${home.asset.id}/2026-02`,
      ]);
      expect((await object(ben, 'It ran')).body.objection).toMatchObject({
        status: 'open',
        username: 'ben',
        messages: [{ username: 'ben', text: 'It ran' }],
      });
      expect((await statementOf(home.asset, '2026-02', ana)).edited_sessions).toMatchObject([{ objected_by: 'ben' }]);
      expect(await object(ben)).toMatchObject({ status: 409, body: { code: 'already_objected' } });
      expect(await object(ana)).toMatchObject({ status: 404 });
      // Ben can't keep the owner from objecting by withdrawing at the last moment.
      expect((await object(mira)).status).toBe(201);
      setClock('2026-03-03T23:00:00Z');
      expect((await api.call('DELETE', await objection(), { as: ben })).status).toBe(200);
      setClock(CLOSED);
      expect(await usedHours()).toBe(30);
    });

    it('the member answers a participant, who hears of it', async () => {
      await object(home.ben, 'It ran');
      await send('POST', `${await own()}objection/replies/`, { as: home.ana, body: { text: 'Sorry' } });
      await send('POST', `${await objection()}replies/`, { as: home.ben, body: { text: 'Fine' } });
      expect((await logs())[0]?.objection?.messages.map(({ username }) => username)).toEqual(['ben', 'ana', 'ben']);
      await send('POST', `${await own()}objection/agree/`, { as: home.ana });
      expect((await noticesOf(home.ben))[0]).toMatchObject({
        kind: 'session_objection',
        path: `/costs/${home.asset.id}/2026-02`,
      });
      expect(await usedHours()).toBe(30);
    });

    it('no one can object in the last 24 hours before the close', async () => {
      setClock('2026-03-02T23:59:59.999Z');
      expect((await object(home.ben)).status).toBe(201);
      setClock('2026-03-03T00:00:00Z');
      expect(await object(home.mira)).toMatchObject({ status: 400, body: { code: 'objection_too_late' } });
    });
  });
});

it('a participant cannot object with another split', async () => {
  setClock('2026-02-20T13:00:00Z');
  await edit(SHORTER);
  const path = `/api/assets/${home.asset.id}/sessions/${await idOf()}/objection/`;
  expect(await api.call('POST', path, { as: home.ben, body: {} })).toMatchObject({ status: 404 });
});
