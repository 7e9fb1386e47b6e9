import type { Analytics } from '@hourshare/contract/analytics';
import type { OwnedAsset } from '@hourshare/contract/assets';
import type { CalendarAddress } from '@hourshare/contract/calendar';
import type { MemberMeter, MemberMeterWithToken, Meter, MeterWithToken } from '@hourshare/contract/meters';
import type { OwnSession, SessionOrRequest } from '@hourshare/contract/sessions';
import type { SharedAsset } from '@hourshare/contract/shares';
import type { SignedIn } from '@hourshare/contract/sign-ins';
import type { Statement } from '@hourshare/contract/statements';
import fc from 'fast-check';
import { sql } from 'kysely';
import { callsOfMeter, meteredShare } from '../../testing/meters.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildApp } from '../../app.ts';
import { TEST_PASSWORD, openTestApi, type TestApi } from '../../testing/api.ts';
import { transaction } from '../../platform/database/transaction.ts';
import { runScheduledJobs } from '../../testing/records.ts';
import { whileRefused } from '../../testing/refusals.ts';
import { randomRuns } from '../../testing/thorough.ts';
import { endExpiredSessions } from '../sessions/presses/service.ts';
import { endSessionsOfMember } from '../sessions/presses/store.ts';
import { tidyUp } from './service.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let api: TestApi;
let owner: SignedIn;
let member: SignedIn;
let share: SharedAsset;
let meter: Meter;
let token: string;
beforeAll(async () => {
  api = await openTestApi();
});
/** A share of 20 hours since March 1 with a meter that calls the member "Ben TV", on March 10, 12:00 UTC. */
async function setUp(): Promise<void> {
  const now = '2026-03-10T12:00:00Z';
  ({ owner, member, share, meter, token } = await meteredShare(api, { now, name: 'Jellyfin' }));
}
beforeEach(setUp);
afterAll(() => api.close());

const { manage, callShare, match, answer, agree, addMeter, send, logs, expectConsistent } = callsOfMeter(
  () => ({ api, owner, member, share, meter, token }),
  'Ben TV',
);

let ids = 0;
/** An instant of March 10, such as `11:30`. */
const at = (time: string) => (time.includes('T') ? time : `2026-03-10T${time}${time.length === 5 ? ':00' : ''}Z`);
const sign = (type: 'start' | 'beat' | 'stop', time: string, name = 'Ben TV') => ({
  id: `e${++ids}`,
  name,
  type,
  at: at(time),
});
const whole = (start: string, end: string, id = `e${++ids}`) => ({
  id,
  name: 'Ben TV',
  type: 'session',
  start: at(start),
  end: at(end),
});
const times = async () =>
  (await logs())
    .map(({ start_time: start, end_time: end }) => [start.slice(11, 16), end?.slice(11, 16) ?? null])
    .toReversed();

