import type { SignedIn } from '@hourshare/contract/sign-ins';
import type { MemberSession, Session } from '@hourshare/contract/sessions';
import type { SharedAsset } from '@hourshare/contract/shares';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openTestApi, type CallOptions, type TestApi } from '../../../testing/api.ts';

const HOUR = 3_600_000;

let api: TestApi;
let owner: SignedIn;
let member: SignedIn;
let share: SharedAsset;
beforeAll(async () => {
  api = await openTestApi();
});
/**
 * Creates a share on March 1 with a session on March 5 from 10:00 to 12:00 UTC, and sets the clock to March 10, 12:00.
 */
beforeEach(async () => {
  await api.reset();
  const now = api.clock.now;
  api.clock.now = new Date('2026-03-01T00:00:00Z');
  owner = await api.register('mira');
  member = await api.register('ben');
  share = await api.share(owner, await api.addAsset(owner), member);
  await recordSession('2026-03-05T10:00:00Z', 2);
  api.clock.now = now;
});
afterAll(() => api.close());

async function recordSession(from: string, hours: number): Promise<void> {
  api.clock.now = new Date(from);
  await callShare('POST', 'start');
  api.clock.advance(hours * HOUR);
  await callShare('POST', 'end');
}

const callShare = <T>(method: string, action: string, options: CallOptions = {}) =>
  api.call<T>(method, `/api/shared-assets/${share.id}/${action}/`, { as: member, ...options });
const logs = async () => (await callShare<{ results: Session[] }>('GET', 'logs')).body.results;
const oldestId = async () => (await logs()).at(-1)?.id;
const edit = async (body: object, id?: number) =>
  callShare<Session>('PATCH', `logs/${id ?? (await oldestId())}`, { body });
const remove = async (id?: number) => callShare('DELETE', `logs/${id ?? (await oldestId())}`);
const ownerSessions = async () =>
  (await api.call<{ results: MemberSession[] }>('GET', `/api/assets/${share.asset.id}/sessions/`, { as: owner })).body
    .results;

