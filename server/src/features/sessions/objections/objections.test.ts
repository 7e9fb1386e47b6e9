import type { SignedIn } from '@hourshare/contract/sign-ins';
import type { LoggedSession, MemberSession } from '@hourshare/contract/sessions';
import type { SharedAsset } from '@hourshare/contract/shares';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { dispatchAll } from '../../notifications/dispatch/service.ts';
import { verifyUsage } from '../../usage/service.ts';
import { openTestApi, type TestApi } from '../../../testing/api.ts';
import { billingCalls, CLOSED, type Household } from '../../../testing/bills.ts';
import { runScheduledJobs } from '../../../testing/records.ts';

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

const { setClock, get, send, record, statementOf, household } = billingCalls(() => api);

const logsOf = async (as: SignedIn, share: SharedAsset) =>
  (await get<{ results: LoggedSession[] }>(`/api/shared-assets/${share.id}/logs/`, as)).results;
const logs = () => logsOf(home.ana, home.shareOfAna);
const ownerLogs = async () =>
  (await get<{ results: MemberSession[] }>(`/api/assets/${home.asset.id}/sessions/`, home.mira)).results.filter(
    ({ username }) => username === 'ana',
  );
/** Ana's sessions by the hour in which they were recorded. */
const idOf = async (start: string) =>
  (await ownerLogs()).find((each) => (each.edited?.start_time ?? each.start_time).startsWith(start))?.id;
const FIRST = '2026-02-03T08';

const own = async (start = FIRST) => `/api/shared-assets/${home.shareOfAna.id}/logs/${await idOf(start)}/`;
const owned = async (start = FIRST) => `/api/assets/${home.asset.id}/sessions/${await idOf(start)}/objection/`;
const edit = async (body: object, start?: string) => api.call('PATCH', await own(start), { as: home.ana, body });
const remove = async (start?: string) => api.call('DELETE', await own(start), { as: home.ana });
const object = async (body: object = {}, start?: string) =>
  api.call<MemberSession>('POST', await owned(start), { as: home.mira, body });
const withdraw = async () => api.call<MemberSession>('DELETE', await owned(), { as: home.mira });
const agree = async () => api.call<LoggedSession>('POST', `${await own()}objection/agree/`, { as: home.ana });
const ownerReplies = async (text: string) =>
  api.call<MemberSession>('POST', `${await owned()}replies/`, { as: home.mira, body: { text } });
const memberReplies = async (text: string) =>
  api.call<LoggedSession>('POST', `${await own()}objection/replies/`, { as: home.ana, body: { text } });
const usedHours = async () => (await statementOf(home.asset, '2026-02', home.mira)).lines[1]?.used_hours;
const wrongDays = async () => {
  const found = [];
  for await (const { days } of verifyUsage(api.deps.db, { repair: false })) found.push(...days);
  return found;
};

const SHORTER = { end_time: '2026-02-03T08:00:00.400Z' };
const RECORDED = { start_time: '2026-02-03T08:00:00.000Z', end_time: '2026-02-04T14:00:00.000Z' };

