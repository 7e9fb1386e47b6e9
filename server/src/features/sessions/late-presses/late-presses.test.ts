import type { SignedIn } from '@hourshare/contract/sign-ins';
import type { OwnedAsset } from '@hourshare/contract/assets';
import type { Notice } from '@hourshare/contract/notifications';
import { SAME_PRESS_SECONDS } from '@hourshare/contract/limits';
import type { MemberSession, Session, SessionOrRequest } from '@hourshare/contract/sessions';
import type { SharedAsset } from '@hourshare/contract/shares';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openTestApi, type TestApi } from '../../../testing/api.ts';
import { dispatchAll } from '../../notifications/dispatch/service.ts';
import { verifyUsage } from '../../usage/service.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let api: TestApi;
let owner: SignedIn;
let member: SignedIn;
let asset: OwnedAsset;
let share: SharedAsset;
beforeAll(async () => {
  api = await openTestApi();
});
/** Shares an asset on March 8, and sets the clock to March 10, 12:00 UTC. */
beforeEach(async () => {
  await api.reset();
  const { now } = api.clock;
  api.clock.now = new Date('2026-03-08T12:00:00Z');
  owner = await api.register('mira');
  member = await api.register('ben');
  asset = await api.addAsset(owner);
  share = await api.share(owner, asset, member);
  api.clock.now = now;
});
afterAll(() => api.close());

const instant = (millisecondsAgo: number) => new Date(api.clock.now.getTime() - millisecondsAgo).toISOString();

/** Sends a press that was made some time ago, by a device whose clock is ahead of the server's by `ahead`. */
const late = (
  verb: 'start' | 'end',
  ago: number,
  { ahead = 0, key, id = share.id }: { ahead?: number; key?: string; id?: number } = {},
) =>
  api.call<SessionOrRequest>('POST', `/api/shared-assets/${id}/late-${verb}/`, {
    as: member,
    body: { at: instant(ago - ahead), client_time: instant(-ahead) },
    ...(key !== undefined && { headers: { 'idempotency-key': key } }),
  });
const press = (verb: 'start' | 'end') =>
  api.call<Session>('POST', `/api/shared-assets/${share.id}/${verb}/`, { as: member });
const asOwner = (method: string, path: string, body?: object) =>
  api.call(method, `/api/assets/${asset.id}/${path}`, { as: owner, ...(body && { body }) });
const ownerSessions = async () =>
  (await api.call<{ results: MemberSession[] }>('GET', `/api/assets/${asset.id}/sessions/`, { as: owner })).body
    .results;
const usedHours = async () =>
  (await api.call<{ total_usage: number }>('GET', `/api/shared-assets/${share.id}/analytics/`, { as: member })).body
    .total_usage;

async function expectUsageRight(): Promise<void> {
  for await (const { days } of verifyUsage(api.deps.db, { repair: false })) expect(days).toEqual([]);
}

const refused = (code: string) => ({ status: 400, body: { code } });
const refusedAt = (sentence: string) => ({
  status: 400,
  body: { code: 'validation_failed', fields: { at: [sentence] } },
});