describe('a meter', () => {
  it('records what starts and stops, and says which meter it was', async () => {
    await agree();
    expect(await send(sign('start', '12:00'))).toEqual(['recorded']);
    expect(await logs()).toMatchObject([{ source: 'metered', meter: 'Jellyfin', end_time: null }]);
    expect(await callShare('POST', 'start')).toMatchObject({ body: { code: 'session_already_running' } });
    api.clock.advance(HOUR);
    expect(await send(sign('stop', '12:40'), whole('10:00', '11:00'))).toEqual(['extended', 'recorded']);
    expect(await times()).toEqual([
      ['10:00', '11:00'],
      ['12:00', '12:40'],
    ]);
    expect((await manage<{ results: Meter[] }>('GET')).body.results).toMatchObject([
      {
        id: meter.id,
        last_event_at: api.clock.now.toISOString(),
        names: [{ external_name: 'Ben TV', share_id: share.id }],
      },
    ]);
    await expectConsistent();
  });

  it('keeps a start, beats, and a stop that share an id', async () => {
    await agree();
    const sent = (type: 'start' | 'beat' | 'stop', time: string) => ({ ...sign(type, time), id: 'film' });
    await send(sent('start', '09:00'), sent('stop', '09:30'));
    await send(sent('stop', '10:30'));
    await send(sent('start', '10:00'));
    for (const time of ['11:00', '11:05', '11:10']) await send(sent('beat', time));
    await send(sent('stop', '11:12'), sent('stop', '11:12'));
    expect(await times()).toEqual([
      ['09:00', '09:30'],
      ['10:00', '10:30'],
      ['11:00', '11:12'],
    ]);
    // The clock of this sender is ahead, so a repeat comes at another instant than what it repeats.
    const start = sent('start', '12:00:50');
    expect(await send(start)).toEqual(['recorded']);
    api.clock.advance(5000);
    await send(sent('stop', '12:00:05'));
    api.clock.advance(5000);
    await send(start);
    expect((await callShare('GET', 'active-session')).status).toBe(204);
    const longer = [whole('11:20', '11:40', 'film'), whole('11:20', '11:50', 'film'), whole('11:20', '11:30', 'film')];
    for (const each of longer) await send(each);
    expect((await times()).at(-1)).toEqual(['11:20', '11:50']);
  });

  it('ends what lives by beats at the last sign of life', async () => {
    await agree();
    for (let count = 0; count < 5; count++) {
      expect(await send(sign(count === 0 ? 'start' : 'beat', api.clock.now.toISOString()))).toEqual([
        count === 0 ? 'recorded' : 'extended',
      ]);
      api.clock.advance(5 * MINUTE);
    }
    api.clock.advance(4 * MINUTE);
    expect((await callShare('GET', 'active-session')).status).toBe(200);
    api.clock.advance(2 * MINUTE);
    expect((await callShare('GET', 'active-session')).status).toBe(204);
    await endExpiredSessions(api.deps);
    expect(await logs()).toMatchObject([{ end_time: '2026-03-10T12:20:00.000Z', ended_silently: true }]);
    await expectConsistent();
  });

  it('drops what is too short of others, too, if that of one member fails', async () => {
    const kim = await api.register('kim');
    const { body: asset } = await api.call<OwnedAsset>('GET', `/api/assets/${share.asset.id}/`, { as: owner });
    const other = await api.share(owner, asset, kim);
    await agree();
    await match('Kim TV', other.id);
    const path = `/api/shared-assets/${other.id}/`;
    await api.call('POST', `${path}meters/${meter.id}/`, { as: kim, body: { agreed: true } });
    await send(sign('beat', '12:00'), sign('beat', '12:00', 'Kim TV'));
    api.clock.advance(HOUR);
    await endExpiredSessions(api.deps);
    const condition = `new.share_id = ${share.id}`;
    await whileRefused(api.deps.db, { table: 'outbox', condition }, () => tidyUp(api.deps));
    expect(await logs()).toHaveLength(1);
    expect(await api.call('GET', `${path}logs/`, { as: kim })).toMatchObject({ body: { results: [] } });
  });

  it('drops what ended by itself too early to count', async () => {
    await agree();
    await send(sign('beat', '12:00'));
    api.clock.advance(HOUR);
    await endExpiredSessions(api.deps);
    await tidyUp(api.deps);
    expect(await logs()).toEqual([]);
    expect(await send(sign('start', '12:30'), sign('stop', '12:30:59'))).toEqual([
      'ignored: not_counted',
      'ignored: not_counted',
    ]);
  });

  it('tells which events it takes', async () => {
    await agree();
    expect(
      await send(
        sign('start', '2026-03-09T11:59:59Z'),
        sign('start', '12:01:01'),
        sign('beat', '12:00:59'),
        whole('11:00', '11:00'),
        sign('stop', '11:00'),
      ),
    ).toEqual([
      'ignored: too_old',
      'ignored: in_future',
      'recorded',
      'ignored: end_before_start',
      'ignored: not_counted',
    ]);
  });

  it('knows 200 names, and says that events of others never count', async () => {
    const names = Array.from({ length: 200 }, (_, index) => sign('beat', '12:00', `n${index}`));
    expect(new Set(await send(...names))).toEqual(new Set(['waiting: unknown_name']));
    expect(await send(sign('beat', '12:00', 'one more'), sign('beat', '12:00', 'n7'))).toEqual([
      'ignored: unknown_name',
      'waiting: unknown_name',
    ]);
  });

  it('counts what waited for a name or an answer until it was deleted', async () => {
    const late = async () => (await manage<{ results: Meter[] }>('GET')).body.results[0]?.late_events;
    await send(sign('beat', '11:00'), sign('beat', '11:00', 'Hall door'));
    await agree();
    api.clock.advance(8 * 24 * HOUR);
    await tidyUp(api.deps);
    expect(await late()).toBe(0);
    api.clock.advance(2 * 24 * HOUR);
    for (let run = 0; run < 2; run++) await tidyUp(api.deps);
    expect(await late()).toBe(1);
  });

  it('makes the same sessions of 500 events in batches that come twice at once, to two servers', async () => {
    await agree({ beyond_allowance: true });
    // With a pause of 25 minutes in each 125.
    const pausing = (count: number) => count + 25 * Math.floor(count / 100);
    const minute = (count: number) => new Date(api.clock.now.getTime() - count * MINUTE).toISOString();
    const events = Array.from({ length: 500 }, (_, index) =>
      sign(index % 7 === 0 ? 'stop' : 'beat', minute(pausing((index * 37) % 1100))),
    );
    const batches = Array.from({ length: 10 }, (_, index) => events.filter((_each, at) => at % 10 === index));
    const otherServer = await buildApp(api.deps);
    const sendToOther = (...events: object[]) =>
      otherServer.inject({
        method: 'POST',
        url: '/api/meters/events/',
        headers: { authorization: `Bearer ${token}` },
        payload: { events },
      });
    const answers = await Promise.all([
      ...batches.toReversed().map((batch) => sendToOther(...batch)),
      ...batches.map((batch) => send(...batch)),
    ]);
    await otherServer.close();
    expect(answers.slice(0, 10)).toMatchObject(batches.map(() => ({ statusCode: 200 })));
    const together = await times();
    await expectConsistent();
    expect(together.length).toBeGreaterThan(5);
    for (const table of ['meter_events', 'sessions', 'usage_days'] as const)
      await api.deps.db.deleteFrom(table).execute();
    await send(...events);
    expect(await times()).toEqual(together);
  });

  it('makes the same sessions while it is told what happens as of all at the end', async () => {
    await agree({ beyond_allowance: true });
    for (const name of ['Phone', 'Tablet']) await match(name);
    const event = fc.record({
      name: fc.constantFrom('Ben TV', 'Phone', 'Tablet'),
      type: fc.constantFrom('beat', 'beat', 'beat', 'beat', 'beat', 'beat', 'start', 'stop'),
      after: fc.integer({ min: 0, max: 9 }),
    });
    const each = fc.array(event, { minLength: 6, maxLength: 20 });
    const compare = async (events: { name: string; type: string; after: number }[]) => {
      const clear = async () => {
        for (const table of ['meter_events', 'sessions', 'usage_days'] as const)
          await api.deps.db.deleteFrom(table).execute();
      };
      await clear();
      let instant = api.clock.now.getTime() + HOUR;
      const sent: object[] = [];
      for (const [index, { name, type, after }] of events.entries()) {
        instant += after * MINUTE;
        api.clock.now = new Date(instant);
        const one = { id: `l${index}`, name, type, at: api.clock.now.toISOString() };
        sent.push(one);
        await send(one);
        if (index % 3 === 0) await endExpiredSessions(api.deps);
      }
      api.clock.now = new Date(instant + 30 * MINUTE);
      await endExpiredSessions(api.deps);
      await tidyUp(api.deps);
      const live = await times();
      await expectConsistent();
      await clear();
      await send(...sent);
      expect(live).toEqual(await times());
    };
    const beats = (name: string, ...afters: number[]) => afters.map((after) => ({ name, type: 'beat', after }));
    await compare([...beats('Ben TV', 0, 5), ...beats('Phone', 7, 4, 4, 4, 4)]);
    // The phone goes on before a grace has passed, so that there was no pause.
    await compare([...beats('Phone', 0, 1), ...beats('Ben TV', 7, 1), ...beats('Phone', 1, 5)]);
    await fc.assert(fc.asyncProperty(each, compare), { numRuns: randomRuns(10) });
  });

  it('tells its page of each event that waits, and of none that counts', async () => {
    const told = async () => {
      const kinds = await api.deps.db.selectFrom('outbox').select('kind').execute();
      await api.deps.db.deleteFrom('outbox').execute();
      return kinds.filter(({ kind }) => kind === 'meter.heard').length;
    };
    await send(sign('start', '10:00', 'Hall door'));
    expect(await told()).toBe(1);
    await send(sign('stop', '10:30', 'Hall door'));
    expect(await told()).toBe(1);
    await agree();
    await send(sign('start', '11:00'));
    await told();
    await send(sign('stop', '11:30'));
    expect(await told()).toBe(0);
  });

  it('makes the same sessions in any order, batches, and repeats', async () => {
    await agree({ beyond_allowance: true });
    const event = fc.record({
      kind: fc.constantFrom('start', 'beat', 'beat', 'stop', 'session'),
      minute: fc.integer({ min: 0, max: 1200 }),
      length: fc.integer({ min: 1, max: 90 }),
      place: fc.double({ min: 0, max: 1, noNaN: true }),
      id: fc.integer({ min: 0, max: 9 }),
    });
    const base = api.clock.now.getTime() - 23 * HOUR;
    await fc.assert(
      fc.asyncProperty(
        fc.array(event, { minLength: 1, maxLength: 12 }),
        fc.integer({ min: 1, max: 4 }),
        async (events, size) => {
          const clear = async () => {
            await sql`delete from meter_events`.execute(api.deps.db);
            await sql`delete from sessions`.execute(api.deps.db);
            await sql`delete from usage_days`.execute(api.deps.db);
          };
          const sent = events.map(({ kind, minute, length, id: number }) => {
            const instant = new Date(base + minute * MINUTE).toISOString();
            const end = new Date(base + (minute + length) * MINUTE).toISOString();
            const id = { id: `r${number}`, name: 'Ben TV', type: kind };
            return kind === 'session' ? { ...id, start: instant, end } : { ...id, at: instant };
          });
          await clear();
          await send(...sent);
          const once = await times();
          await clear();
          const shuffled = sent
            .map((one, index) => ({ one, place: events[index]?.place ?? 0 }))
            .toSorted((a, b) => a.place - b.place)
            .map(({ one }) => one);
          for (let from = 0; from < shuffled.length; from += size) {
            await send(...shuffled.slice(from, from + size));
            await send(...shuffled.slice(Math.max(0, from - 1), from + size));
          }
          expect(await times()).toEqual(once);
          await expectConsistent();
        },
      ),
      {
        numRuns: randomRuns(12),
        // A longer session with the same id that begins later replaces what was made of the first one.
        examples: [
          [
            [
              { kind: 'session', minute: 0, length: 1, place: 0, id: 0 },
              { kind: 'session', minute: 1, length: 2, place: 0.5, id: 0 },
              { kind: 'start', minute: 7, length: 1, place: 0, id: 0 },
            ],
            1,
          ],
        ],
      },
    );
  });
});