describe('editing a session', () => {
  it('changes its start, its end, or both, and every figure based on it', async () => {
    expect(await edit({ start_time: '2026-03-05T11:30:00+01:00' })).toMatchObject({
      status: 200,
      body: { start_time: '2026-03-05T10:30:00.000Z', end_time: '2026-03-05T12:00:00.000Z', duration: 90 },
    });
    expect((await edit({ end_time: '2026-03-05T11:00:00Z' })).body.duration).toBe(30);
    const both = { start_time: '2026-03-06T20:00:00Z', end_time: '2026-03-07T02:00:00Z' };
    expect((await edit(both)).body.duration).toBe(360);
    expect((await callShare<SharedAsset>('GET', 'analytics')).body).toMatchObject({ total_usage: 6 });
  });

  it('shows the owner the original times, but only if something changed', async () => {
    await edit({ end_time: '2026-03-05T12:00:00Z' });
    expect((await ownerSessions())[0]?.edited).toBeNull();
    await edit({ end_time: '2026-03-05T11:00:00Z' });
    await edit({ end_time: '2026-03-05T11:30:00Z' });
    expect(await ownerSessions()).toMatchObject([
      {
        username: 'ben',
        duration: 90,
        edited: {
          kind: 'corrected',
          at: '2026-03-10T12:00:00.000Z',
          start_time: '2026-03-05T10:00:00.000Z',
          end_time: '2026-03-05T12:00:00.000Z',
        },
      },
    ]);
  });

  it.each([
    ['a time in the future', { end_time: '2026-03-10T12:00:00.001Z' }, 'end_time'],
    ['an end before its start', { end_time: '2026-03-05T09:00:00Z' }, 'end_time'],
    ['an end equal to its start', { end_time: '2026-03-05T10:00:00Z' }, 'end_time'],
    ['a time before the share', { start_time: '2026-02-28T23:59:59Z' }, 'start_time'],
    ['more than the session limit', { end_time: '2026-03-06T10:00:00.001Z' }, 'end_time'],
    ['a time without a zone', { end_time: '2026-03-05T11:00:00' }, 'end_time'],
    ['an invalid time', { start_time: 'noon' }, 'start_time'],
  ])('rejects %s and changes nothing', async (_, body, field) => {
    const before = await logs();
    const answer = await edit(body);
    expect(answer).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
    expect(Object.keys((answer.body as unknown as { fields: object }).fields)).toEqual([field]);
    expect(await logs()).toEqual(before);
  });

  it('rejects overlaps with another session, but allows sessions to touch', async () => {
    const now = api.clock.now;
    await recordSession('2026-03-06T10:00:00Z', 1);
    api.clock.now = now;
    const overlapping = { start_time: '2026-03-05T20:00:00Z', end_time: '2026-03-06T10:00:00.001Z' };
    expect(await edit(overlapping)).toMatchObject({ status: 400, body: { code: 'session_overlap' } });
    expect((await edit({ ...overlapping, end_time: '2026-03-06T10:00:00Z' })).status).toBe(200);
  });

  it('is rejected while the session is running', async () => {
    await callShare('POST', 'start');
    api.clock.advance(HOUR);
    const [running] = await logs();
    expect(await edit({ start_time: '2026-03-10T11:59:00Z' }, running?.id)).toMatchObject({
      status: 400,
      body: { code: 'session_active' },
    });
    expect(await remove(running?.id)).toMatchObject({ status: 400, body: { code: 'session_active' } });
    // A running session has no end yet, so nothing may overlap it.
    const times = { start_time: '2026-03-10T11:00:00Z', end_time: '2026-03-10T12:30:00Z' };
    expect(await edit(times)).toMatchObject({ status: 400, body: { code: 'session_overlap' } });
  });

  it('is possible until 72 hours after the month ends', async () => {
    api.clock.now = new Date('2026-04-03T23:59:59.999Z');
    expect((await edit({ end_time: '2026-03-05T12:30:00Z' })).status).toBe(200);
    api.clock.now = new Date('2026-04-04T00:00:00Z');
    for (const answer of [await edit({ end_time: '2026-03-05T11:30:00Z' }), await remove()])
      expect(answer).toMatchObject({ status: 400, body: { code: 'month_closed' } });
  });

  it('cannot move a session of an open month into a closed one', async () => {
    await recordSession('2026-04-10T10:00:00Z', 1);
    api.clock.now = new Date('2026-04-12T00:00:00Z');
    const [april] = await logs();
    const times = { start_time: '2026-03-31T23:30:00Z', end_time: '2026-04-01T01:00:00Z' };
    expect(await edit(times, april?.id)).toMatchObject({ status: 400, body: { code: 'month_closed' } });
  });

  it('never makes sessions overlap when requests are concurrent', async () => {
    const now = api.clock.now;
    for (const day of [6, 7, 8, 9]) await recordSession(`2026-03-0${day}T10:00:00Z`, 1);
    api.clock.now = now;
    const ids = (await logs()).map(({ id }) => id);
    const answers = await Promise.all(
      ids.flatMap((id) =>
        [0, 1, 2, 3].map((hour) =>
          edit({ start_time: `2026-03-05T0${hour + 1}:00:00Z`, end_time: `2026-03-05T0${hour + 3}:00:00Z` }, id),
        ),
      ),
    );
    for (const { status } of answers) expect([200, 400]).toContain(status);
    const sorted = (await logs()).toReversed();
    const ends = sorted.map(({ end_time }) => String(end_time));
    expect(sorted.slice(1).every(({ start_time }, index) => start_time >= String(ends[index]))).toBe(true);
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
  });
});

describe('removing a session', () => {
  it('removes it from every figure and still shows it to the owner', async () => {
    await edit({ end_time: '2026-03-05T11:00:00Z' });
    const id = await oldestId();
    expect((await remove()).status).toBe(204);
    expect(await logs()).toEqual([]);
    expect((await remove(id)).status).toBe(404);
    expect((await callShare('GET', 'analytics')).body).toMatchObject({ total_usage: 0, total_sessions: 0 });
    expect(await ownerSessions()).toEqual([
      {
        id,
        asset_name: 'Netflix Premium',
        username: 'ben',
        start_time: '2026-03-05T10:00:00.000Z',
        end_time: '2026-03-05T12:00:00.000Z',
        duration: 0,
        recorded_by_owner: false,
        hue: expect.any(Number) as number,
        share_id: expect.any(Number) as number,
        person: false,
        edited: {
          kind: 'removed',
          at: '2026-03-10T12:00:00.000Z',
          start_time: '2026-03-05T10:00:00.000Z',
          end_time: '2026-03-05T12:00:00.000Z',
          open_until: '2026-04-04T00:00:00.000Z',
          objection_until: '2026-04-03T00:00:00.000Z',
        },
        objection: null,
        request: null,
        added_late: null,
        day: null,
        not_counted: 0,
        source: 'pressed',
        meter: null,
        ended_silently: false,
      },
    ]);
  });

  it('is only possible for the member of that share', async () => {
    const zoe = await api.register('zoe');
    const other = await api.share(owner, await api.addAsset(owner), zoe);
    const id = await oldestId();
    const path = `/api/shared-assets/${other.id}/logs/${id}/`;
    expect((await api.call('DELETE', path, { as: zoe })).status).toBe(404);
    expect((await api.call('DELETE', path, { as: member })).status).toBe(404);
    expect(await logs()).toHaveLength(1);
  });
});