describe('a start and an end pressed offline', () => {
  it('count with their times, and the owner sees that they were added late', async () => {
    expect(await late('start', 3 * HOUR)).toMatchObject({
      status: 201,
      body: { start_time: '2026-03-10T09:00:00.000Z', end_time: null, duration: null, added_late: 'start' },
    });
    expect(await late('end', HOUR)).toMatchObject({
      status: 200,
      body: { end_time: '2026-03-10T11:00:00.000Z', duration: 120, added_late: 'both' },
    });
    expect(await ownerSessions()).toMatchObject([{ username: 'ben', duration: 120, added_late: 'both' }]);
    expect(await usedHours()).toBe(2);
    const file = await api.call('GET', `/api/assets/${asset.id}/sessions/?format=csv`, { as: owner });
    expect(file.text).toMatch(/,added_late,source\r\n[^\r]*,both,pressed\r\n$/);
    await expectUsageRight();
  });

  it('count by the clock of the server, whatever that of the device says', async () => {
    expect((await late('start', 3 * HOUR, { ahead: 400 * HOUR })).body.start_time).toBe('2026-03-10T09:00:00.000Z');
    expect((await late('end', HOUR, { ahead: -50 * HOUR })).body.end_time).toBe('2026-03-10T11:00:00.000Z');
  });

  it('are accepted up to 24 hours back, and never in the future', async () => {
    expect(await late('start', -1)).toMatchObject(refusedAt("This can't be in the future."));
    expect(await late('start', 24 * HOUR + 1)).toMatchObject(refusedAt('This was more than 24 hours ago.'));
    expect(await late('end', 24 * HOUR + 1)).toMatchObject(refusedAt('This was more than 24 hours ago.'));
    expect((await late('start', 24 * HOUR)).status).toBe(201);
  });

  it('are recorded once when they are sent again with their key, also later', async () => {
    const body = { at: instant(HOUR), client_time: instant(0) };
    const send = () =>
      api.call<Session>('POST', `/api/shared-assets/${share.id}/late-start/`, {
        as: member,
        body,
        headers: { 'idempotency-key': 'k' },
      });
    const first = await send();
    expect(first.status).toBe(201);
    api.clock.advance(HOUR);
    expect((await send()).text).toBe(first.text);
    expect(await ownerSessions()).toHaveLength(1);
  });

  it('answer the session of the same press when only its answer was lost', async () => {
    const started = (await press('start')).body;
    api.clock.advance(HOUR);
    expect(await late('start', HOUR + 5000)).toMatchObject({ status: 201, body: started });
    const ended = (await press('end')).body;
    api.clock.advance(HOUR);
    expect(await late('end', HOUR + 5000)).toMatchObject({ status: 200, body: ended });
    expect(await ownerSessions()).toMatchObject([{ added_late: null }]);
    // As exact as clocks and the way to the server allow.
    expect(await late('end', HOUR + SAME_PRESS_SECONDS * 1000)).toMatchObject({ status: 200, body: ended });
    const other = await late('end', HOUR + SAME_PRESS_SECONDS * 1000 + 1);
    expect(other).toMatchObject(refused('session_already_ended'));
  });
});

describe('a late start', () => {
  it('becomes a session that has ended at its limit if that has passed', async () => {
    await asOwner('PATCH', '', { max_session_hours: 2 });
    api.clock.now = new Date('2026-04-02T12:00:00Z');
    expect((await late('start', 5 * HOUR)).body).toMatchObject({ end_time: '2026-04-02T09:00:00.000Z', duration: 120 });
    expect(await usedHours()).toBe(2);
    expect((await late('end', 4.5 * HOUR)).body).toMatchObject({ duration: 30, added_late: 'both' });
    expect(await usedHours()).toBe(0.5);
    expect((await press('start')).status).toBe(201);
    await expectUsageRight();
  });

  it('needs access at its time, and ends with it', async () => {
    api.clock.now = new Date('2026-03-08T13:00:00Z');
    expect(await late('start', 2 * HOUR)).toMatchObject(refusedAt("You didn't have access to this asset yet."));
    api.clock.now = new Date('2026-03-10T11:00:00Z');
    await asOwner('DELETE', `share/${share.id}/`);
    api.clock.advance(HOUR);
    expect(await late('start', HOUR)).toMatchObject(refusedAt('Your access to this asset had ended by then.'));
    expect(await late('start', 2 * HOUR)).toMatchObject({
      status: 201,
      body: { end_time: '2026-03-10T11:00:00.000Z', duration: 60 },
    });
    expect(await late('end', 1.5 * HOUR)).toMatchObject({ status: 200, body: { duration: 30, added_late: 'both' } });
    await expectUsageRight();
  });

  it('needs an asset that was not archived at its time, and ends when it was', async () => {
    api.clock.now = new Date('2026-03-10T10:00:00Z');
    await asOwner('PATCH', '', { archived: true });
    api.clock.advance(HOUR);
    expect(await late('start', HOUR / 2)).toMatchObject(refusedAt('This asset was archived at that time.'));
    expect((await late('start', 2 * HOUR)).body).toMatchObject({ end_time: '2026-03-10T10:00:00.000Z' });
    expect((await late('end', 1.5 * HOUR)).body).toMatchObject({ duration: 30 });
    await asOwner('PATCH', '', { archived: false });
    api.clock.advance(HOUR);
    expect((await late('start', HOUR / 2)).body).toMatchObject({ end_time: null });
    await expectUsageRight();
  });

  it('is refused while another session ran, or one that may come to count again', async () => {
    await press('start');
    api.clock.advance(HOUR);
    expect(await late('start', HOUR / 2)).toMatchObject(refused('session_already_running'));
    expect(await late('start', 1.5 * HOUR)).toMatchObject(refused('session_overlap'));
    await press('end');
    api.clock.advance(HOUR);
    expect(await late('start', 1.5 * HOUR)).toMatchObject(refused('session_overlap'));
    const [session] = await ownerSessions();
    await api.call('DELETE', `/api/shared-assets/${share.id}/logs/${session?.id}/`, { as: member });
    expect(await late('start', 1.5 * HOUR)).toMatchObject(refused('session_overlap'));
    expect((await late('start', HOUR)).status).toBe(201);
  });

  it('is refused in a month that has closed', async () => {
    api.clock.now = new Date('2026-04-01T06:00:00Z');
    await api.call('POST', `/api/assets/${asset.id}/statements/2026-03/confirm/`, { as: member });
    expect((await asOwner('POST', 'statements/2026-03/close/')).status).toBe(200);
    expect(await late('start', 7 * HOUR)).toMatchObject(refused('month_closed'));
    expect((await late('start', 5 * HOUR)).status).toBe(201);
  });

  it('withdraws that the member has nothing to edit in its month', async () => {
    api.clock.now = new Date('2026-04-01T06:00:00Z');
    await api.call('POST', `/api/assets/${asset.id}/statements/2026-03/confirm/`, { as: member });
    expect((await late('start', 7 * HOUR)).status).toBe(201);
    expect(await asOwner('POST', 'statements/2026-03/close/')).toMatchObject(refused('members_may_edit'));
  });

  it('is not found for a share that is not the member’s or not accepted', async () => {
    const offered = await api.offer(owner, await api.addAsset(owner, { name: 'Car' }), member);
    for (const id of [offered.id, 999])
      for (const verb of ['start', 'end'] as const)
        expect(await late(verb, 1000, { id })).toMatchObject({ status: 404, body: { code: 'not_found' } });
  });
});