describe('a meter that fell silent', () => {
  /** Beats from noon to 12:10, of which none follows by 12:20. Nothing has ended the session at 12:24. */
  async function fallSilent(): Promise<void> {
    await agree();
    for (const time of ['12:00', '12:05', '12:10']) {
      api.clock.now = new Date(at(time));
      await send(sign('beat', time));
    }
    api.clock.now = new Date(at('12:24'));
  }
  const ended = { end_time: at('12:10:00.000'), ended_silently: true };
  const path = () => `/api/assets/${share.asset.id}/`;

  it('has ended the session for every list, bill, and calendar before that is recorded', async () => {
    await api.call('POST', '/api/me/check/', { as: member, body: { current_password: TEST_PASSWORD } });
    const { body: feed } = await api.call<CalendarAddress>('POST', '/api/me/calendar/', { as: member });
    await fallSilent();
    const read = async () => {
      const calls: [string, SignedIn?][] = [
        [`/api/shared-assets/${share.id}/logs/`, member],
        [`${path()}sessions/`, owner],
        ['/api/shared-assets/', member],
        ['/api/assets/', owner],
        ['/api/statements/', owner],
        [`/api/shared-assets/${share.id}/analytics/`, member],
        [`${path()}analytics/`, owner],
        [feed.address.replace(/^.*(?=\/api\/)/, '')],
      ];
      return Promise.all(calls.map(async ([call, as]) => (await api.call('GET', call, as && { as })).text));
    };
    const before = await read();
    expect(await logs()).toMatchObject([ended]);
    await endExpiredSessions(api.deps);
    expect(await read()).toEqual(before);
  });

  it.each<[string, () => Promise<unknown>]>([
    ['their no', () => answer(false)],
    ['the end of the meter', () => manage('DELETE', `${meter.id}/`)],
    ['the end of access', () => api.call('DELETE', `${path()}share/${share.id}/`, { as: owner })],
    ['the archive', () => api.call('PATCH', path(), { as: owner, body: { archived: true } })],
    ['a start', () => callShare('POST', 'start')],
    ['the end of their account', () => endSessionsOfMember(api.deps.db, member.user.id, api.clock.now)],
  ])('has ended the session at the last sign of life, also if %s comes first', async (_, end) => {
    await fallSilent();
    await end();
    const { rows } = await sql`select ended_at, silent from sessions order by started_at limit 1`.execute(api.deps.db);
    expect(rows).toEqual([{ ended_at: new Date(at('12:10')), silent: true }]);
    await expectConsistent();
  });

  it('leaves the time after that to others', async () => {
    await fallSilent();
    const [session] = await logs();
    const edit = (body: object) => callShare('PATCH', `logs/${session?.id}`, { body });
    const added = { start_time: at('12:12'), end_time: at('12:14') };
    expect(await callShare('POST', 'logs', { body: added })).toMatchObject({ status: 201 });
    // Within the session limit, not within what was left of the silence.
    expect(await edit({ start_time: at('11:00') })).toMatchObject({ status: 200, body: { end_time: ended.end_time } });
    await expectConsistent();
  });

  it('leaves the time after that to another meter, too', async () => {
    const other = await addMeter('Plex');
    await fallSilent();
    const body = { events: [sign('beat', '12:23')] };
    expect(await api.call('POST', '/api/meters/events/', { token: other.token, body })).toMatchObject({
      body: { results: [{ result: 'recorded' }] },
    });
    expect(await times()).toEqual([
      ['12:00', '12:10'],
      ['12:23', null],
    ]);
    await expectConsistent();
  });
});

