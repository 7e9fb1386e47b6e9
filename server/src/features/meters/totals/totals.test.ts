import type { MemberMeter, Meter, MeterWithToken } from '@hourshare/contract/meters';
import type { MemberSession, OwnSession } from '@hourshare/contract/sessions';
import type { SharedAsset } from '@hourshare/contract/shares';
import type { SignedIn } from '@hourshare/contract/sign-ins';
import type { Statement } from '@hourshare/contract/statements';
import fc from 'fast-check';
import { sql } from 'kysely';
import { callsOfMeter, meteredShare } from '../../../testing/meters.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openTestApi, type TestApi } from '../../../testing/api.ts';
import { runScheduledJobs } from '../../../testing/records.ts';
import { randomRuns } from '../../../testing/thorough.ts';
import { readUncovered } from '../../sessions/totals/service.ts';
import { tidyUp } from '../service.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

let api: TestApi;
let owner: SignedIn;
let member: SignedIn;
let share: SharedAsset;
let meter: Meter;
let token: string;
beforeAll(async () => {
  api = await openTestApi();
});
/** A share of 20 hours since March 1 with a meter of totals that calls the member "ben@work", on March 10, 12:00 UTC. */
beforeEach(async () => {
  const now = '2026-03-10T12:00:00Z';
  ({ owner, member, share, meter, token } = await meteredShare(api, { now, name: 'Claude Code', kind: 'totals' }));
});
afterAll(() => api.close());

const { manage, callShare, match, answer, agree, addMeter, send, logs, expectConsistent } = callsOfMeter(
  () => ({ api, owner, member, share, meter, token }),
  'ben@work',
);

let ids = 0;
const total = (seconds: number, more: object = { day: '2026-03-10' }) => ({
  id: `t${++ids}`,
  name: 'ben@work',
  seconds,
  ...more,
});
const days = async () =>
  (await logs()).map(({ day, duration }) => [day, Math.round((duration ?? 0) * 60)]).toReversed();
const usage = async () => (await api.call<SharedAsset>('GET', `/api/shared-assets/${share.id}/`, { as: member })).body;