describe('a late end', () => {
  it('ends the running session at its time, but not before its start', async () => {
    expect(await late('end', HOUR)).toMatchObject(refused('no_active_session'));
    await press('start');
    api.clock.advance(HOUR);
    expect(await late('end', 2 * HOUR)).toMatchObject(refused('no_active_session'));
    expect(await late('end', HOUR + 1000)).toMatchObject({ status: 200, body: { duration: 0, added_late: 'end' } });
    await press('start');
    api.clock.advance(HOUR);
    expect(await late('end', HOUR / 2)).toMatchObject({ status: 200, body: { duration: 30, added_late: 'end' } });
    await expectUsageRight();
  });

  it('shortens a session that has ended at its limit since', async () => {
    await press('start');
    api.clock.advance(30 * HOUR);
    expect((await ownerSessions())[0]).toMatchObject({ duration: 24 * 60 });
    expect((await late('end', 10 * HOUR)).body).toMatchObject({ duration: 20 * 60, added_late: 'end' });
    expect(await late('end', 11 * HOUR)).toMatchObject(refused('session_already_ended'));
    await expectUsageRight();
  });

  it('is refused if the session has been ended or edited elsewhere', async () => {
    await press('start');
    api.clock.advance(HOUR);
    const { body: session } = await press('end');
    api.clock.advance(HOUR);
    expect(await late('end', 1.5 * HOUR)).toMatchObject(refused('session_already_ended'));
    expect(await late('end', HOUR / 2)).toMatchObject(refused('session_already_ended'));
    const path = `/api/shared-assets/${share.id}/logs/${session.id}/`;
    await api.call('PATCH', path, { as: member, body: { end_time: instant(1.2 * HOUR) } });
    expect(await late('end', 1.5 * HOUR)).toMatchObject(refused('session_already_ended'));
  });

  it('withdraws that the member has nothing to edit in its month', async () => {
    api.clock.now = new Date('2026-03-31T22:00:00Z');
    await press('start');
    api.clock.now = new Date('2026-04-01T06:00:00Z');
    await api.call('POST', `/api/assets/${asset.id}/statements/2026-03/confirm/`, { as: member });
    expect((await late('end', HOUR)).status).toBe(200);
    expect(await asOwner('POST', 'statements/2026-03/close/')).toMatchObject(refused('members_may_edit'));
  });

  it('stays marked when the session is removed', async () => {
    await press('start');
    api.clock.advance(HOUR);
    const { body: session } = await late('end', HOUR / 2);
    await api.call('DELETE', `/api/shared-assets/${share.id}/logs/${session.id}/`, { as: member });
    expect(await ownerSessions()).toMatchObject([{ edited: { kind: 'removed' }, added_late: 'end' }]);
  });
});