describe('what a meter told', () => {
  /** Beats every half hour for twelve days, with a pause. Returns the sessions, and how many events are kept. */
  async function beatFor(days: number, { tidy }: { tidy: boolean }) {
    await manage('PATCH', `${meter.id}/`, { body: { grace_minutes: 60 } });
    await agree({ beyond_allowance: true });
    let pending: object[] = [];
    for (let half = 1; half <= days * 48; half++) {
      api.clock.advance(30 * MINUTE);
      if (half % 500 >= 6) pending.push(sign('beat', api.clock.now.toISOString()));
      if (half % 24 !== 0) continue;
      await send(...pending);
      pending = [];
      await endExpiredSessions(api.deps);
      if (tidy) await tidyUp(api.deps);
    }
    await match('Ben TV', null);
    await match('Ben TV');
    const { rows } = await sql<{ at: string }>`select at from meter_events`.execute(api.deps.db);
    const { rows: sessions } = await sql`select started_at, ended_at from sessions order by 1`.execute(api.deps.db);
    return { events: rows.length, sessions };
  }

  it('is kept for nine days, which changes nothing of what it makes', async () => {
    const all = await beatFor(12, { tidy: false });
    await setUp();
    const some = await beatFor(12, { tidy: true });
    expect(some.sessions).toEqual(all.sessions);
    expect(all.events).toBeGreaterThan(500);
    expect(some.events).toBeLessThanOrEqual(9 * 48 + 24);
  });
});

describe('consent', () => {
  it('comes first: nothing is recorded without it, and what came in the last days with it', async () => {
    expect(await send(whole('10:00', '11:00'))).toEqual(['waiting: unknown_name']);
    expect((await match('Ben TV')).body.names).toMatchObject([{ waiting_events: 1, waiting_hours: 1 }]);
    expect(await send(sign('beat', '11:30'))).toEqual(['waiting: not_agreed']);
    expect(await logs()).toEqual([]);
    api.clock.advance(6 * 24 * HOUR);
    await send(whole(api.clock.now.toISOString().replace('12:00', '09:00'), api.clock.now.toISOString()));
    api.clock.advance(24 * HOUR);
    expect(await answer(true)).toMatchObject({ status: 200, body: { agreed: true, names: ['Ben TV'] } });
    // The first ones are older than seven days.
    expect(await times()).toEqual([['09:00', '12:00']]);
    expect((await manage<{ results: Meter[] }>('GET')).body.results[0]?.members).toMatchObject([
      { username: 'ben', agreed: true },
    ]);
  });

  it('is taken back at once, and nothing of that time is recorded later', async () => {
    await agree();
    await send(sign('start', '12:00'));
    api.clock.advance(HOUR);
    await answer(false);
    expect(await times()).toEqual([['12:00', '13:00']]);
    api.clock.advance(HOUR);
    expect(await send(sign('beat', '13:30'), whole('13:10', '13:40'))).toEqual([
      'ignored: refused',
      'ignored: refused',
    ]);
    await answer(true);
    api.clock.advance(HOUR);
    expect(await send(whole('13:50', '14:30'))).toEqual(['recorded']);
    expect(await times()).toEqual([
      ['12:00', '13:00'],
      ['14:00', '14:30'],
    ]);
  });

  it('is final: after a no, nothing is added, also if there are more hours and the names are matched anew', async () => {
    const setHours = (hours: number) =>
      api.call('PATCH', `/api/assets/${share.asset.id}/share/${share.id}/`, {
        as: owner,
        body: { monthly_hours_allocated: hours },
      });
    await agree();
    await setHours(1);
    await send(whole('08:00', '08:45'), whole('09:00', '10:00'), whole('11:00', '11:30'));
    const before = [
      ['08:00', '08:45'],
      ['09:00', '09:15'],
    ];
    await answer(false);
    await setHours(20);
    for (const name of ['another', 'Ben TV']) {
      await match('Ben TV', name === 'another' ? share.id : null);
      await match(name);
      const left = await times();
      expect(left).toEqual(name === 'another' ? before : []);
    }
    await expectConsistent();
  });

  it('can be taken back while the asset is archived, which lasts', async () => {
    await agree();
    const setArchived = (archived: boolean) =>
      api.call('PATCH', `/api/assets/${share.asset.id}/`, { as: owner, body: { archived } });
    expect((await setArchived(true)).status).toBe(200);
    api.clock.advance(HOUR);
    expect(await answer(false)).toMatchObject({ status: 200, body: { agreed: false } });
    expect((await callShare<{ results: MemberMeter[] }>('GET', 'meters')).body.results).toMatchObject([
      { agreed: false },
    ]);
    expect((await setArchived(false)).status).toBe(200);
    api.clock.advance(HOUR);
    expect(await send(sign('beat', '14:00'))).toEqual(['ignored: refused']);
  });

  it('covers the allowance, and more only if they say so', async () => {
    await agree();
    await api.call('PATCH', `/api/assets/${share.asset.id}/share/${share.id}/`, {
      as: owner,
      body: { monthly_hours_allocated: 1 },
    });
    expect(await send(whole('08:00', '08:45'), whole('09:00', '10:00'), whole('11:00', '11:30'))).toEqual([
      'recorded',
      'recorded',
      'ignored: allowance_used',
    ]);
    expect(await times()).toEqual([
      ['08:00', '08:45'],
      ['09:00', '09:15'],
    ]);
    // The rest is shown to them, and to the owner: also what is told again, or longer.
    const month = async () => {
      const { body } = await callShare<{ results: MemberMeter[] }>('GET', 'meters');
      const managed = await manage<{ results: Meter[] }>('GET', '');
      const shown = managed.body.results[0]?.members.find(({ share_id: id }) => id === share.id);
      expect(shown).toMatchObject({
        told_hours: body.results[0]?.told_hours,
        counted_hours: body.results[0]?.counted_hours,
      });
      return [shown?.told_hours, shown?.counted_hours];
    };
    expect(await month()).toEqual([2.25, 1]);
    await send(whole('11:00', '11:45'), whole('09:00', '10:00'));
    expect(await month()).toEqual([2.5, 1]);
    await answer(true, { beyond_allowance: true });
    expect((await times()).at(-1)).toEqual(['11:00', '11:45']);
    expect(await month()).toEqual([2.5, 2.5]);
  });

  it('covers no more than the allowance, and forgets the rest after a month', async () => {
    await agree();
    const kept = () =>
      api.deps.db.selectFrom('meter_uncounted').select('started_at').where('meter_id', '=', meter.id).execute();
    await send(whole('08:00', '09:00'));
    await api.call('PATCH', `/api/assets/${share.asset.id}/share/${share.id}/`, {
      as: owner,
      body: { monthly_hours_allocated: 1 },
    });
    await send(whole('10:00', '11:00'));
    await tidyUp(api.deps);
    expect(await kept()).toHaveLength(1);
    api.clock.advance(34 * 24 * HOUR);
    await tidyUp(api.deps);
    expect(await kept()).toEqual([]);
  });

  it('covers what is left of the allowance, also if something else uses that while a session runs', async () => {
    await agree();
    const tv = await addMeter('TV');
    await api.call('PATCH', `/api/assets/${share.asset.id}/share/${share.id}/`, {
      as: owner,
      body: { monthly_hours_allocated: 2 },
    });
    await send(sign('start', '12:00'));
    const body = { events: [whole('09:00', '10:30')] };
    await api.call('POST', '/api/meters/events/', { token: tv.token, body });
    api.clock.advance(20 * MINUTE);
    await tidyUp(api.deps);
    api.clock.advance(HOUR);
    await endExpiredSessions(api.deps);
    expect(await times()).toEqual([
      ['09:00', '10:30'],
      ['12:00', '12:30'],
    ]);
    await expectConsistent();
  });

  it('covers the allowance to the second, however the parts of it are rounded', async () => {
    await agree();
    await api.call('PATCH', `/api/assets/${share.asset.id}/share/${share.id}/`, {
      as: owner,
      body: { monthly_hours_allocated: 1 },
    });
    await callShare('POST', 'logs', { body: { start_time: at('08:00:00.900'), end_time: at('08:10:00.100') } });
    await send(whole('09:00:00.900', '09:30:00.100'));
    await send(whole('10:00:00.900', '11:00:00.100'));
    const path = `/api/assets/${share.asset.id}/statements/2026-03/`;
    const { body } = await api.call<Statement>('GET', path, { as: member });
    expect(body.lines.at(-1)).toMatchObject({ used_seconds: 3600 });
  });

  it('is for each meter, and only of those with access', async () => {
    await agree();
    expect(await api.call('GET', `/api/shared-assets/${share.id}/meters/`, { as: owner })).toMatchObject({
      status: 404,
    });
    await api.call('DELETE', `/api/assets/${share.asset.id}/share/${share.id}/`, { as: owner });
    expect(await callShare('GET', 'meters')).toMatchObject({ status: 404 });
    api.clock.advance(HOUR);
    expect(await send(whole('12:10', '12:30'), whole('11:50', '12:30'))).toEqual(['ignored: no_access', 'recorded']);
    expect(await times()).toEqual([['11:50', '12:00']]);
  });
});