describe('an objection to an edit', () => {
  it('makes 30 h that were corrected to 0.4 s a moment before the month ended count, without an agreement', async () => {
    setClock('2026-02-28T23:59:59.999Z');
    expect((await edit(SHORTER)).status).toBe(200);
    expect(await usedHours()).toBe(0);
    setClock('2026-03-02T20:00:00Z');
    expect(await object({ text: ' It ran for more than a day ' })).toMatchObject({
      status: 201,
      body: {
        username: 'ana',
        edited: { kind: 'corrected', ...RECORDED, open_until: CLOSED },
        objection: {
          status: 'open',
          username: 'mira',
          objected_at: '2026-03-02T20:00:00.000Z',
          messages: [{ username: 'mira', text: 'It ran for more than a day', at: '2026-03-02T20:00:00.000Z' }],
        },
      },
    });
    expect((await logs())[0]).toMatchObject({ duration: 0.01, objection: { status: 'open' } });
    setClock(CLOSED);
    const statement = await statementOf(home.asset, '2026-02', home.mira);
    expect(statement).toMatchObject({ closed: true, lines: [{}, { username: 'ana', used_hours: 30 }, {}] });
    expect((await logs())[0]).toMatchObject({
      ...RECORDED,
      duration: 1800,
      edited: { kind: 'restored', at: CLOSED, open_until: null },
      objection: { status: 'upheld' },
    });
    expect(await get(`/api/shared-assets/${home.shareOfAna.id}/analytics/?month=2026-02`, home.ana)).toMatchObject({
      total_usage: 30,
    });
    expect(await wrongDays()).toEqual([]);
  });

  it('also restores a removed session, which its member sees until then', async () => {
    await remove();
    expect(await logs()).toEqual([]);
    expect((await object()).body).toMatchObject({ duration: 0, objection: { status: 'open', messages: [] } });
    expect(await logs()).toMatchObject([{ ...RECORDED, duration: 0, edited: { kind: 'removed' } }]);
    setClock(CLOSED);
    await runScheduledJobs(api.deps);
    expect(await logs()).toMatchObject([{ ...RECORDED, duration: 1800, edited: { kind: 'restored' } }]);
    expect(await usedHours()).toBe(30);
    expect(await wrongDays()).toEqual([]);
  });

  it('restores the recorded times at once when the member agrees', async () => {
    await edit(SHORTER);
    await object();
    expect(await agree()).toMatchObject({
      status: 200,
      body: { ...RECORDED, duration: 1800, edited: { kind: 'restored' }, objection: { status: 'agreed' } },
    });
    expect([await usedHours(), await wrongDays()]).toEqual([30, []]);
    for (const answer of [await agree(), await withdraw(), await ownerReplies('x'), await memberReplies('x')])
      expect(answer).toMatchObject({ status: 409, body: { code: 'objection_ended' } });
    expect(await object()).toMatchObject({ status: 400, body: { code: 'session_not_edited' } });
    // It can be edited again, and the owner can object to that.
    expect((await edit(SHORTER)).status).toBe(200);
    expect((await object()).status).toBe(409);
    api.clock.advance(1);
    expect((await edit({ end_time: '2026-02-03T08:00:01Z' })).status).toBe(200);
    expect((await object()).status).toBe(201);
  });

  it('keeps the edit for good once it is withdrawn', async () => {
    await edit(SHORTER);
    await object();
    expect((await withdraw()).body).toMatchObject({
      edited: { kind: 'corrected' },
      objection: { status: 'withdrawn' },
    });
    expect(await object()).toMatchObject({ status: 409, body: { code: 'already_objected' } });
    setClock(CLOSED);
    expect(await usedHours()).toBe(0);
  });

  it('stays while the member proposes other times, which count once it is withdrawn', async () => {
    await edit(SHORTER);
    await object();
    api.clock.advance(1000);
    await edit({ end_time: '2026-02-03T18:00:00Z' });
    expect((await logs())[0]).toMatchObject({ duration: 600, objection: { status: 'open' } });
    expect(await object()).toMatchObject({ status: 409, body: { code: 'already_objected' } });
    await withdraw();
    setClock(CLOSED);
    expect(await usedHours()).toBe(10);
  });

  it('is refused for a session that was not edited, or is as it was recorded', async () => {
    expect(await object()).toMatchObject({ status: 400, body: { code: 'session_not_edited' } });
    await edit(SHORTER);
    await edit({ end_time: RECORDED.end_time });
    expect(await object()).toMatchObject({ status: 400, body: { code: 'session_not_edited' } });
  });

  it('can be made, answered, and ended only until the month closes', async () => {
    await edit(SHORTER);
    await object();
    setClock(CLOSED);
    for (const answer of [await agree(), await withdraw(), await ownerReplies('x'), await memberReplies('x')])
      expect(answer).toMatchObject({ status: 400, body: { code: 'month_closed' } });
    expect(await usedHours()).toBe(30);
    expect(await object()).toMatchObject({ status: 400, body: { code: 'month_closed' } });
  });

  it('takes replies of both, of up to 280 characters and 20 each', async () => {
    await edit(SHORTER);
    await object({ text: 'Why?' });
    expect((await memberReplies('I forgot to end it')).status).toBe(201);
    expect((await ownerReplies(`${'x'.repeat(279)}é`)).status).toBe(201);
    expect((await logs())[0]?.objection?.messages).toMatchObject([
      { username: 'mira', text: 'Why?' },
      { username: 'ana', text: 'I forgot to end it' },
      { username: 'mira' },
    ]);
    for (const text of ['', ' \n ', '\u200B', 'x'.repeat(281), 'a\u0000b'])
      expect(await memberReplies(text)).toMatchObject({
        status: 400,
        body: { code: 'validation_failed', fields: { text: [expect.any(String)] } },
      });
    for (let count = 1; count < 20; count++) expect((await memberReplies('again')).status).toBe(201);
    expect(await memberReplies('again')).toMatchObject({ status: 400, body: { code: 'too_many_replies' } });
    expect((await ownerReplies('Still here')).status).toBe(201);
  });

  it('belongs to the owner and the member of that session', async () => {
    await edit(SHORTER);
    const { ben, ana, shareOfBen, mira } = home;
    for (const as of [ben, ana]) expect((await api.call('POST', await owned(), { as, body: {} })).status).toBe(404);
    await object();
    const id = await idOf(FIRST);
    const other = await api.addAsset(ben);
    const paths: [string, SignedIn][] = [
      [`/api/shared-assets/${shareOfBen.id}/logs/${id}/objection/agree/`, ben],
      [`${await own()}objection/agree/`, ben],
      [`${await own()}objection/agree/`, mira],
    ];
    for (const [path, as] of paths) expect((await api.call('POST', path, { as })).status).toBe(404);
    expect((await api.call('DELETE', await owned(), { as: ana })).status).toBe(404);
    const elsewhere = `/api/assets/${other.id}/sessions/${id}/objection/`;
    expect((await api.call('DELETE', elsewhere, { as: ben })).status).toBe(404);
    expect((await logs())[0]?.objection?.status).toBe('open');
  });

  it('can also be made and agreed to after access has ended', async () => {
    await edit(SHORTER);
    await send('POST', `/api/shared-assets/${home.shareOfAna.id}/leave/`, { as: home.ana });
    expect((await object()).status).toBe(201);
    expect((await memberReplies('I left')).status).toBe(201);
    expect((await agree()).status).toBe(200);
    expect(await usedHours()).toBe(30);
  });

  it('blocks an early close until it ends', async () => {
    await edit(SHORTER);
    setClock('2026-03-01T00:00:01Z');
    await object();
    const month = `/api/assets/${home.asset.id}/statements/2026-02`;
    const close = () => api.call('POST', `${month}/close/`, { as: home.mira });
    for (const as of [home.ana, home.ben]) await send('POST', `${month}/confirm/`, { as });
    expect(await close()).toMatchObject({ status: 409, body: { code: 'objections_open' } });
    await withdraw();
    expect(await close()).toMatchObject({ status: 200, body: { closed: true } });
  });

  it('counts when the asset is deleted in the time for edits', async () => {
    await edit(SHORTER);
    setClock('2026-03-01T00:00:01Z');
    await object();
    await send('DELETE', `/api/assets/${home.asset.id}/`, { as: home.mira });
    setClock(CLOSED);
    const { results } = await get<{ results: { lines: { username: string; used_hours: number }[] }[] }>(
      '/api/statements/?month=2026-02',
      home.mira,
    );
    expect(results[0]?.lines[1]).toMatchObject({ username: 'ana', used_hours: 30 });
  });
});