describe('a meter of totals', () => {
  it('adds to a line of each day, which counts in all that is told of the month', async () => {
    await agree();
    expect(await send(total(1800), total(600), total(3600, { day: '2026-03-09' }))).toEqual([
      'recorded',
      'extended',
      'recorded',
    ]);
    expect(await send(total(60, { at: '2026-03-10T11:59:59Z' }))).toEqual(['extended']);
    expect(await logs()).toMatchObject([
      {
        day: '2026-03-10',
        duration: 41,
        source: 'metered',
        meter: 'Claude Code',
        not_counted: 0,
        start_time: '2026-03-10T00:00:00.000Z',
        end_time: '2026-03-10T00:41:00.000Z',
        edited: null,
      },
      { day: '2026-03-09', duration: 60 },
    ]);
    expect((await usage()).usage_this_month).toBe(1.68);
    const asset = await api.call<{ results: MemberSession[] }>('GET', `/api/assets/${share.asset.id}/sessions/`, {
      as: owner,
    });
    expect(asset.body.results).toMatchObject([{ username: 'ben', day: '2026-03-10' }, { day: '2026-03-09' }]);
    const analytics = await api.call('GET', `/api/assets/${share.asset.id}/analytics/`, { as: owner });
    expect(analytics.body).toMatchObject({
      daily_usage: { '2026-03-09': 1, '2026-03-10': 0.68 },
      metered_usage: { '2026-03-09': 1, '2026-03-10': 0.68 },
      members: [{ metered_usage: { '2026-03-09': 1, '2026-03-10': 0.68 } }],
    });
    const preview = await api.call<Statement>('GET', `/api/assets/${share.asset.id}/statements/2026-03/`, {
      as: owner,
    });
    expect(preview.body.lines.find(({ role }) => role === 'member')).toMatchObject({ used_hours: 1.68 });
    expect(preview.body.lines.map(({ sources }) => sources)).toEqual([
      [],
      [{ source: 'metered', meter: 'Claude Code', seconds: 6060 }],
    ]);
    const csv = await api.call('GET', `/api/shared-assets/${share.id}/logs/?format=csv`, { as: member });
    expect(csv.text).toContain('2026-03-10T00:00:00.000Z,2026-03-10T00:41:00.000Z,41');
    const exported = await api.call<{ sessions: OwnSession[] }>('GET', '/api/me/export/', { as: member });
    expect(exported.body.sessions).toMatchObject([{ day: '2026-03-10' }, { day: '2026-03-09' }]);
    expect((await manage<{ results: Meter[] }>('GET')).body.results[0]?.members).toMatchObject([
      { username: 'ben', told_hours: 1.68, counted_hours: 1.68, list_price: null },
    ]);
    await expectConsistent();
  });

  it('counts on the local day of the asset', async () => {
    const now = api.clock.now;
    api.clock.now = new Date('2026-03-01T00:00:00Z');
    share = await api.share(owner, await api.addAsset(owner, { time_zone: 'Asia/Tokyo' }), member);
    const made = await manage<MeterWithToken>('POST', '', { body: { name: 'Claude Code', kind: 'totals' } });
    [meter, token] = [made.body.meter, made.body.token ?? ''];
    api.clock.now = now;
    await agree();
    await send(total(60, { at: '2026-03-09T16:00:00Z' }), total(30, { at: '2026-03-09T14:59:59Z' }));
    expect(await days()).toEqual([
      ['2026-03-09', 30],
      ['2026-03-10', 60],
    ]);
    await expectConsistent();
  });

  it('is replaced by a total of the day', async () => {
    await agree();
    await send(total(1800));
    expect(await send(total(600, { day: '2026-03-10', replace: true }), total(60))).toEqual(['extended', 'extended']);
    expect(await days()).toEqual([['2026-03-10', 660]]);
    await send(total(300, { day: '2026-03-10', replace: true }));
    expect(await days()).toEqual([['2026-03-10', 300]]);
    expect(await send(total(50, { at: '2026-03-10T10:00:00Z' }))).toEqual(['absorbed: replaced']);
    await send(total(0, { day: '2026-03-10', replace: true }));
    expect(await days()).toEqual([]);
    expect((await usage()).usage_this_month).toBe(0);
    await expectConsistent();
  });

  it('makes the same days in any order, batches, and repeats', async () => {
    await agree();
    const event = fc.record({
      ahead: fc.integer({ min: 0, max: 6 * 24 * 60 }),
      seconds: fc.integer({ min: 0, max: 4000 }),
      id: fc.integer({ min: 0, max: 300 }),
      kind: fc.constantFrom('at', 'at', 'day', 'replace'),
    });
    const base = api.clock.now.getTime() - 6 * DAY;
    const rows = () =>
      sql`select day::text, told_seconds, seconds from metered_days where told_seconds > 0 order by 1`.execute(
        api.deps.db,
      );
    await fc.assert(
      fc.asyncProperty(
        fc
          .array(event, { minLength: 1, maxLength: 500, size: 'max' })
          .chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length }))),
        fc.integer({ min: 40, max: 500 }),
        async ([all, shuffled], size) => {
          const clear = async () => {
            for (const table of ['meter_events', 'metered_days', 'usage_days'] as const)
              await api.deps.db.deleteFrom(table).execute();
          };
          const sent = (events: typeof all) =>
            events.map(({ ahead, seconds, id, kind }) => {
              const at = new Date(base + ahead * 60_000).toISOString();
              const when = kind === 'day' ? { day: at.slice(0, 10) } : { at, replace: kind === 'replace' };
              return { id: `${kind}${id}`, name: 'ben@work', seconds, ...when };
            });
          await clear();
          await send(...sent(all));
          const once = (await rows()).rows;
          await clear();
          for (let from = 0; from < shuffled.length; from += size) {
            await send(...sent(shuffled.slice(from, from + size)));
            await send(...sent(shuffled.slice(Math.max(0, from - 3), from + size)));
          }
          expect((await rows()).rows).toEqual(once);
          await expectConsistent();
        },
      ),
      { numRuns: randomRuns(4) },
    );
  });

  it('tells which events it takes', async () => {
    await agree();
    expect(
      await send(
        total(60, { day: '2026-03-11' }),
        total(60, { at: '2026-03-10T12:01:01Z' }),
        total(60, { day: '2026-03-02' }),
        total(60, { day: '2026-03-03' }),
        total(60, { at: '2026-03-10T12:00:59Z' }),
        { id: 'x', name: 'ben@work', type: 'beat', at: '2026-03-10T12:00:00Z' },
      ),
    ).toEqual([
      'ignored: in_future',
      'ignored: in_future',
      'ignored: too_old',
      'recorded',
      'recorded',
      'ignored: wrong_kind',
    ]);
    for (const wrong of [
      total(60, {}),
      total(60, { day: '2026-03-10', at: '2026-03-10T12:00:00Z' }),
      total(-1),
      total(86_401),
    ])
      expect(await api.call('POST', '/api/meters/events/', { token, body: { events: [wrong] } })).toMatchObject({
        status: 400,
      });
    const other = await manage<MeterWithToken>('POST', '', { body: { name: 'TV' } });
    token = other.body.token ?? '';
    expect(await send(total(60))).toEqual(['ignored: wrong_kind']);
  });

  it('counts no more of a day than it has', async () => {
    await agree({ beyond_allowance: true });
    await send(total(80_000), total(80_000));
    expect(await days()).toEqual([['2026-03-10', 86_400]]);
    await expectConsistent();
  });
});

