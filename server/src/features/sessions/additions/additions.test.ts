import type { OwnedAsset } from '@hourshare/contract/assets';
import type { LoggedSession, MemberSession, OwnSession, SessionOrRequest } from '@hourshare/contract/sessions';
import type { SharedAsset } from '@hourshare/contract/shares';
import type { SignedIn } from '@hourshare/contract/sign-ins';
import type { Statement } from '@hourshare/contract/statements';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openTestApi, TEST_PASSWORD, type CallOptions, type TestApi } from '../../../testing/api.ts';
import { verifyUsage } from '../../usage/service.ts';

const HOUR = 3_600_000;

let api: TestApi;
let owner: SignedIn;
let member: SignedIn;
let share: SharedAsset;
beforeAll(async () => {
  api = await openTestApi();
});
/** A share since February 1, with a session on March 5 from 10:00 to 12:00 UTC, on March 10, 12:00. */
beforeEach(async () => {
  await api.reset();
  api.clock.now = new Date('2026-02-01T00:00:00Z');
  owner = await api.register('mira');
  member = await api.register('ben');
  share = await api.share(owner, await api.addAsset(owner), member);
  api.clock.now = new Date('2026-03-05T10:00:00Z');
  await callShare('POST', 'start');
  api.clock.now = new Date('2026-03-05T12:00:00Z');
  await callShare('POST', 'end');
  api.clock.now = new Date('2026-03-10T12:00:00Z');
});
afterAll(() => api.close());

const callShare = <T>(method: string, action: string, options: CallOptions = {}) =>
  api.call<T>(method, `/api/shared-assets/${share.id}/${action}/`, { as: member, ...options });

/** An instant of March 2026, such as `07 10:00`. */
const at = (time: string) => `2026-03-${time.replace(' ', 'T')}${time.length === 8 ? ':00' : ''}Z`;

/** Adds a session of March 2026. */
const add = (from: string, to: string, { externalId, ...options }: { externalId?: string } & CallOptions = {}) =>
  callShare<SessionOrRequest>('POST', 'logs', {
    body: {
      start_time: at(from),
      end_time: at(to),
      ...(externalId !== undefined && { external_id: externalId }),
    },
    ...options,
  });
const film = { externalId: 'film' };
const logs = async () => (await callShare<{ results: OwnSession[] }>('GET', 'logs')).body.results;
const edit = (id: number, body: object) => callShare<SessionOrRequest>('PATCH', `logs/${id}`, { body });
const used = async () => (await callShare<{ total_usage: number }>('GET', 'analytics')).body.total_usage;

async function expectConsistent(): Promise<void> {
  for await (const { days } of verifyUsage(api.deps.db, { repair: false })) expect(days).toEqual([]);
  const { rows } = await sql`
    select 1 from sessions one join sessions other on other.share_id = one.share_id and other.id > one.id
    where one.started_at < coalesce(other.ended_at, 'infinity') and other.started_at < coalesce(one.ended_at, 'infinity')`.execute(
    api.deps.db,
  );
  expect(rows).toEqual([]);
}