describe('an edit of use of a deleted asset', () => {
  // Deleting would otherwise leave the owner with what members say of their use.
  it('can be objected to until a day before the month closes', async () => {
    expect((await edit(SHORTER)).status).toBe(200);
    setClock('2026-03-01T00:00:01Z');
    await send('DELETE', `/api/assets/${home.asset.id}/`, { as: home.mira });
    setClock('2026-03-02T00:00:00Z');
    expect((await object({ text: 'It ran' })).status).toBe(201);
    expect((await ownerReplies('For more than a day')).status).toBe(201);
    expect((await withdraw()).body.objection?.status).toBe('withdrawn');
    setClock('2026-03-02T00:01:00Z');
    await edit({ end_time: '2026-02-03T08:00:01Z' });
    expect((await object()).status).toBe(201);
    setClock(CLOSED);
    const { results } = await get<{ results: { lines: { username: string; used_hours: number }[] }[] }>(
      '/api/statements/?month=2026-02',
      home.mira,
    );
    expect(results[0]?.lines[1]).toMatchObject({ username: 'ana', used_hours: 30 });
  });
});

describe('an edit into time that another edit freed', () => {
  /** Ana's second session is recorded on February 6; it moves to where the first one was shortened. */
  const moved = { start_time: '2026-02-03T10:00:00Z', end_time: '2026-02-03T12:00:00Z' };
  const SECOND = '2026-02-06T08';

  it('is undone with the objection to the other one, so that no time counts twice', async () => {
    await record(home.shareOfAna, '2026-02-06T08:00:00Z', 2);
    await edit(SHORTER);
    expect((await edit(moved, SECOND)).status).toBe(200);
    await object();
    expect((await agree()).status).toBe(200);
    expect((await ownerLogs()).map(({ start_time, edited }) => [start_time.slice(0, 13), edited?.kind])).toEqual([
      [SECOND, 'restored'],
      [FIRST, 'restored'],
    ]);
    expect([await usedHours(), await wrongDays()]).toEqual([32, []]);
  });

  it('is undone with it at the close, too', async () => {
    await record(home.shareOfAna, '2026-02-06T08:00:00Z', 2);
    await remove();
    await edit(moved, SECOND);
    await object();
    setClock(CLOSED);
    expect([await usedHours(), await wrongDays()]).toEqual([32, []]);
  });

  it('is refused if it comes from an earlier month, which closes first', async () => {
    await record(home.shareOfAna, '2026-02-27T08:00:00Z', 0.001);
    await record(home.shareOfAna, '2026-03-01T08:00:00Z', 30);
    setClock('2026-03-03T12:00:00Z');
    expect((await edit({ end_time: '2026-03-01T08:00:00.400Z' }, '2026-03-01T08')).status).toBe(200);
    const into = { start_time: '2026-03-01T10:00:00Z', end_time: '2026-03-01T10:00:01Z' };
    expect(await edit(into, '2026-02-27T08')).toMatchObject({ status: 400, body: { code: 'session_overlap' } });
    setClock('2026-03-20T12:00:00Z');
    expect((await object({}, '2026-03-01T08')).status).toBe(201);
    setClock('2026-04-04T00:00:00Z');
    expect((await statementOf(home.asset, '2026-03', home.mira)).lines[1]).toMatchObject({ used_hours: 30 });
  });

  it('stays if it could only be undone in a closed month, and both sides are told', async () => {
    await record(home.shareOfAna, '2026-02-27T08:00:00Z', 2);
    await record(home.shareOfAna, '2026-03-01T08:00:00Z', 30);
    setClock('2026-03-03T12:00:00Z');
    await edit({ end_time: '2026-03-01T08:00:00.400Z' }, '2026-03-01T08');
    setClock('2026-03-20T12:00:00Z');
    await object({}, '2026-03-01T08');
    // Edits don't allow this (see the test above).
    await sql`
      update sessions set was_started_at = started_at, was_ended_at = ended_at, edited_at = started_at,
        started_at = '2026-03-01T10:00:00Z', ended_at = '2026-03-01T12:00:00Z'
      where started_at = '2026-02-27T08:00:00Z'`.execute(api.deps.db);
    setClock('2026-04-04T00:00:00Z');
    await runScheduledJobs(api.deps);
    await dispatchAll(api.deps);
    const told = await api.deps.db
      .selectFrom('notices')
      .innerJoin('users', 'users.id', 'notices.user_id')
      .select(['username', 'data'])
      .where('kind', '=', 'session_objection')
      .orderBy('notices.id')
      .execute();
    expect(
      told.filter(({ data }) => JSON.stringify(data).includes('not_upheld')).map(({ username }) => username),
    ).toEqual(['ana', 'mira']);
    const { edited_sessions: traces } = await statementOf(home.asset, '2026-03', home.ana);
    expect(traces.map(({ objection }) => objection)).toContain('not_upheld');
    const { results } = await get<{ results: { text: string; detail: string }[] }>('/api/notifications/', home.ana);
    expect(results).toContainEqual(
      expect.objectContaining({
        text: 'A session of Netflix Premium still counts as edited',
        detail: 'Its recorded times would change a closed month.',
      }),
    );
  });
});

