import type { ImportAnswer, MemberMeter, Meter, MeterWithToken } from '@hourshare/contract/meters';
import type { SharedAsset } from '@hourshare/contract/shares';
import type { SignedIn } from '@hourshare/contract/sign-ins';
import fc from 'fast-check';
import { callsOfMeter, meteredShare } from '../../../testing/meters.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openTestApi, type TestApi } from '../../../testing/api.ts';
import { randomRuns } from '../../../testing/thorough.ts';
import { tidyUp } from '../service.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
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
/** A share of 20 hours since March 1 with a meter that calls the member "Ben", on March 30, 12:00 UTC. */
beforeEach(async () => {
  ({ owner, member, share, meter, token } = await meteredShare(api, { now: '2026-03-30T12:00:00Z', name: 'Netflix' }));
});
afterAll(() => api.close());

const { manage, callShare, match, answer, agree, send, logs, expectConsistent } = callsOfMeter(
  () => ({ api, owner, member, share, meter, token }),
  'Ben',
);

interface Row {
  name: string;
  start: string;
  end: string;
}

/** A row of a day and times of March, such as `10 11:30 12:00`. */
const row = (text: string, name = 'Ben'): Row => {
  const [day, start, end] = text.split(' ');
  return { name, start: `2026-03-${day}T${start}:00Z`, end: `2026-03-${day}T${end}:00Z` };
};
const importRows = async (rows: Row[], dry_run = false) => {
  const answered = await manage<ImportAnswer>('POST', `${meter.id}/imports/`, { body: { dry_run, rows } });
  if (answered.status !== 200) throw new Error(answered.text);
  return answered.body.names;
};
/** What becomes of the rows of each name, such as `counted 2 rows 3 h`. */
const outcomes = async (rows: Row[], dryRun = false) =>
  (await importRows(rows, dryRun)).flatMap(({ parts }) =>
    parts.map(
      ({ result, reason, rows, hours }) => `${reason ? `${result}: ${reason}` : result} ${rows} rows ${hours} h`,
    ),
  );
const times = async () =>
  (await logs())
    .map(({ start_time: start, end_time: end }) => [start.slice(8, 16), end?.slice(8, 16) ?? null].join(' '))
    .toReversed();