describe('consent', () => {
  it('comes first: nothing is recorded without it, and what came in the last days with it', async () => {
    expect(await send(total(3600))).toEqual(['waiting: unknown_name']);
    expect((await match('ben@work')).body.names).toMatchObject([{ waiting_events: 1, waiting_hours: 1 }]);
    expect(await send(total(60))).toEqual(['waiting: not_agreed']);
    expect(await logs()).toEqual([]);
    expect(await api.deps.db.selectFrom('metered_days').selectAll().execute()).toEqual([]);
    api.clock.advance(4 * DAY);
    await send(total(120, { day: '2026-03-14' }));
    api.clock.advance(4 * DAY);
    await tidyUp(api.deps);
    await answer(true);
    expect(await days()).toEqual([['2026-03-14', 120]]);
    await expectConsistent();
  });

  it('is taken back at once, and nothing of that time is recorded later', async () => {
    await agree();
    await send(total(600), total(60, { at: '2026-03-10T11:00:00Z' }));
    await answer(false);
    api.clock.advance(HOUR);
    expect(await send(total(900))).toEqual(['ignored: refused']);
    await answer(true);
    api.clock.advance(HOUR);
    expect(
      await send(total(700), total(50, { at: '2026-03-10T12:30:00Z' }), total(40, { at: '2026-03-10T13:30:00Z' })),
    ).toEqual(['ignored: refused', 'ignored: refused', 'extended']);
    expect(await days()).toEqual([['2026-03-10', 700]]);
    await expectConsistent();
  });

  it('is final: after a no, days count no more than they did, also if names or hours change', async () => {
    const setHours = (hours: number) =>
      api.call('PATCH', `/api/assets/${share.asset.id}/share/${share.id}/`, {
        as: owner,
        body: { monthly_hours_allocated: hours },
      });
    await agree();
    await setHours(1);
    await send(total(3000, { day: '2026-03-09' }), total(1800));
    await answer(false);
    await setHours(20);
    const before = await days();
    expect(before).toEqual([
      ['2026-03-09', 3000],
      ['2026-03-10', 600],
    ]);
    await match('another');
    await tidyUp(api.deps);
    await match('ben@work', null);
    await match('ben@work');
    await tidyUp(api.deps);
    expect(
      (await days()).every(([day, seconds]) => before.some((each) => each[0] === day && each[1]! >= seconds!)),
    ).toBe(true);
    await expectConsistent();
  });

  it('covers the allowance, and more only if they say so', async () => {
    await agree();
    await api.call('PATCH', `/api/assets/${share.asset.id}/share/${share.id}/`, {
      as: owner,
      body: { monthly_hours_allocated: 1 },
    });
    expect(await send(total(3000), total(1200, { day: '2026-03-09' }))).toEqual(['recorded', 'recorded']);
    expect(await logs()).toMatchObject([
      { day: '2026-03-10', duration: 40, not_counted: 10 },
      { day: '2026-03-09', duration: 20, not_counted: 0 },
    ]);
    expect(await send(total(2400, { day: '2026-03-08' }))).toEqual(['recorded']);
    expect(await days()).toEqual([
      ['2026-03-08', 2400],
      ['2026-03-09', 1200],
      ['2026-03-10', 0],
    ]);
    expect(await send(total(60))).toEqual(['ignored: allowance_used']);
    expect((await callShare<{ results: MemberMeter[] }>('GET', 'meters')).body.results).toMatchObject([
      { told_hours: 1.85, counted_hours: 1 },
    ]);
    await expectConsistent();
    await answer(true, { beyond_allowance: true });
    expect((await days()).at(-1)).toEqual(['2026-03-10', 3060]);
    await expectConsistent();
  });

  it('leaves to another meter what is left of the allowance', async () => {
    await agree();
    await api.call('PATCH', `/api/assets/${share.asset.id}/share/${share.id}/`, {
      as: owner,
      body: { monthly_hours_allocated: 1 },
    });
    await send(total(3000, { day: '2026-03-09' }));
    ({ token } = await addMeter('TV'));
    const film = { start: '2026-03-10T09:00:00Z', end: '2026-03-10T10:00:00Z' };
    expect(await send({ id: 'film', name: 'ben@work', type: 'session', ...film })).toEqual(['recorded']);
    expect(await logs()).toMatchObject([{ day: null, duration: 10 }, { duration: 50 }]);
    await expectConsistent();
  });

  it('turns Start off', async () => {
    expect((await usage()).recorded_by).toBeNull();
    await callShare('POST', 'start');
    await agree();
    expect((await usage()).recorded_by).toBe('Claude Code');
    expect((await callShare('POST', 'end')).status).toBe(200);
    expect(await callShare('POST', 'start')).toMatchObject({
      status: 400,
      body: { code: 'metered', error: 'Recorded by Claude Code', params: { meter: 'Claude Code' } },
    });
    api.clock.advance(HOUR);
    const late = { at: api.clock.now.toISOString(), client_time: api.clock.now.toISOString() };
    expect(await callShare('POST', 'late-start', { body: late })).toMatchObject({ body: { code: 'metered' } });
    await answer(false);
    expect((await callShare('POST', 'start')).status).toBe(201);
  });
});