describe('an offer', () => {
  const meters = async (as: SignedIn, id: number) =>
    (await api.call<{ results: MemberMeter[] }>('GET', `/api/shared-assets/${id}/meters/`, { as })).body.results;

  it('shows the meters, and accepting it agrees to those that were shown', async () => {
    const zoe = await api.register('zoe');
    const counting = await manage<MeterWithToken>('POST', '', { body: { name: 'Claude Code', kind: 'totals' } });
    const offer = await api.offer(owner, share.asset as never, zoe);
    const shown = offer.offer?.meters ?? [];
    expect(shown).toEqual([
      { id: meter.id, name: 'Jellyfin', kind: 'sessions' },
      { id: counting.body.meter.id, name: 'Claude Code', kind: 'totals' },
    ]);
    await manage('POST', '', { body: { name: 'TV' } });
    await manage('DELETE', `${counting.body.meter.id}/`);
    const foreign = await api.addAsset(owner);
    const other = await api.call<MeterWithToken>('POST', `/api/assets/${foreign.id}/meters/`, {
      as: owner,
      body: { name: 'Elsewhere' },
    });
    const accept = (ids: number[]) =>
      api.call<SharedAsset>('POST', `/api/shared-assets/${offer.id}/accept/`, { as: zoe, body: { meters: ids } });
    expect(await accept([1, 2, 3, 4, 5, 6])).toMatchObject({ status: 400 });
    const accepted = await accept([...shown.map(({ id }) => id), other.body.meter.id]);
    expect(accepted).toMatchObject({ status: 200, body: { status: 'accepted', offer: null } });
    expect(await meters(zoe, offer.id)).toMatchObject([
      { name: 'Jellyfin', agreed: true, beyond_allowance: false },
      { name: 'TV', agreed: null },
    ]);
    expect(await api.deps.db.selectFrom('meter_members').selectAll().execute()).toHaveLength(1);
    await match('Zoe TV', offer.id);
    const film = { id: 'f', name: 'Zoe TV', type: 'session' };
    expect(await send({ ...film, start: '2026-03-10T11:00:00Z', end: '2026-03-10T11:30:00Z' })).toEqual([
      'ignored: no_access',
    ]);
    api.clock.advance(HOUR);
    const times = { start: '2026-03-10T12:15:00Z', end: '2026-03-10T12:45:00Z' };
    expect(await send({ ...film, id: 'g', ...times })).toEqual(['recorded']);
    // Said once, it isn't said again with the next press.
    await api.call('POST', `/api/shared-assets/${offer.id}/meters/${meter.id}/`, { as: zoe, body: { agreed: false } });
    expect(await accept(shown.map(({ id }) => id))).toMatchObject({ status: 200 });
    expect(await meters(zoe, offer.id)).toMatchObject([{ agreed: false }, { agreed: null }]);
  });

  it('agrees to no meter when it is accepted without any, or by use', async () => {
    const zoe = await api.register('zoe');
    const kim = await api.register('kim');
    const [first, second] = [
      await api.offer(owner, share.asset as never, zoe),
      await api.offer(owner, share.asset as never, kim),
    ];
    await api.call('POST', `/api/shared-assets/${first.id}/accept/`, { as: zoe });
    await api.call('POST', `/api/shared-assets/${second.id}/start/`, { as: kim });
    expect(await meters(zoe, first.id)).toMatchObject([{ agreed: null }]);
    expect(await meters(kim, second.id)).toMatchObject([{ agreed: null }]);
  });
});