describe('an import', () => {
  it('says what would become of the rows, and stores nothing in a dry run', async () => {
    await agree();
    const rows = [row('10 10:00 11:00'), row('28 20:00 22:30'), row('28 20:00 21:00', 'Zoe')];
    const expected = ['counted 2 rows 3.5 h', 'waiting: unknown_name 1 rows 1 h'];
    expect(await outcomes(rows, true)).toEqual(expected);
    expect(await logs()).toEqual([]);
    expect((await manage<{ results: Meter[] }>('GET')).body.results[0]?.names).toHaveLength(1);
    expect(await outcomes(rows)).toEqual(expected);
    expect(await logs()).toMatchObject([
      { source: 'metered', meter: 'Netflix', duration: 150 },
      { source: 'metered', meter: 'Netflix', duration: 60 },
    ]);
    expect((await manage<{ results: Meter[] }>('GET')).body.results[0]?.names).toMatchObject([
      { external_name: 'Ben', waiting_events: 0 },
      { external_name: 'Zoe', waiting_events: 1, waiting_hours: 1 },
    ]);
    await expectConsistent();
  });

  it('takes a new name for the member who is called that, in any case, unless someone says otherwise', async () => {
    await answer(true);
    const rows = [row('10 10:00 11:00', 'BEN'), row('11 10:00 11:00', 'ben'), row('12 10:00 11:00', 'Ben TV')];
    const promised = await importRows(rows, true);
    expect(promised.map(({ external_name: name, share_id: id }) => [name, id])).toEqual([
      ['BEN', share.id],
      ['Ben TV', null],
      ['ben', share.id],
    ]);
    expect((await manage<{ results: Meter[] }>('GET')).body.results[0]?.names).toEqual([]);
    await match('ben', null);
    expect(await outcomes(rows)).toEqual([
      'counted 1 rows 1 h',
      'waiting: unknown_name 1 rows 1 h',
      'waiting: unknown_name 1 rows 1 h',
    ]);
    const { names } = (await manage<{ results: Meter[] }>('GET')).body.results[0] ?? {};
    expect(names?.map(({ external_name: name, share_id: id }) => [name, id])).toEqual(
      expect.arrayContaining([
        ['BEN', share.id],
        ['ben', null],
        ['Ben TV', null],
      ]),
    );
    expect(await times()).toEqual(['10T10:00 10T11:00']);
    expect(await outcomes(rows.slice(0, 1))).toEqual(['known 1 rows 1 h']);
    await match('BEN', null);
    expect(await outcomes(rows.slice(0, 1))).toEqual(['waiting: unknown_name 1 rows 1 h']);
    expect(await times()).toEqual([]);
    await expectConsistent();
  });

  it('takes no name for the owner of another asset, or a member who has left', async () => {
    await api.register('zoe');
    await api.call('DELETE', `/api/assets/${share.asset.id}/share/${share.id}/`, { as: owner });
    const names = await importRows([row('10 10:00 11:00', 'zoe'), row('10 10:00 11:00', 'ben')]);
    expect(names.map(({ share_id: id }) => id)).toEqual([null, null]);
  });

  it('of the same file again changes nothing', async () => {
    await agree();
    const rows = [row('10 10:00 11:00'), row('28 20:00 22:30')];
    await importRows(rows);
    const before = await logs();
    expect(await outcomes(rows)).toEqual(['known 2 rows 3.5 h']);
    expect(await logs()).toEqual(before);
    expect(await outcomes([...rows, row('12 08:00 09:00')])).toEqual(['known 2 rows 3.5 h', 'counted 1 rows 1 h']);
  });

  it('counts no second twice, and fills no gaps', async () => {
    await agree();
    await callShare('POST', 'logs', { body: { start_time: '2026-03-28T10:00:00Z', end_time: '2026-03-28T11:00:00Z' } });
    expect(
      await outcomes([
        row('28 09:30 10:30'),
        row('28 10:10 10:20'),
        row('28 12:00 13:00'),
        row('28 12:30 13:30'),
        row('28 13:34 14:00'),
        row('28 13:34 14:00'),
      ]),
    ).toEqual(['counted 4 rows 2.43 h', 'absorbed: other_session 2 rows 1.6 h']);
    expect(await times()).toEqual(['28T09:30 28T10:00', '28T10:00 28T11:00', '28T12:00 28T13:30', '28T13:34 28T14:00']);
    await expectConsistent();
  });

  it('says why rows do not count', async () => {
    await agree();
    await api.call('PATCH', `/api/assets/${share.asset.id}/share/${share.id}/`, {
      as: owner,
      body: { monthly_hours_allocated: 1 },
    });
    expect(
      (
        await outcomes([
          { name: 'Ben', start: '2026-01-10T10:00:00Z', end: '2026-01-10T11:00:00Z' },
          { name: 'Ben', start: '2026-02-28T23:00:00Z', end: '2026-03-01T00:30:00Z' },
          row('05 10:00 10:45'),
          row('06 10:00 10:00'),
          row('06 11:00 10:00'),
          row('30 11:00 13:00'),
          { name: 'Ben', start: '2026-03-07T10:00:00Z', end: '2026-03-07T10:00:59Z' },
        ])
      ).toSorted(),
    ).toEqual([
      'counted 2 rows 1 h',
      'ignored: allowance_used 0 rows 0.25 h',
      'ignored: end_before_start 1 rows 0 h',
      'ignored: in_future 1 rows 2 h',
      'ignored: month_closed 1 rows 2 h',
      'ignored: not_counted 2 rows 0.02 h',
    ]);
    const { body } = await callShare<{ results: MemberMeter[] }>('GET', 'meters');
    expect(body.results).toMatchObject([{ told_hours: 1.25, counted_hours: 1 }]);
    expect((await answer(true, { beyond_allowance: true })).body).toMatchObject({
      told_hours: 1.25,
      counted_hours: 1.25,
    });
    expect(await times()).toEqual(['01T00:00 01T00:30', '05T10:00 05T10:45']);
    await expectConsistent();
  });

  it('waits for the yes of the member, also for longer than what a meter told', async () => {
    await match();
    expect(await outcomes([row('05 10:00 11:00')])).toEqual(['waiting: not_agreed 1 rows 1 h']);
    expect(await logs()).toEqual([]);
    await answer(true);
    expect(await times()).toEqual(['05T10:00 05T11:00']);
    await answer(false);
    expect(await outcomes([row('06 10:00 11:00')])).toEqual(['ignored: refused 1 rows 1 h']);
    await answer(true);
    expect(await times()).toEqual(['05T10:00 05T11:00']);
  });

  it('adds nothing after a no, also if there are more hours and the names are matched anew', async () => {
    const setHours = (hours: number) =>
      api.call('PATCH', `/api/assets/${share.asset.id}/share/${share.id}/`, {
        as: owner,
        body: { monthly_hours_allocated: hours },
      });
    await agree();
    await setHours(1);
    await importRows([row('05 10:00 10:45'), row('06 10:00 11:00'), row('07 10:00 11:00')]);
    const before = ['05T10:00 05T10:45', '06T10:00 06T10:15'];
    expect(await times()).toEqual(before);
    await answer(false);
    await setHours(20);
    await match('another');
    await match();
    expect(await times()).toEqual(before);
    await match('Ben', null);
    expect(await times()).toEqual([]);
    await match();
    expect(await times()).toEqual([]);
    await expectConsistent();
  });

  it('keeps nothing for whom says no', async () => {
    await importRows([row('05 10:00 11:00')]);
    await match();
    await answer(false);
    await importRows([row('06 10:00 11:00', 'Ben TV')]);
    await match('Ben TV');
    await answer(true);
    expect(await logs()).toEqual([]);
    expect(await api.deps.db.selectFrom('imported_uses').selectAll().execute()).toEqual([]);
  });

  it('stays as it is when what the meter told is replayed, or dropped', async () => {
    await agree({ beyond_allowance: true });
    const start = api.clock.now.getTime() - 20 * HOUR;
    await send({
      id: 'live',
      name: 'Ben',
      type: 'session',
      start: new Date(start).toISOString(),
      end: new Date(start + HOUR).toISOString(),
    });
    await importRows([row('05 10:00 11:00'), row('28 10:00 11:00'), row('29 15:30 17:30')]);
    const expected = [
      '05T10:00 05T11:00',
      '28T10:00 28T11:00',
      '29T15:30 29T16:00',
      '29T16:00 29T17:00',
      '29T17:00 29T17:30',
    ];
    expect(await times()).toEqual(expected);
    for (let day = 0; day < 4; day++) {
      api.clock.advance(3 * DAY);
      await tidyUp(api.deps);
      await answer(true);
      await match('Ben', null);
      await match();
      expect(await times()).toEqual(expected);
      await expectConsistent();
    }
  });

  it('does not change what the meter recorded, of which nothing is known any more', async () => {
    await agree();
    api.clock.now = new Date('2026-03-05T12:00:00Z');
    await send({
      id: 'live',
      name: 'Ben',
      type: 'session',
      start: '2026-03-05T10:00:00Z',
      end: '2026-03-05T11:00:00Z',
    });
    api.clock.now = new Date('2026-03-30T12:00:00Z');
    await tidyUp(api.deps);
    expect(await api.deps.db.selectFrom('meter_events').selectAll().execute()).toEqual([]);
    expect(await outcomes([row('04 10:00 11:00'), row('05 09:00 12:00')])).toEqual([
      'counted 2 rows 3 h',
      'absorbed: other_session 0 rows 1 h',
    ]);
    expect(await times()).toEqual(['04T10:00 04T11:00', '05T09:00 05T10:00', '05T10:00 05T11:00', '05T11:00 05T12:00']);
  });

  it('moves with the name it is of', async () => {
    const zoe = await api.register('zoe');
    const other = await api.share(owner, share.asset as never, zoe);
    await api.call('POST', `/api/shared-assets/${other.id}/meters/${meter.id}/`, { as: zoe, body: { agreed: true } });
    await agree();
    await importRows([row('05 10:00 11:00')]);
    await match('Ben', other.id);
    expect(await logs()).toEqual([]);
    // Zoe came on March 30.
    expect(await outcomes([row('05 10:00 11:00')])).toEqual(['ignored: no_access 1 rows 1 h']);
    await match();
    expect(await times()).toEqual(['05T10:00 05T11:00']);
    await expectConsistent();
  });

  it('ends with the month: what is settled stays, and is kept no longer', async () => {
    await agree();
    api.clock.now = new Date('2026-04-01T12:00:00Z');
    const rows = [
      { name: 'Ben', start: '2026-03-31T22:00:00Z', end: '2026-04-01T02:00:00Z' },
      { name: 'Ben', start: '2026-03-20T22:00:00Z', end: '2026-03-20T23:00:00Z' },
    ];
    expect(await outcomes(rows)).toEqual(['counted 2 rows 5 h']);
    const before = await logs();
    // 24 hours before it closes.
    api.clock.now = new Date('2026-04-03T00:00:00Z');
    expect(await outcomes([row('21 12:00 13:00')])).toEqual(['ignored: month_closed 1 rows 1 h']);
    api.clock.now = new Date('2026-04-06T12:00:00Z');
    await tidyUp(api.deps);
    expect(await api.deps.db.selectFrom('imported_uses').selectAll().execute()).toHaveLength(1);
    await answer(true);
    expect((await outcomes([...rows, row('21 10:00 11:00')])).toSorted()).toEqual([
      'absorbed: other_session 0 rows 2 h',
      'ignored: month_closed 3 rows 4 h',
    ]);
    expect(await logs()).toEqual(before);
    await expectConsistent();
  });

  it('leaves what a person edited or removed', async () => {
    await agree();
    const rows = [row('28 10:00 11:00'), row('28 20:00 21:00')];
    await importRows(rows);
    const [late, early] = await logs();
    await callShare('PATCH', `logs/${early?.id}`, { body: { end_time: '2026-03-28T10:30:00Z' } });
    await callShare('DELETE', `logs/${late?.id}`);
    expect(await outcomes(rows)).toEqual(['absorbed: other_session 2 rows 2 h']);
    expect(await times()).toEqual(['28T10:00 28T10:30']);
    await expectConsistent();
  });

  it('is for those who manage the asset, and not for a meter with a token for each member', async () => {
    const body = { dry_run: true, rows: [row('05 10:00 11:00')] };
    expect(await manage('POST', `${meter.id}/imports/`, { as: member, body })).toMatchObject({ status: 404 });
    expect(await manage('POST', `${meter.id}/imports/`, { as: undefined as never, token, body })).toMatchObject({
      status: 401,
    });
    const made = await manage<MeterWithToken>('POST', '', { body: { name: 'Editor', per_member: true } });
    expect(await manage('POST', `${made.body.meter.id}/imports/`, { body })).toMatchObject({
      body: { code: 'meter_per_member' },
    });
  });

  it('counts nothing for a meter of totals, which has days instead of times', async () => {
    ({ meter } = (await manage<MeterWithToken>('POST', '', { body: { name: 'Claude Code', kind: 'totals' } })).body);
    expect(await outcomes([row('10 10:00 11:00')])).toEqual(['ignored: wrong_kind 1 rows 1 h']);
    expect((await manage<{ results: Meter[] }>('GET')).body.results[1]?.names).toEqual([]);
  });

  it('takes rows with names and times alone, of at most 200 names', async () => {
    const one = row('05 10:00 11:00');
    for (const rows of [
      [],
      [{ ...one, title: 'x' }],
      Array.from({ length: 201 }, (_, index) => ({ ...one, name: `n${index}` })),
    ])
      expect((await manage('POST', `${meter.id}/imports/`, { body: { rows } })).status).toBe(400);
  });
});