describe('a late end that takes away what the server had', () => {
  const object = async () => {
    const [session] = (await ownerSessions()).toReversed();
    return asOwner('POST', `sessions/${session?.id}/objection/`, {});
  };
  const agree = async () => {
    const [session] = (await ownerSessions()).toReversed();
    return api.call('POST', `/api/shared-assets/${share.id}/logs/${session?.id}/objection/agree/`, { as: member });
  };
  const toldOf = async () => {
    await dispatchAll(api.deps);
    const { body } = await api.call<{ results: Notice[] }>('GET', '/api/notifications/', { as: owner });
    return body.results.filter(({ kind }) => /session_(?:edited|request)/.test(kind)).map(({ text }) => text);
  };

  it('is an edit: it counts, is traced, and open to objection', async () => {
    await press('start');
    api.clock.advance(20 * HOUR);
    expect(await late('end', 19.9 * HOUR)).toMatchObject({ status: 200, body: { duration: 6, request: null } });
    expect(await ownerSessions()).toMatchObject([
      {
        duration: 6,
        added_late: 'end',
        edited: { kind: 'corrected', start_time: instant(20 * HOUR), end_time: instant(0) },
      },
    ]);
    await expectUsageRight();
    expect((await object()).status).toBe(201);
    expect((await agree()).status).toBe(200);
    expect(await usedHours()).toBe(20);
    await expectUsageRight();
  });

  it('is one of a session that has ended at its limit, too', async () => {
    await press('start');
    api.clock.advance(30 * HOUR);
    await late('end', 10 * HOUR);
    expect(await ownerSessions()).toMatchObject([
      { duration: 1200, edited: { start_time: instant(30 * HOUR), end_time: instant(6 * HOUR) } },
    ]);
    await object();
    await agree();
    expect(await usedHours()).toBe(24);
    await expectUsageRight();
  });

  it.each([
    ['more than 10 minutes', 10 * MINUTE + 1, ['ben ended a session of Netflix Premium earlier, offline']],
    ['10 minutes', 10 * MINUTE, []],
  ])('is told to the owner if it takes %s', async (_, ago, told) => {
    await press('start');
    api.clock.advance(HOUR);
    await late('end', ago);
    expect((await ownerSessions())[0]?.edited?.kind).toBe('corrected');
    expect(await toldOf()).toEqual(told);
  });

  it('is no edit if nothing is taken, as of a session that was started offline, too', async () => {
    await press('start');
    api.clock.advance(HOUR);
    await late('end', 0);
    api.clock.advance(HOUR);
    await late('start', 0.5 * HOUR);
    await late('end', 0.25 * HOUR);
    expect((await ownerSessions()).map(({ edited }) => edited)).toEqual([null, null]);
    expect(await toldOf()).toEqual([]);
  });

  it('takes what was used since a late start arrived', async () => {
    await late('start', HOUR);
    api.clock.advance(HOUR);
    await late('end', 1.5 * HOUR);
    expect(await ownerSessions()).toMatchObject([{ duration: 30, edited: { end_time: instant(0) } }]);
  });

  it('leaves room for other sessions of the same time offline, which give way if the recorded end counts', async () => {
    await press('start');
    api.clock.advance(4 * HOUR);
    await late('end', 3 * HOUR);
    expect((await late('start', 2 * HOUR)).status).toBe(201);
    expect((await late('end', HOUR)).status).toBe(200);
    expect((await late('start', HOUR / 2)).status).toBe(201);
    api.clock.advance(HOUR);
    await press('end');
    expect(await usedHours()).toBe(3.5);
    await object();
    await agree();
    // Four hours as recorded, and what was used since.
    expect((await ownerSessions()).map(({ duration }) => duration)).toEqual([60, 0, 240]);
    expect(await usedHours()).toBe(5);
    await expectUsageRight();
  });

  it('is refused in time that was freed by an edit', async () => {
    await press('start');
    api.clock.advance(2 * HOUR);
    const { body: session } = await press('end');
    const path = `/api/shared-assets/${share.id}/logs/${session.id}/`;
    await api.call('PATCH', path, { as: member, body: { end_time: instant(1.5 * HOUR) } });
    expect(await late('start', HOUR)).toMatchObject(refused('session_overlap'));
  });

  it('is a request if it takes time out of a month that has ended', async () => {
    api.clock.now = new Date('2026-03-31T20:00:00Z');
    await press('start');
    api.clock.now = new Date('2026-04-01T06:00:00Z');
    const request = { status: 'open', end_time: '2026-03-31T21:00:00.000Z', waits_for: ['mira'] };
    const asked = await late('end', 9 * HOUR, { key: 'k' });
    expect(asked).toMatchObject({ status: 200, body: { end_time: instant(0), duration: 600, request } });
    expect((await late('end', 9 * HOUR)).body).toMatchObject({ duration: 600, request });
    expect(await toldOf()).toEqual(['ben asks to edit a session of Netflix Premium']);
    expect((await press('start')).status).toBe(201);
    await expectUsageRight();
    const [, session] = await ownerSessions();
    expect((await asOwner('POST', `sessions/${session?.id}/request/accept/`)).status).toBe(200);
    expect((await ownerSessions())[1]).toMatchObject({
      duration: 60,
      added_late: 'end',
      edited: { kind: 'corrected' },
    });
    await expectUsageRight();
  });

  it('is an edit at once if it only takes time out of the running month', async () => {
    api.clock.now = new Date('2026-03-31T20:00:00Z');
    await press('start');
    api.clock.now = new Date('2026-04-01T06:00:00Z');
    expect((await late('end', 5 * HOUR)).body).toMatchObject({ duration: 300, request: null });
  });

  it('replaces what was requested about the session', async () => {
    api.clock.now = new Date('2026-03-31T20:00:00Z');
    const { body: session } = await press('start');
    api.clock.now = new Date('2026-04-01T21:00:00Z');
    const path = `/api/shared-assets/${share.id}/logs/${session.id}/`;
    const asked = await api.call('PATCH', path, { as: member, body: { start_time: '2026-03-31T22:00:00Z' } });
    expect(asked.body).toMatchObject({ duration: 1440, request: { status: 'open' } });
    expect((await late('end', 5 * HOUR)).body).toMatchObject({ duration: 1200, request: null });
    expect(await ownerSessions()).toMatchObject([{ duration: 1200, request: { status: 'withdrawn' } }]);
  });

  it('is a request about a session that ended at its limit in the ended month', async () => {
    api.clock.now = new Date('2026-03-30T22:00:00Z');
    await press('start');
    api.clock.now = new Date('2026-04-01T06:00:00Z');
    expect((await late('end', 20 * HOUR)).body).toMatchObject({ duration: 1440, request: { status: 'open' } });
    expect(await late('end', 21 * HOUR)).toMatchObject(refused('session_already_ended'));
  });
});