describe('what a person does', () => {
  it('stays: a meter adds only what is outside of it', async () => {
    await agree();
    await callShare('POST', 'start');
    api.clock.advance(HOUR);
    expect(await send(sign('start', '11:30'), sign('beat', '12:30'))).toEqual(['recorded', 'absorbed: other_session']);
    await callShare('POST', 'end');
    api.clock.advance(HOUR);
    expect(await send(whole('11:00', '13:30'), whole('12:10', '12:20'))).toEqual([
      'recorded',
      'absorbed: other_session',
    ]);
    expect(await times()).toEqual([
      ['11:00', '12:00'],
      ['12:00', '13:00'],
      ['13:00', '13:30'],
    ]);
    await expectConsistent();
  });

  it('ends what lives by beats at the last one before it, until one follows after it', async () => {
    await agree();
    api.clock.now = new Date(at('12:29'));
    await callShare('POST', 'logs', { body: { start_time: at('12:25'), end_time: at('12:28') } });
    await send(sign('beat', '12:10'), sign('beat', '12:20'));
    expect(await times()).toEqual([
      ['12:10', '12:20'],
      ['12:25', '12:28'],
    ]);
    expect((await logs()).at(-1)).toMatchObject({ ended_silently: true });
    await send(sign('beat', '12:29'));
    expect(await times()).toEqual([
      ['12:10', '12:25'],
      ['12:25', '12:28'],
      ['12:28', null],
    ]);
    await expectConsistent();
  });

  it('is recorded around once, also when the meter goes on after a silence that nothing has ended yet', async () => {
    await agree();
    await callShare('POST', 'logs', { body: { start_time: at('11:10'), end_time: at('11:20') } });
    await send(whole('11:00', '11:59'), sign('beat', '11:59'));
    const before = [
      ['11:00', '11:10'],
      ['11:10', '11:20'],
      ['11:20', null],
    ];
    expect(await times()).toEqual(before);
    api.clock.advance(HOUR);
    await send(sign('beat', '12:59'));
    expect(await times()).toEqual([...before.slice(0, 2), ['11:20', '11:59'], ['12:59', null]]);
    await expectConsistent();
  });

  it('wins: what they end, edit, or refuse is not changed by later events', async () => {
    await agree();
    await send(whole('10:00', '11:00', 'film'), sign('start', '11:30'));
    const [running, film] = await logs();
    expect((await callShare('POST', 'end')).status).toBe(200);
    await callShare('PATCH', `logs/${film?.id}`, { body: { end_time: at('10:30') } });
    await send(whole('09:30', '11:10', 'film'));
    api.clock.advance(HOUR);
    await send(sign('stop', '12:30'));
    expect(await times()).toEqual([
      ['09:30', '10:00'],
      ['10:00', '10:30'],
      ['11:00', '11:10'],
      ['11:30', '12:00'],
      ['12:00', '12:30'],
    ]);
    expect((await callShare('DELETE', `logs/${running?.id}`)).status).toBe(204);
    await send(whole('11:30', '11:50'));
    expect((await times()).map(([from]) => from)).not.toContain('11:30');
    await expectConsistent();
  });

  it('may refuse it after the month has ended, to which nobody can object', async () => {
    api.clock.now = new Date('2026-03-31T20:00:00Z');
    await agree();
    await send(whole('2026-03-31T18:00:00Z', '2026-03-31T19:00:00Z'));
    const [session] = await logs();
    api.clock.now = new Date('2026-04-02T20:00:00Z');
    expect((await callShare<SessionOrRequest>('DELETE', `logs/${session?.id}`)).status).toBe(204);
    expect(await logs()).toEqual([]);
    const objection = `/api/assets/${share.asset.id}/sessions/${session?.id}/objection/`;
    expect(await api.call('POST', objection, { as: owner, body: {} })).toMatchObject({
      body: { code: 'session_not_edited' },
    });
  });

  it('can refuse it until 24 hours before the month closes, later than which nothing arrives for it', async () => {
    api.clock.now = new Date('2026-03-31T20:00:00Z');
    await agree();
    const hour = (from: number, name: string) => ({
      ...whole(`2026-03-31T${from}:00:00Z`, `2026-03-31T${from + 1}:00:00Z`),
      name,
    });
    await send(hour(12, 'Ben TV'), hour(14, 'Phone'), hour(16, 'Tablet'));
    api.clock.now = new Date('2026-04-02T23:59:59Z');
    await match('Phone');
    const recorded = await times();
    expect(recorded).toHaveLength(2);
    api.clock.now = new Date('2026-04-03T00:00:00Z');
    await match('Tablet');
    expect(await times()).toEqual(recorded);
    const [session] = await logs();
    const remove = () => callShare<SessionOrRequest>('DELETE', `logs/${session?.id}`);
    expect(await remove()).toMatchObject({ status: 200, body: { id: session?.id, request: { status: 'open' } } });
    api.clock.now = new Date('2026-04-04T00:00:00Z');
    expect(await remove()).toMatchObject({ status: 400, body: { code: 'month_closed' } });
    expect(await times()).toEqual(recorded);
  });

  it('closes months, in which nothing is recorded any more', async () => {
    api.clock.now = new Date('2026-04-01T10:00:00Z');
    await match('Ben TV');
    await send(whole('2026-03-31T20:00:00Z', '2026-04-01T01:00:00Z'));
    api.clock.now = new Date('2026-04-04T10:00:00Z');
    await answer(true);
    expect(await logs()).toMatchObject([{ start_time: '2026-04-01T00:00:00.000Z', duration: 60 }]);
  });
});