it('makes the same sessions of rows in any order and split, also twice', async () => {
  await agree();
  await match('Ben TV');
  const event = fc.record({
    name: fc.constantFrom('Ben', 'Ben TV'),
    minute: fc.integer({ min: -2 * 1440, max: 29 * 1440 }),
    length: fc.oneof(fc.integer({ min: 1, max: 90 }), fc.integer({ min: 1, max: 3000 })),
    place: fc.double({ min: 0, max: 1, noNaN: true }),
  });
  const base = Date.parse('2026-03-01T00:00:00Z');
  const clear = async () => {
    for (const table of ['imported_uses', 'sessions', 'usage_days'] as const)
      await api.deps.db.deleteFrom(table).execute();
  };
  await callShare('POST', 'logs', { body: { start_time: '2026-03-28T10:00:00Z', end_time: '2026-03-28T11:00:00Z' } });
  await fc.assert(
    fc.asyncProperty(
      fc.array(event, { minLength: 1, maxLength: 25 }),
      fc.integer({ min: 1, max: 9 }),
      fc.boolean(),
      async (events, size, beyond) => {
        await answer(true, { beyond_allowance: beyond });
        const rows = events.map(({ name, minute, length }) => ({
          name,
          start: new Date(base + minute * MINUTE).toISOString(),
          end: new Date(base + (minute + length) * MINUTE).toISOString(),
        }));
        await clear();
        const dry = await importRows(rows, true);
        expect(await importRows(rows)).toEqual(dry);
        const once = await times();
        for (const { hours, parts } of dry)
          expect(Math.abs(parts.reduce((sum, part) => sum + part.hours, 0) - hours)).toBeLessThan(0.05);
        await clear();
        const shuffled = rows
          .map((one, index) => ({ one, place: events[index]?.place ?? 0 }))
          .toSorted((a, b) => a.place - b.place)
          .map(({ one }) => one);
        for (let from = 0; from < shuffled.length; from += size) {
          await importRows(shuffled.slice(from, from + size));
          await importRows(shuffled.slice(Math.max(0, from - 2), from + size));
        }
        expect(await times()).toEqual(once);
        await expectConsistent();
      },
    ),
    { numRuns: randomRuns(12) },
  );
});

it('takes 20,000 rows within seconds', { timeout: 60_000 }, async () => {
  await agree({ beyond_allowance: true });
  await match('Ben TV');
  const base = Date.parse('2026-03-01T00:00:00Z');
  const rows = Array.from({ length: 20_000 }, (_, index) => ({
    name: index % 2 ? 'Ben' : 'Ben TV',
    start: new Date(base + index * 120_000).toISOString(),
    end: new Date(base + index * 120_000 + 90_000).toISOString(),
  }));
  const start = performance.now();
  for (const dryRun of [true, false, false]) await importRows(rows, dryRun);
  expect(performance.now() - start).toBeLessThan(30_000);
  await expectConsistent();
});