describe('the statement', () => {
  const traceOf = async (as: SignedIn, month = '2026-02') => (await statementOf(home.asset, month, as)).edited_sessions;
  const line = {
    session_id: expect.any(Number) as number,
    request: null,
    username: 'ana',
    by_owner: false,
    recorded_start: RECORDED.start_time,
    recorded_end: RECORDED.end_time,
  };

  it('lists edits with what became of the objection, to the owner and the member', async () => {
    expect(await traceOf(home.mira)).toEqual([]);
    await edit(SHORTER);
    const edited = {
      ...line,
      kind: 'corrected',
      at: '2026-02-20T12:00:00.000Z',
      start_time: RECORDED.start_time,
      end_time: SHORTER.end_time,
      objection: null,
      objected_by: null,
    };
    for (const as of [home.mira, home.ana]) expect(await traceOf(as)).toEqual([edited]);
    expect(await traceOf(home.ben)).toEqual([]);
    expect(await traceOf(home.mira, '2026-02')).toHaveLength(1);
    await object();
    expect(await traceOf(home.ana)).toEqual([{ ...edited, objection: 'open', objected_by: 'mira' }]);
    setClock(CLOSED);
    const upheld = [{ ...edited, kind: 'restored', at: CLOSED, end_time: RECORDED.end_time, objection: 'upheld' }];
    for (const as of [home.mira, home.ana]) expect(await traceOf(as)).toEqual(upheld);
    expect(await traceOf(home.ben)).toEqual([]);
  });

  it('keeps the list of a closed month, also of a deleted account', async () => {
    await remove();
    setClock(CLOSED);
    const removed = { ...line, kind: 'removed', start_time: null, end_time: null, objection: null };
    expect(await traceOf(home.mira)).toMatchObject([removed]);
    await api.deps.db.deleteFrom('users').where('id', '=', home.ana.user.id).execute();
    expect(await traceOf(home.mira)).toMatchObject([removed]);
  });

  it('lists an edit in each month that it or the recorded times are in', async () => {
    await record(home.shareOfAna, '2026-03-01T08:00:00Z', 24);
    setClock('2026-03-02T12:00:00Z');
    await edit({ start_time: '2026-02-26T08:00:00Z', end_time: '2026-02-27T08:00:00Z' }, '2026-03-01T08');
    for (const month of ['2026-02', '2026-03']) expect(await traceOf(home.mira, month)).toHaveLength(1);
  });
});