describe('what was recorded', () => {
  it('stays in a closed month, also where names are matched anew', async () => {
    api.clock.now = new Date('2026-04-01T10:00:00Z');
    await agree();
    await send(
      whole('2026-03-31T20:00:00Z', '2026-03-31T21:00:00Z'),
      whole('2026-03-31T22:00:00Z', '2026-04-01T02:00:00Z'),
    );
    const recorded = await times();
    expect(recorded).toHaveLength(2);
    api.clock.now = new Date('2026-04-05T10:00:00Z');
    await match('Ben Phone');
    await answer(true, { beyond_allowance: true });
    expect(await times()).toEqual(recorded);
    await expectConsistent();
  });

  it('stays that began before the days that are replayed', async () => {
    await agree();
    await send(whole('09:00', '11:00'));
    api.clock.now = new Date('2026-03-17T10:00:00Z');
    await answer(true, { beyond_allowance: true });
    expect(await times()).toEqual([['09:00', '11:00']]);
    await expectConsistent();
  });

  it('is nothing of a name whose member has refused', async () => {
    await send(whole('10:00', '11:00'));
    await answer(false);
    await match('Ben TV');
    expect(await logs()).toEqual([]);
    await answer(true);
    expect(await logs()).toEqual([]);
  });
});

describe('a token', () => {
  it('is kept as a hash, replaced at once, and can do nothing else', async () => {
    expect(token).toMatch(/^hm_[\w-]{43,44}$/);
    const rows = JSON.stringify(await api.deps.db.selectFrom('meters').selectAll().execute());
    expect(rows).not.toContain(token.slice(3));
    for (const path of ['/api/me/', `/api/assets/${share.asset.id}/meters/`, `/api/shared-assets/${share.id}/logs/`])
      expect(await api.call('GET', path, { token })).toMatchObject({
        status: 401,
        body: { code: 'not_signed_in', error: "A meter's token works only at /api/meters/events/ and /v1/metrics." },
      });
    const replaced = await manage<MeterWithToken>('POST', `${meter.id}/token/`);
    const body = { events: [sign('beat', '12:00')] };
    expect(await api.call('POST', '/api/meters/events/', { token, body })).toMatchObject({ status: 401 });
    token = replaced.body.token ?? '';
    expect(await send(sign('beat', '12:00'))).toEqual(['waiting: unknown_name']);
  });

  it('of a member records that member alone, and ends with their yes', async () => {
    const made = await manage<MeterWithToken>('POST', '', { body: { name: 'Editor', per_member: true } });
    expect(made.body.token).toBeNull();
    const path = `meters/${made.body.meter.id}`;
    expect(await callShare('POST', `${path}/token`)).toMatchObject({ body: { code: 'meter_not_agreed' } });
    await callShare('POST', path, { body: { agreed: true } });
    ({ token } = (await callShare<MemberMeterWithToken>('POST', `${path}/token`)).body);
    expect(await send({ ...whole('10:00', '11:00'), name: 'somebody else' })).toEqual(['recorded']);
    expect(await logs()).toMatchObject([{ meter: 'Editor', duration: 60 }]);
    await callShare('POST', path, { body: { agreed: false } });
    const body = { events: [sign('beat', '12:00')] };
    expect(await api.call('POST', '/api/meters/events/', { token, body })).toMatchObject({ status: 401 });
  });
});

it.each(['passwordReset', 'accountDisabled'] as const)('a token of a member stops working with %s', async (cause) => {
  const made = await manage<MeterWithToken>('POST', '', { body: { name: 'Editor', per_member: true } });
  const path = `meters/${made.body.meter.id}`;
  await callShare('POST', path, { body: { agreed: true } });
  const { body } = await callShare<MemberMeterWithToken>('POST', `${path}/token`);
  const facts = { userId: member.user.id, by: { device: '', network: '', requestId: '' }, now: api.clock.now };
  await transaction(api.deps, (deps) => deps.react(deps, cause, facts));
  const events = [sign('beat', '12:00')];
  expect(await api.call('POST', '/api/meters/events/', { token: body.token, body: { events } })).toMatchObject({
    status: 401,
  });
});

it.each([
  ['no token', undefined, "Send the meter's token in the header Authorization: Bearer hm_YOUR_TOKEN."],
  ["a script's", 'hs_x', "Send the meter's token in the header Authorization: Bearer hm_YOUR_TOKEN."],
  [
    'a wrong one',
    'hm_x',
    'This meter token is wrong or no longer works. Press Replace token where the meter is set up.',
  ],
])('says what to do when it gets %s', async (_, token, error) => {
  const body = { events: [sign('beat', '12:00')] };
  expect(await api.call('POST', '/api/meters/events/', { ...(token && { token }), body })).toMatchObject({
    status: 401,
    headers: { 'www-authenticate': 'Bearer' },
    body: { code: 'not_signed_in', detail: 'english_only', error },
  });
});

describe('the bill', () => {
  const sourcesOf = async (month: string) => {
    const path = `/api/assets/${share.asset.id}/statements/${month}/`;
    const { lines } = (await api.call<Statement>('GET', path, { as: owner })).body;
    return lines.map(({ used_seconds: used, sources }) => {
      expect(sources.reduce((sum, { seconds }) => sum + seconds, 0)).toBe(used);
      return sources.map(({ source, meter: name, seconds }) => `${seconds / 3600} ${name ?? source}`);
    });
  };

  it('is apart in analytics, also while it goes on', async () => {
    await agree();
    await send(whole('2026-03-09T23:00:00Z', '2026-03-10T01:00:00Z'), sign('start', '11:30'));
    await callShare('POST', 'logs', { body: { start_time: at('08:00'), end_time: at('09:00') } });
    const { body } = await callShare<Analytics>('GET', 'analytics');
    expect([body.daily_usage, body.metered_usage]).toEqual([
      { '2026-03-09': 1, '2026-03-10': 2.5 },
      { '2026-03-09': 1, '2026-03-10': 1.5 },
    ]);
  });

  it('says what recorded how much of the month, also once it is closed', async () => {
    await agree();
    await callShare('POST', 'start');
    api.clock.advance(HOUR);
    await callShare('POST', 'end');
    await send(whole('09:00', '11:30'));
    await callShare('POST', 'logs', { body: { start_time: at('07:00'), end_time: at('07:30') } });
    expect(await sourcesOf('2026-03')).toEqual([[], ['2.5 Jellyfin', '1 pressed', '0.5 added']]);
    // An hour of each month, the first of them while it runs.
    api.clock.now = new Date('2026-03-31T23:00:00Z');
    await send(sign('start', '2026-03-31T23:00:00Z'));
    api.clock.now = new Date('2026-04-01T01:00:00Z');
    await send(sign('stop', '2026-04-01T01:00:00Z'));
    expect(await sourcesOf('2026-03')).toEqual([[], ['3.5 Jellyfin', '1 pressed', '0.5 added']]);
    expect(await sourcesOf('2026-04')).toEqual([[], ['1 Jellyfin']]);
    api.clock.now = new Date('2026-04-06T00:00:00Z');
    const closed = await sourcesOf('2026-03');
    await manage('DELETE', `${meter.id}/`);
    expect(await sourcesOf('2026-03')).toEqual(closed);
    expect(closed).toEqual([[], ['3.5 Jellyfin', '1 pressed', '0.5 added']]);
    expect(await sourcesOf('2026-04')).toEqual([[], ['1 metered']]);
  });
});