describe('a second counts once', () => {
  const add = (start: string, end: string) =>
    callShare('POST', 'logs', { body: { start_time: `2026-03-${start}:00Z`, end_time: `2026-03-${end}:00Z` } });
  const recorded = { status: 400, body: { code: 'metered', error: 'Recorded by Claude Code' } };

  it('so nothing is added, edited, or pressed late where the meter counts, or has counted', async () => {
    await add('08T10:00', '08T11:00');
    await add('06T10:00', '06T11:00');
    await agree();
    await send(total(7200), total(1800, { day: '2026-03-08' }), total(600, { day: '2026-03-07' }));
    // The hour that was there first stays, and may be all of what was counted.
    expect(await logs()).toMatchObject([
      { day: '2026-03-10', duration: 120 },
      { day: null, duration: 60 },
      { day: '2026-03-08', duration: 0, not_counted: 30 },
      { day: '2026-03-07', duration: 10 },
      { day: null, duration: 60 },
    ]);
    await send(total(5400, { day: '2026-03-08' }));
    const [, session, , , other] = await logs();
    api.clock.now = new Date('2026-03-12T12:00:00Z');
    expect(await add('10T13:00', '10T14:00')).toMatchObject(recorded);
    expect(await add('11T09:00', '11T10:00')).toMatchObject(recorded);
    expect(await add('08T20:00', '08T21:00')).toMatchObject(recorded);
    expect(await add('06T23:30', '07T00:30')).toMatchObject(recorded);
    expect(await add('09T10:00', '09T11:00')).toMatchObject({ status: 201 });
    const edit = (id: number | undefined, body: object) => callShare('PATCH', `logs/${id}`, { body });
    expect(await edit(session?.id, { end_time: '2026-03-08T12:00:00Z' })).toMatchObject(recorded);
    expect(await edit(session?.id, { end_time: '2026-03-08T10:30:00Z' })).toMatchObject({ status: 200 });
    expect(await edit(other?.id, { end_time: '2026-03-06T11:30:00Z' })).toMatchObject({ status: 200 });
    expect(
      await edit(other?.id, { start_time: '2026-03-10T23:00:00Z', end_time: '2026-03-11T00:00:00Z' }),
    ).toMatchObject(recorded);
    // What the member removes is free for what they add, and so is what they took back.
    const day = (await logs()).find((each) => each.day === '2026-03-10');
    await callShare('DELETE', `logs/${day?.id}`);
    expect(await add('10T13:00', '10T14:00')).toMatchObject({ status: 201 });
    await answer(false);
    api.clock.advance(3 * HOUR);
    expect(await add('12T12:30', '12T13:30')).toMatchObject({ status: 201 });
    expect(await add('08T20:00', '08T21:00')).toMatchObject(recorded);
    await manage('DELETE', `${meter.id}/`);
    expect(await add('08T20:00', '08T21:00')).toMatchObject({ status: 400, body: { code: 'metered' } });
    await expectConsistent();
  });

  const addTv = async () => {
    const tv = await addMeter('TV');
    const tell = (type: 'start' | 'stop') => {
      const event = { id: `${type}${++ids}`, name: 'ben@work', type, at: api.clock.now.toISOString() };
      return api.call('POST', '/api/meters/events/', { token: tv.token, body: { events: [event] } });
    };
    return { tv: tv.meter, tell };
  };
  const setHours = (hours: number) =>
    api.call('PATCH', `/api/assets/${share.asset.id}/share/${share.id}/`, {
      as: owner,
      body: { monthly_hours_allocated: hours },
    });
  const uncovered = () => readUncovered(api.deps.db, { since: new Date('2026-03-01'), now: api.clock.now });

  it('so a day counts again what sessions leave to it when they end', async () => {
    await callShare('POST', 'start');
    await agree();
    await send(total(3600));
    expect(await logs()).toMatchObject([{ day: null }, { day: '2026-03-10', duration: 0, not_counted: 60 }]);
    await tidyUp(api.deps);
    expect((await usage()).usage_this_month).toBe(0);
    api.clock.advance(HOUR / 2);
    await callShare('POST', 'end');
    expect(await uncovered()).toEqual([{ meter_id: meter.id, share_id: share.id }]);
    await tidyUp(api.deps);
    expect(await uncovered()).toEqual([]);
    expect(await logs()).toMatchObject([{ day: null }, { day: '2026-03-10', duration: 30, not_counted: 30 }]);
    expect((await usage()).usage_this_month).toBe(1);
    await expectConsistent();
  });

  it('so a day counts again in full after a session that was too short, or that someone else had', async () => {
    await agree();
    const { tv, tell } = await addTv();
    await send(total(3600));
    await tell('start');
    expect(await logs()).toMatchObject([{ day: null }, { duration: 0, not_counted: 60 }]);
    api.clock.advance(30_000);
    await tell('stop');
    await tidyUp(api.deps);
    expect(await days()).toEqual([['2026-03-10', 3600]]);
    await tell('start');
    expect(await logs()).toMatchObject([{ day: null }, { duration: 0, not_counted: 60 }]);
    await match('ben@work', null, tv.id);
    await tidyUp(api.deps);
    expect(await days()).toEqual([['2026-03-10', 3600]]);
    await expectConsistent();
  });

  it('so two meters have no more of a day than it has, whatever else happens on it', async () => {
    await setHours(744);
    await agree();
    const first = { meter, token };
    const second = (await manage<MeterWithToken>('POST', '', { body: { name: 'Editor', kind: 'totals' } })).body;
    await match('ben@work', share.id, second.meter.id);
    await callShare('POST', `meters/${second.meter.id}`, { body: { agreed: true } });
    const day = { day: '2026-03-09' };
    await send(total(20 * 3600, day));
    token = second.token ?? '';
    expect(await send(total(20 * 3600, day))).toEqual(['recorded']);
    const counted = async () => (await days()).map(([, seconds]) => Number(seconds) / 3600).toSorted((a, b) => a - b);
    expect(await counted()).toEqual([4, 20]);
    expect(await uncovered()).toEqual([]);
    ({ token } = await addMeter('TV'));
    const film = { start: '2026-03-09T10:00:00Z', end: '2026-03-09T12:00:00Z' };
    const told = { id: 'film', name: 'ben@work', type: 'session' };
    // At most 24 hours old.
    api.clock.now = new Date('2026-03-10T09:00:00Z');
    expect(await send({ ...told, ...film })).toEqual(['recorded']);
    expect(await counted()).toEqual([2, 4, 18]);
    const other = (await logs()).find((each) => each.meter === 'Claude Code');
    await callShare('DELETE', `logs/${other?.id}`);
    await tidyUp(api.deps);
    expect(await counted()).toEqual([2, 18]);
    ({ token } = first);
    expect(await send(total(60, day))).toEqual(['ignored: refused']);
    await expectConsistent();
  });

  it('so a day of two meters, each of which had half of it, gives sessions their time', async () => {
    await agree();
    const second = (await manage<MeterWithToken>('POST', '', { body: { name: 'Editor', kind: 'totals' } })).body;
    await match('ben@work', share.id, second.meter.id);
    await callShare('POST', `meters/${second.meter.id}`, { body: { agreed: true } });
    const all = [total(86_400, { day: '2026-03-09' })];
    await setHours(12);
    await send(...all);
    await setHours(744);
    token = second.token ?? '';
    await send(...all);
    ({ token } = await addMeter('TV'));
    api.clock.now = new Date('2026-03-10T09:00:00Z');
    const film = { start: '2026-03-09T10:00:00Z', end: '2026-03-09T12:00:00Z' };
    await send({ id: 'film', name: 'ben@work', type: 'session', ...film });
    const counted = (await days()).map(([, seconds]) => Number(seconds));
    expect(counted.reduce((sum, seconds) => sum + seconds, 0)).toBe(86_400);
    expect(await uncovered()).toEqual([]);
    await expectConsistent();
  });

  it('and what is beyond the allowance is looked at again only once there is more of it', async () => {
    await agree();
    await setHours(1);
    await send(total(5400));
    expect(await uncovered()).toEqual([]);
    await setHours(2);
    expect(await uncovered()).toEqual([{ meter_id: meter.id, share_id: share.id }]);
    await tidyUp(api.deps);
    expect(await days()).toEqual([['2026-03-10', 5400]]);
    await expectConsistent();
  });

  it('whatever happens in whatever order', async () => {
    await match();
    const [tv, files] = [await addMeter('TV'), await addMeter('Files')];
    const all = [meter, tv.meter, files.meter];
    await setHours(744);
    const base = new Date('2026-03-10T00:00:00Z').getTime();
    const slot = fc.integer({ min: 0, max: 23 });
    const step = fc.record({
      act: fc.constantFrom('total', 'total', 'film', 'file', 'add', 'press', 'late', 'edit', 'remove', 'agree', 'tidy'),
      slot,
      length: fc.integer({ min: 1, max: 8 }),
    });
    /** Days count all that they were told and no session has or had, minute by minute. */
    const expectLeft = async () => {
      const spans = await sql<{ since: Date; until: Date | null }>`
        select started_at as since, ended_at as until from sessions
        union all select was_started_at, was_ended_at from sessions where edited_at is not null
        union all select started_at, ended_at from removed_sessions`.execute(api.deps.db);
      const rows = await api.deps.db.selectFrom('metered_days').select(['day', 'told_seconds', 'seconds']).execute();
      for (const each of rows) {
        const minutes = Array.from({ length: 1440 }, (_, minute) => Date.parse(each.day) + minute * 60_000);
        const has = (at: number) =>
          spans.rows.some(({ since, until }) => since.getTime() <= at && (until?.getTime() ?? Infinity) > at);
        expect(each.seconds).toBe(Math.max(0, each.told_seconds - 60 * minutes.filter(has).length));
      }
    };
    let round = 0;
    const play = async (steps: { act: string; slot: number; length: number }[]) => {
      for (const table of [
        'meter_events',
        'imported_uses',
        'metered_days',
        'sessions',
        'removed_sessions',
        'usage_days',
      ] as const)
        await api.deps.db.deleteFrom(table).execute();
      const offset = ++round;
      api.clock.now = new Date(base + 2 * DAY);
      for (const { id } of all)
        await callShare('POST', `meters/${id}`, { body: { agreed: true, beyond_allowance: true } });
      for (const { act, slot, length } of steps) {
        api.clock.advance(60_000);
        const times = { start: new Date(base + slot * 2 * HOUR), end: new Date(base + (slot * 2 + length) * HOUR) };
        const [start, end] = [times.start.toISOString(), times.end.toISOString()];
        const isPast = times.end <= api.clock.now;
        const [last] = (await logs()).filter((each) => each.day === null && each.end_time !== null);
        if (act === 'total') await send(total(length * 3000, { day: start.slice(0, 10) }));
        else if (act === 'film' && isPast) {
          const event = { id: `${offset} ${++ids}`, name: 'ben@work', type: 'session', start, end };
          await api.call('POST', '/api/meters/events/', { token: tv.token, body: { events: [event] } });
        } else if (act === 'file' && isPast) {
          const body = { dry_run: false, rows: [{ name: 'ben@work', start, end }] };
          await manage('POST', `${files.meter.id}/imports/`, { body });
        } else if (act === 'add') await callShare('POST', 'logs', { body: { start_time: start, end_time: end } });
        else if (act === 'press') {
          if (slot % 2 === 0) await callShare('POST', 'start');
          api.clock.advance(length * HOUR);
          await callShare('POST', 'end');
        } else if (act === 'late') {
          const at = new Date(api.clock.now.getTime() - length * HOUR).toISOString();
          const kind = slot % 2 === 0 ? 'late-start' : 'late-end';
          await callShare('POST', kind, { body: { at, client_time: api.clock.now.toISOString() } });
        } else if (act === 'edit' && last)
          await callShare('PATCH', `logs/${last.id}`, { body: { start_time: start, end_time: end } });
        else if (act === 'remove' && last) await callShare('DELETE', `logs/${last.id}`);
        else if (act === 'agree') await answer(slot % 2 === 0, { beyond_allowance: slot % 2 === 0 });
        else if (act === 'tidy') await tidyUp(api.deps);
        const { rows: wrong } = await sql`
          select u.day::text, u.seconds, sum(d.seconds) as counted, sum(d.told_seconds) as told
          from usage_days u left join metered_days d on d.share_id = u.share_id and d.day = u.day
          where u.share_id = ${share.id}
          group by u.share_id, u.day, u.seconds
          having sum(d.seconds) > 0 and u.seconds > sum(d.told_seconds)`.execute(api.deps.db);
        expect(wrong).toEqual([]);
        await expectConsistent();
      }
      // Without a yes, days get nothing back.
      await answer(true, { beyond_allowance: true });
      await tidyUp(api.deps);
      await expectLeft();
      await expectConsistent();
    };
    await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), play), {
      numRuns: randomRuns(8),
    });
  });
});