describe('a session that is added', () => {
  it('counts like any other, and says that it was added', async () => {
    expect(await add('07 20:00', '07 21:30')).toMatchObject({
      status: 201,
      body: {
        start_time: '2026-03-07T20:00:00.000Z',
        end_time: '2026-03-07T21:30:00.000Z',
        duration: 90,
        source: 'added',
        recorded_by_owner: false,
        request: null,
      },
    });
    expect(await logs()).toMatchObject([
      { source: 'added', edited: null, external_id: null },
      { source: 'pressed', external_id: null },
    ]);
    expect(await used()).toBe(3.5);
    const sessions = `/api/assets/${share.asset.id}/sessions/`;
    const { results } = (await api.call<{ results: MemberSession[] }>('GET', sessions, { as: owner })).body;
    expect(results).toMatchObject([{ source: 'added', username: 'ben' }, { source: 'pressed' }]);
    expect(results[0]).not.toHaveProperty('external_id');
    const path = `/api/assets/${share.asset.id}/statements/2026-03/`;
    const { lines } = (await api.call<Statement>('GET', path, { as: owner })).body;
    expect(lines.find(({ username }) => username === 'ben')?.used_hours).toBe(3.5);
    await expectConsistent();
  });

  it('may end now, and touch other sessions', async () => {
    expect((await add('10 10:00', '10 12:00')).status).toBe(201);
    expect((await add('05 12:00', '05 13:00')).status).toBe(201);
    await callShare('POST', 'start');
    expect((await add('10 09:00', '10 10:00')).status).toBe(201);
    await expectConsistent();
  });

  it.each([
    ['a time in the future', '10 11:00', '10 12:00:00.001', 'end_in_future'],
    ['an end at its start', '07 10:00', '07 10:00', 'end_before_start'],
  ])('is refused with %s', async (_, from, to, code) => {
    expect(await add(from, to)).toMatchObject({
      status: 400,
      body: { code: 'validation_failed', field_codes: { end_time: [{ code }] } },
    });
    expect(await logs()).toHaveLength(1);
  });

  it('is refused outside of the access, in archived time, and beyond the session limit', async () => {
    const body = { start_time: '2026-01-31T23:00:00Z', end_time: '2026-02-01T01:00:00Z' };
    expect(await callShare('POST', 'logs', { body })).toMatchObject({
      body: { code: 'validation_failed', field_codes: { start_time: [{ code: 'start_before_access' }] } },
    });
    const tooLong = { code: 'session_too_long', params: { hours: 24 } };
    expect(await add('06 10:00', '07 10:00:00.001')).toMatchObject({
      status: 400,
      body: { ...tooLong, field_codes: { end_time: [tooLong] } },
    });
    const asset = `/api/assets/${share.asset.id}/`;
    await api.call('PATCH', asset, { as: owner, body: { archived: true } });
    api.clock.advance(HOUR);
    expect(await add('10 11:30', '10 12:30')).toMatchObject({
      body: { field_codes: { end_time: [{ code: 'asset_was_archived' }] } },
    });
    expect((await add('10 11:00', '10 12:00')).status).toBe(201);
    await api.call('PATCH', asset, { as: owner, body: { archived: false } });
    await callShare('POST', 'leave');
    api.clock.advance(HOUR);
    expect(await add('10 13:00', '10 13:30')).toMatchObject({
      body: { field_codes: { end_time: [{ code: 'end_after_access' }] } },
    });
    expect((await add('08 13:00', '08 13:30')).status).toBe(201);
  });

  it('is refused in a closed month, also partly', async () => {
    await api.call('GET', `/api/assets/${share.asset.id}/statements/2026-02/`, { as: owner });
    const body = { start_time: '2026-02-28T23:00:00Z', end_time: '2026-03-01T01:00:00Z' };
    expect(await callShare('POST', 'logs', { body })).toMatchObject({ status: 400, body: { code: 'month_closed' } });
  });

  it('counts at once in an ended month that is open, and withdraws that there was nothing to edit', async () => {
    api.clock.now = new Date('2026-03-01T12:00:00Z');
    const path = `/api/assets/${share.asset.id}/statements/2026-02/confirm/`;
    expect((await api.call('POST', path, { as: member })).status).toBe(200);
    const body = { start_time: '2026-02-27T10:00:00Z', end_time: '2026-02-27T11:00:00Z' };
    expect(await callShare('POST', 'logs', { body })).toMatchObject({ status: 201, body: { request: null } });
    expect(await api.deps.db.selectFrom('confirmations').selectAll().execute()).toEqual([]);
  });

  it('is refused where another session is, runs, or was recorded', async () => {
    const overlap = { status: 400, body: { code: 'session_overlap' } };
    expect(await add('05 11:59', '05 12:30')).toMatchObject(overlap);
    const [session] = await logs();
    await edit(session?.id ?? 0, { end_time: '2026-03-05T11:00:00Z' });
    expect(await add('05 11:59', '05 12:30')).toMatchObject(overlap);
    await callShare('DELETE', `logs/${session?.id}`);
    expect(await add('05 11:59', '05 12:30')).toMatchObject(overlap);
    await callShare('POST', 'start');
    api.clock.advance(HOUR);
    expect(await add('10 12:30', '10 12:45')).toMatchObject(overlap);
    await expectConsistent();
  });

  it('is refused where an end pressed offline took recorded time away', async () => {
    await callShare('POST', 'start');
    api.clock.advance(24 * HOUR);
    await callShare('GET', 'active-session');
    const body = { at: '2026-03-10T13:00:00Z', client_time: '2026-03-11T12:00:00Z' };
    expect((await callShare('POST', 'late-end', { body })).status).toBe(200);
    expect(await add('10 14:00', '10 15:00')).toMatchObject({ body: { code: 'session_overlap' } });
  });

  it('keeps its end if one is pressed offline later', async () => {
    await add('09 12:00', '10 12:00');
    const body = { at: '2026-03-10T11:00:00Z', client_time: '2026-03-10T12:00:00Z' };
    expect(await callShare('POST', 'late-end', { body })).toMatchObject({ body: { code: 'session_already_ended' } });
  });

  it('is refused where use is not measured', async () => {
    const asset = await api.addAsset(owner, { name: 'Rent', measured: false, split_method: 'equal' });
    share = await api.share(owner, asset, member);
    api.clock.advance(2 * HOUR);
    expect(await add('10 12:30', '10 13:00')).toMatchObject({ status: 400, body: { code: 'not_measured' } });
  });

  it('is only for its member, and for a token of the share', async () => {
    for (const as of [owner, await api.register('zoe')])
      expect(await add('07 10:00', '07 11:00', { as })).toMatchObject({ status: 404 });
    await api.call('POST', '/api/me/check/', { as: member, body: { current_password: TEST_PASSWORD } });
    const named = { name: 'Timer', share_id: share.id };
    const { body } = await api.call<{ token: string }>('POST', '/api/me/access-tokens/', { as: member, body: named });
    const times = { start_time: '2026-03-07T10:00:00Z', end_time: '2026-03-07T11:00:00Z' };
    const path = `/api/shared-assets/${share.id}/logs/`;
    expect(await api.call('POST', path, { token: body.token, body: times })).toMatchObject({ status: 201 });
  });

  it('is the owner’s, too, if they take part', async () => {
    const body = { name: 'Car', subscription_cost: 20, owner_takes_part: true, owner_hours: 10 };
    const asset = (await api.call<OwnedAsset>('POST', '/api/assets/', { as: owner, body })).body;
    api.clock.advance(3 * HOUR);
    const path = `/api/shared-assets/${asset.own_share_id}/logs/`;
    const times = { start_time: '2026-03-10T12:30:00Z', end_time: '2026-03-10T13:30:00Z' };
    expect(await api.call('POST', path, { as: owner, body: times })).toMatchObject({ status: 201 });
    expect((await api.call<{ results: LoggedSession[] }>('GET', path, { as: owner })).body.results).toMatchObject([
      { source: 'added', duration: 60 },
    ]);
  });

  it('is edited, removed, and objected to like any other', async () => {
    const { body } = await add('07 10:00', '07 12:00');
    expect((await edit(body.id, { end_time: '2026-03-07T11:00:00Z' })).status).toBe(200);
    const objection = `/api/assets/${share.asset.id}/sessions/${body.id}/objection/`;
    expect((await api.call('POST', objection, { as: owner, body: {} })).status).toBe(201);
    expect((await callShare('POST', `logs/${body.id}/objection/agree`)).status).toBe(200);
    expect((await logs())[0]).toMatchObject({ source: 'added', duration: 120, edited: { kind: 'restored' } });
    const removed = (await add('08 10:00', '08 12:00', film)).body.id;
    expect((await callShare('DELETE', `logs/${removed}`)).status).toBe(204);
    await api.call('POST', `/api/assets/${share.asset.id}/sessions/${removed}/objection/`, { as: owner, body: {} });
    await callShare('POST', `logs/${removed}/objection/agree`);
    expect((await logs())[0]).toMatchObject({ source: 'added', duration: 120, external_id: 'film' });
    await expectConsistent();
  });

  it('overlaps no other that is added or started at the same time', async () => {
    const calls = Array.from({ length: 12 }, (_, index) =>
      index % 4 === 3 ? callShare('POST', 'start') : add(`10 0${index % 3}:00`, '10 11:00'),
    );
    const answers = await Promise.all(calls);
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(2);
    await expectConsistent();
  });
});