describe('a silence', () => {
  it('of a day or longer is on the page of the meter, and on the bill, also when it is gone', async () => {
    const read = async (month = '2026-03') => {
      const path = `/api/assets/${share.asset.id}/statements/${month}/`;
      const [found] = (await manage<{ results: Meter[] }>('GET')).body.results;
      const { silences } = (await api.call<Statement>('GET', path, { as: member })).body;
      return { meter: found?.silences, bill: silences.map((each) => [each.meter, each.since, each.until]) };
    };
    const at = (day: number, hour = 12) => `2026-03-${day}T${hour}:00:00.000Z`;
    const go = (day: string) => (api.clock.now = new Date(day));
    expect(await read()).toEqual({ meter: [], bill: [] });
    await send(sign('beat', '11:59'));
    go(at(11, 11));
    await send(sign('beat', '2026-03-11T11:00:00Z'));
    go(at(12, 12));
    const lasting = { meter: [{ since: at(11, 11), until: null }], bill: [['Jellyfin', at(11, 11), at(12)]] };
    expect(await read()).toEqual(lasting);
    await send(sign('beat', '2026-03-12T11:00:00Z'));
    const over = { since: at(11, 11), until: at(12) };
    expect(await read()).toEqual({ meter: [over], bill: lasting.bill });
    // What lasts beyond the end of a month is on both bills, and stays there.
    go('2026-04-02T12:00:00.000Z');
    const march = [...lasting.bill, ['Jellyfin', at(12), '2026-04-01T00:00:00.000Z']];
    expect((await read()).bill).toEqual(march);
    await manage('PATCH', `${meter.id}/`, { body: { name: 'Plex' } });
    await manage('DELETE', `${meter.id}/`);
    go('2026-04-05T12:00:00.000Z');
    await runScheduledJobs(api.deps);
    expect((await read()).bill).toEqual([march[0], ['Plex', ...(march[1]?.slice(1) ?? [])]]);
    expect((await read('2026-04')).bill).toEqual([['Plex', '2026-04-01T00:00:00.000Z', '2026-04-02T12:00:00.000Z']]);
  });
});

describe('managing meters', () => {
  it('is for owners and co-managers, up to five an asset', async () => {
    expect(await manage('POST', '', { as: member, body: { name: 'TV' } })).toMatchObject({ status: 404 });
    await api.call('PATCH', `/api/assets/${share.asset.id}/share/${share.id}/`, { as: owner, body: { manager: true } });
    for (let count = 0; count < 4; count++)
      expect((await manage('POST', '', { as: member, body: { name: 'TV' } })).status).toBe(201);
    expect(await manage('POST', '', { body: { name: 'TV' } })).toMatchObject({ body: { code: 'too_many_meters' } });
  });

  it('changes settings, within limits', async () => {
    const body = { name: 'Plex', grace_minutes: 60, merge_minutes: 0, min_seconds: 600 };
    expect(await manage('PATCH', `${meter.id}/`, { body })).toMatchObject({ status: 200, body });
    for (const wrong of [{ grace_minutes: 0 }, { merge_minutes: 31 }, { min_seconds: 601 }, { name: '' }])
      expect((await manage('PATCH', `${meter.id}/`, { body: wrong })).status).toBe(400);
    expect(await match('x', 999_999)).toMatchObject({ status: 404 });
  });

  it('deletes one, which keeps what it recorded and ends what it records', async () => {
    await agree();
    await send(sign('start', '11:00'));
    expect((await manage('DELETE', `${meter.id}/`)).status).toBe(204);
    expect(await logs()).toMatchObject([{ source: 'metered', meter: null, duration: 60 }]);
    expect(await manage('DELETE', `${meter.id}/`)).toMatchObject({ status: 404 });
  });

  it('says of several names at once whose they are, also where these change places', async () => {
    const zoe = await api.register('zoe');
    const other = await api.share(owner, share.asset as never, zoe);
    await api.call('POST', `/api/shared-assets/${other.id}/meters/${meter.id}/`, { as: zoe, body: { agreed: true } });
    await agree();
    await match('Zoe TV', other.id);
    api.clock.advance(3 * HOUR);
    await send(whole('12:30', '13:00'), { ...whole('13:10', '14:10'), name: 'Zoe TV' });
    const names = [
      { external_name: 'Ben TV', share_id: other.id },
      { external_name: 'Kim TV', share_id: null },
      { external_name: 'Zoe TV', share_id: share.id },
    ];
    expect((await manage<Meter>('PUT', `${meter.id}/names/`, { body: { names } })).body.names).toMatchObject(names);
    expect(await times()).toEqual([['13:10', '14:10']]);
    const path = `/api/shared-assets/${other.id}/logs/`;
    expect((await api.call<{ results: OwnSession[] }>('GET', path, { as: zoe })).body.results).toMatchObject([
      { duration: 30, source: 'metered' },
    ]);
    await expectConsistent();
  });

  it('corrects whose a name is, also for the last days', async () => {
    const zoe = await api.register('zoe');
    const other = await api.share(owner, share.asset as never, zoe);
    await api.call('POST', `/api/shared-assets/${other.id}/meters/${meter.id}/`, { as: zoe, body: { agreed: true } });
    await agree();
    api.clock.advance(3 * HOUR);
    await send(whole('12:30', '13:00'));
    await match('Ben TV', other.id);
    expect(await logs()).toEqual([]);
    const path = `/api/shared-assets/${other.id}/logs/`;
    expect((await api.call<{ results: OwnSession[] }>('GET', path, { as: zoe })).body.results).toMatchObject([
      { duration: 30, source: 'metered' },
    ]);
    await expectConsistent();
  });
});