describe('two devices', () => {
  const PARALLEL = 20;
  const codes = (answers: { status: number; body: unknown }[]) =>
    answers.map(({ status, body }) => (status < 300 ? 'done' : (body as { code: string }).code)).toSorted();

  it('that send the same start and end at once record one session', async () => {
    const starts = await Promise.all(Array.from({ length: PARALLEL }, (_, n) => late('start', HOUR + n * 1000)));
    expect(new Set(starts.map(({ status, body }) => `${status} ${body.id}`)).size).toBe(1);
    const ends = await Promise.all(Array.from({ length: PARALLEL }, (_, n) => late('end', HOUR / 2 + n * 1000)));
    expect(new Set(ends.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(await ownerSessions()).toMatchObject([{ added_late: 'both' }]);
    await expectUsageRight();
  });

  it('that send different starts at once record the first to arrive', async () => {
    const starts = await Promise.all(Array.from({ length: 10 }, (_, n) => late('start', HOUR + n * 5 * MINUTE)));
    expect(codes(starts).filter((code) => code === 'done')).toHaveLength(1);
    const refusals = codes(starts).filter((code) => code !== 'done');
    expect(refusals).toEqual(refusals.map(() => expect.stringMatching(/^session_(?:already_running|overlap)$/)));
    expect(await ownerSessions()).toHaveLength(1);
  });

  it('that end a session online and offline at once end it once', async () => {
    await press('start');
    api.clock.advance(HOUR);
    const ends = await Promise.all(
      Array.from({ length: PARALLEL }, (_, n) => (n % 2 === 0 ? press('end') : late('end', n * 2 * MINUTE))),
    );
    expect(codes(ends).filter((code) => code === 'done')).toHaveLength(1);
    await expectUsageRight();
  });
});