describe('a day that was counted', () => {
  it('can be removed by its member until a day before the close, and then stays removed', async () => {
    await agree();
    await send(total(600), total(60, { day: '2026-03-09' }));
    const [today, before] = await logs();
    expect((await callShare('DELETE', `logs/${today?.id}`)).status).toBe(204);
    expect(await send(total(700))).toEqual(['ignored: refused']);
    expect(await days()).toEqual([['2026-03-09', 60]]);
    expect((await callShare<{ results: MemberMeter[] }>('GET', 'meters')).body.results).toMatchObject([
      { told_hours: 0.02, counted_hours: 0.02 },
    ]);
    const seen = await api.call<{ results: MemberSession[] }>('GET', `/api/assets/${share.asset.id}/sessions/`, {
      as: owner,
    });
    expect(seen.body.results[0]).toMatchObject({ day: '2026-03-10', duration: 0, edited: { kind: 'removed' } });
    expect(
      (await callShare('PATCH', `logs/${before?.id}`, { body: { end_time: '2026-03-09T00:00:30Z' } })).status,
    ).toBe(404);
    api.clock.now = new Date('2026-04-02T20:00:00Z');
    const close = await callShare('DELETE', `logs/${before?.id}`);
    expect(close.status).toBe(204);
    expect((await usage()).last_used_at).toBeNull();
    await expectConsistent();
  });

  it('stays as it is in a closed month, whatever comes later', async () => {
    api.clock.now = new Date('2026-03-31T20:00:00Z');
    await agree();
    await send(total(600, { day: '2026-03-31' }));
    api.clock.now = new Date('2026-04-03T12:00:00Z');
    expect(await send(total(60, { day: '2026-03-31' }), total(30, { day: '2026-04-01' }))).toEqual([
      'ignored: month_closed',
      'recorded',
    ]);
    await answer(true);
    const [, line] = await logs();
    expect(await callShare('DELETE', `logs/${line?.id}`)).toMatchObject({ body: { code: 'month_closed' } });
    api.clock.now = new Date('2026-04-05T12:00:00Z');
    await runScheduledJobs(api.deps);
    const path = `/api/assets/${share.asset.id}/statements/2026-03/`;
    const closed = await api.call<Statement>('GET', path, { as: owner });
    await match('ben@work', null);
    await send(total(900, { day: '2026-03-31' }), total(60, { day: '2026-04-01' }));
    expect((await api.call<Statement>('GET', path, { as: owner })).body.lines).toEqual(closed.body.lines);
    expect((await manage<{ results: Meter[] }>('GET')).body.results[0]?.late_events).toBe(2);
    await expectConsistent();
  });

  it('stays when its meter is deleted, and goes to whom the name turns out to mean', async () => {
    const zoe = await api.register('zoe');
    const other = await api.share(owner, share.asset as never, zoe);
    await api.call('POST', `/api/shared-assets/${other.id}/meters/${meter.id}/`, { as: zoe, body: { agreed: true } });
    await agree();
    api.clock.advance(HOUR);
    await send(total(600));
    await match('ben@work', other.id);
    expect(await days()).toEqual([]);
    expect((await manage('DELETE', `${meter.id}/`)).status).toBe(204);
    const path = `/api/shared-assets/${other.id}/logs/`;
    expect((await api.call<{ results: OwnSession[] }>('GET', path, { as: zoe })).body.results).toMatchObject([
      { day: '2026-03-10', duration: 10, meter: null },
    ]);
    await expectConsistent();
  });

  it('is among sessions in pages, newest first', async () => {
    await callShare('POST', 'start');
    api.clock.advance(HOUR);
    await callShare('POST', 'end');
    await agree();
    await send(total(60), total(60, { day: '2026-03-09' }), total(60, { day: '2026-03-08' }));
    const seen: (string | null)[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const path = `/api/shared-assets/${share.id}/logs/?limit=1${cursor && `&cursor=${cursor}`}`;
      const page: { body: { results: OwnSession[]; next: string | null } } = await api.call('GET', path, {
        as: member,
      });
      seen.push(...page.body.results.map(({ day }) => day));
      cursor = page.body.next;
    }
    expect(seen).toEqual([null, '2026-03-10', '2026-03-09', '2026-03-08']);
  });
});