describe('a session with an external id', () => {
  it('is added once, also of many at the same time', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => add('07 10:00', '07 11:00', film)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(7);
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect((await logs())[0]).toMatchObject({ external_id: 'film', edited: null });
    expect(await used()).toBe(3);
  });

  it('has one line of up to 100 characters for it', async () => {
    for (const externalId of ['', 'a\nb', 'a'.repeat(101)])
      expect(await add('07 10:00', '07 11:00', { externalId })).toMatchObject({
        status: 400,
        body: { code: 'validation_failed', fields: { external_id: [expect.any(String)] } },
      });
    expect((await add('07 10:00', '07 11:00', { externalId: 'ü'.repeat(100) })).status).toBe(201);
  });

  it('is moved, which is traced, and moved back', async () => {
    await add('07 10:00', '07 11:00', film);
    expect(await add('08 10:00', '08 10:30', film)).toMatchObject({
      status: 200,
      body: { start_time: '2026-03-08T10:00:00.000Z', duration: 30 },
    });
    expect((await logs())[0]).toMatchObject({
      duration: 30,
      edited: { kind: 'corrected', start_time: '2026-03-07T10:00:00.000Z' },
    });
    expect(await add('07 10:00', '07 11:00', film)).toMatchObject({ status: 200, body: { duration: 60 } });
    expect(await add('05 11:00', '05 13:00', film)).toMatchObject({ body: { code: 'session_overlap' } });
    expect(await add('06 10:00', '07 10:01', film)).toMatchObject({ body: { code: 'session_too_long' } });
    expect(await used()).toBe(3);
    await expectConsistent();
  });

  it('stays as a person edited it', async () => {
    const { body } = await add('07 10:00', '07 11:00', film);
    await edit(body.id, { end_time: '2026-03-07T10:30:00Z' });
    const asEdited = { status: 200, body: { duration: 30 } };
    expect(await add('07 10:00', '07 11:00', film)).toMatchObject(asEdited);
    expect(await add('07 10:00', '07 10:30', film)).toMatchObject(asEdited);
    const refused = { status: 409, body: { code: 'session_edited' } };
    expect(await add('07 10:00', '07 10:45', film)).toMatchObject(refused);
    await callShare('DELETE', `logs/${body.id}`);
    expect(await add('07 10:00', '07 11:00', film)).toMatchObject(refused);
    expect(await used()).toBe(2);
  });

  it('asks once for a move that takes time out of an ended month, and takes that back', async () => {
    api.clock.now = new Date('2026-03-01T12:00:00Z');
    const addAt = (from: string, to: string) =>
      callShare<SessionOrRequest>('POST', 'logs', {
        body: { start_time: `2026-02-27T${from}:00Z`, end_time: `2026-02-27T${to}:00Z`, external_id: 'film' },
      });
    await addAt('10:00', '12:00');
    const asked = {
      status: 200,
      body: { duration: 120, request: { status: 'open', end_time: '2026-02-27T11:00:00.000Z' } },
    };
    expect(await addAt('10:00', '11:00')).toMatchObject(asked);
    expect(await addAt('10:00', '11:00')).toMatchObject(asked);
    expect(await api.deps.db.selectFrom('edit_requests').selectAll().execute()).toHaveLength(1);
    expect(await addAt('10:00', '12:00')).toMatchObject({ status: 200, body: { duration: 120, request: null } });
    expect(await addAt('10:00', '12:30')).toMatchObject({ status: 200, body: { duration: 150, request: null } });
  });

  it('belongs to its share alone', async () => {
    await add('07 10:00', '07 11:00', film);
    share = await api.share(owner, await api.addAsset(owner, { name: 'Car' }), member);
    api.clock.advance(HOUR);
    expect(await add('10 12:10', '10 12:20', film)).toMatchObject({ status: 201 });
  });
});
