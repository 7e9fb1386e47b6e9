import type { SignedIn } from '@hourshare/contract/sign-ins';
import type { Analytics } from '@hourshare/contract/analytics';
import type { OwnedAsset } from '@hourshare/contract/assets';
import type { SharedAsset } from '@hourshare/contract/shares';
import { toHours } from '@hourshare/contract/fields';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openTestApi, type TestApi } from '../../testing/api.ts';
import type { PlainChange } from '../../testing/plain-months.ts';
import { plainMonthOfUse, type PlainSession } from '../../testing/plain-use.ts';
import { summarize } from './rules.ts';
import { monthOfShare } from './store.ts';
import { recordSessions } from '../../testing/records.ts';

const HOUR = 3_600_000;

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
beforeEach(() => api.reset());
afterAll(() => api.close());

interface Household {
  owner: SignedIn;
  member: SignedIn;
  share: SharedAsset;
}

/** Creates an asset shared since August 2025, so that its periods cover every session here, and restores the clock. */
async function household(zone: string, hours = 20): Promise<Household> {
  const now = api.clock.now;
  api.clock.now = new Date('2025-08-01T12:00:00Z');
  const owner = await api.register('mira');
  const member = await api.register('ben');
  const share = await api.share(owner, await api.addAsset(owner, { time_zone: zone }), member, hours);
  api.clock.now = now;
  return { owner, member, share };
}

/** Writes sessions as the app would have stored them. */
async function record({ share }: Household, sessions: PlainSession[]): Promise<void> {
  const rows = sessions.map(({ startedAt, endedAt, endsBy, metered }) => ({
    share_id: share.id,
    ...(metered && { source: 'metered' as const }),
    started_at: startedAt,
    ended_at: endedAt,
    ends_by: endsBy,
  }));
  await recordSessions(api.deps.db, rows);
}

const session = (from: string, to: string): PlainSession => ({
  startedAt: new Date(from),
  endedAt: new Date(to),
  endsBy: new Date(new Date(from).getTime() + 24 * HOUR),
});

async function analytics({ member, share }: Household, month?: string): Promise<Analytics> {
  const query = month === undefined ? '' : `?month=${month}`;
  const answer = await api.call<Analytics>('GET', `/api/shared-assets/${share.id}/analytics/${query}`, { as: member });
  expect(answer.status).toBe(200);
  return answer.body;
}

const shareKey = ({ member, share }: Household) => ({ shareId: share.id, memberId: member.user.id });

async function usedHours({ member, owner, share }: Household): Promise<number[]> {
  const shared = await api.call<SharedAsset>('GET', `/api/shared-assets/${share.id}/`, { as: member });
  const assets = await api.call<{ results: OwnedAsset[] }>('GET', '/api/assets/', { as: owner });
  const entry = assets.body.results[0]?.shared_with[0]?.usage_this_month;
  return [shared.body.current_usage, shared.body.usage_this_month, entry ?? Number.NaN];
}

const zones = [
  'America/New_York',
  'America/Havana',
  'America/St_Johns',
  'Africa/Cairo',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Europe/Berlin',
  'Pacific/Kiritimati',
  'Pacific/Pago_Pago',
  'UTC',
];
const from = Date.UTC(2025, 8, 1);
const to = Date.UTC(2026, 3, 30);
const instant = fc.oneof(
  fc.integer({ min: from, max: to }),
  // Near the turn of a month somewhere on earth.
  fc
    .tuple(fc.integer({ min: 9, max: 15 }), fc.integer({ min: -15 * HOUR, max: 13 * HOUR }))
    .map(([month, fromTurn]) => Date.UTC(2025, month, 1) + fromTurn),
);
const endedSession = fc
  .tuple(instant, fc.integer({ min: 0, max: 40 * 24 * HOUR }), fc.integer({ min: 1, max: 744 }), fc.boolean())
  .map(([startedAt, length, limit, metered]): PlainSession => {
    const endsBy = startedAt + limit * HOUR;
    return {
      metered,
      startedAt: new Date(startedAt),
      endedAt: new Date(Math.min(startedAt + length, endsBy)),
      endsBy: new Date(endsBy),
    };
  });
const change = fc
  .tuple(instant, fc.constantFrom(...zones))
  .map(([at, zone]): PlainChange => ({ at: new Date(at), zone }));

/** Sends the owner's changes of zone up to an instant, in order. Returns those sent. */
async function changeZone(
  { owner, share }: Household,
  requested: PlainChange[],
  limit: number,
): Promise<PlainChange[]> {
  const changes = requested
    .filter(({ at }) => at.getTime() <= limit)
    .toSorted((a, b) => a.at.getTime() - b.at.getTime());
  for (const { at, zone } of changes) {
    api.clock.now = at;
    const path = `/api/assets/${share.asset.id}/`;
    expect(await api.call('PATCH', path, { as: owner, body: { time_zone: zone } })).toMatchObject({ status: 200 });
  }
  return changes;
}

describe('analytics', () => {
  it('divides use at local midnights, month ends, and clock changes as in the worked example', async () => {
    const home = await household('America/New_York');
    await record(home, [
      session('2026-03-01T04:30:00Z', '2026-03-01T06:00:00Z'),
      session('2026-03-08T06:00:00Z', '2026-03-08T08:00:00Z'),
    ]);
    expect(await analytics(home)).toEqual({
      asset_name: 'Netflix Premium',
      month: '2026-03',
      total_allocation: 20,
      total_usage: 3,
      remaining_hours: 17,
      utilization_percentage: 15,
      total_sessions: 2,
      avg_session_duration_minutes: 90,
      active_session: false,
      weekly_usage: [
        { week: 1, hours: 1 },
        { week: 2, hours: 2 },
      ],
      daily_usage: { '2026-03-01': 1, '2026-03-08': 2 },
      metered_usage: {},
      // 3 h in 9 days and 7 of 743 h: the month began at 05:00Z, and it is 12:00Z on the 10th.
      pace: { projected_hours: 10, runs_out_on: null },
    });
    expect(await analytics(home, '2026-02')).toMatchObject({
      pace: null,
      total_usage: 0.5,
      total_sessions: 1,
      daily_usage: { '2026-02-28': 0.5 },
      weekly_usage: [
        { week: 1, hours: 0 },
        { week: 2, hours: 0 },
        { week: 3, hours: 0 },
        { week: 4, hours: 0.5 },
      ],
    });
    expect(await usedHours(home)).toEqual([3, 3, 3]);
  });

  it('count a running session up to now', async () => {
    const home = await household('Europe/Berlin');
    await api.call('POST', `/api/shared-assets/${home.share.id}/start/`, { as: home.member });
    api.clock.advance(1.5 * HOUR);
    expect(await analytics(home)).toMatchObject({ total_usage: 1.5, total_sessions: 1, active_session: true });
    expect(await usedHours(home)).toEqual([1.5, 1.5, 1.5]);
  });

  it('start a month at the first of two midnights when clocks go back across it', async () => {
    const home = await household('America/Havana');
    // November 1, 2026 begins at 04:00Z; at 05:00Z the clocks go from 01:00 back to 00:00.
    await record(home, [session('2026-11-01T03:30:00Z', '2026-11-01T05:30:00Z')]);
    api.clock.now = new Date('2026-11-02T12:00:00Z');
    expect(await analytics(home)).toMatchObject({ total_usage: 1.5, daily_usage: { '2026-11-01': 1.5 } });
    expect(await analytics(home, '2026-10')).toMatchObject({ total_usage: 0.5, daily_usage: { '2026-10-31': 0.5 } });
    expect(await usedHours(home)).toEqual([1.5, 1.5, 1.5]);
  });

  it('are zero for a future month, even with a session that may reach into it', async () => {
    const home = await household('UTC');
    const startedAt = new Date(api.clock.now.getTime() - HOUR);
    await record(home, [{ startedAt, endedAt: null, endsBy: new Date(startedAt.getTime() + 744 * HOUR) }]);
    expect(await analytics(home, '2026-04')).toMatchObject({
      total_usage: 0,
      total_sessions: 0,
      weekly_usage: [],
      daily_usage: {},
    });
  });

  it.each(['2026-13', '2026-00', '2026-3', 'March', '20260-1', '9999-01'])('reject %s as a month', async (month) => {
    const { member, share } = await household('UTC');
    expect(
      await api.call('GET', `/api/shared-assets/${share.id}/analytics/?month=${month}`, { as: member }),
    ).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
  });

  it('match the reference calculation for random sessions, zones, zone changes, and months', async () => {
    const length = fc.integer({ min: 1, max: 744 });
    const running = fc.tuple(instant, length, fc.boolean()).map(([startedAt, limit, metered]): PlainSession => ({
      metered,
      startedAt: new Date(startedAt),
      endedAt: null,
      endsBy: new Date(startedAt + limit * HOUR),
    }));
    const month = fc.option(
      fc.constantFrom('2025-09', '2025-10', '2025-11', '2025-12', '2026-01', '2026-02', '2026-03', '2026-04'),
      { nil: undefined },
    );
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...zones),
        fc.array(change, { maxLength: 4 }),
        fc.array(endedSession, { maxLength: 12 }),
        fc.option(running, { nil: undefined }),
        month,
        instant,
        async (zone, requested, endedSessions, open, monthQuery, now) => {
          await api.reset();
          const home = await household(zone);
          // A session that has ended cannot end in the future.
          const ended = endedSessions.filter(({ endedAt }) => endedAt && endedAt.getTime() <= now);
          const sessions = open ? [...ended, open] : ended;
          await record(home, sessions);
          const changes = await changeZone(home, requested, now);
          api.clock.now = new Date(now);
          const expected = (month: string | undefined) =>
            plainMonthOfUse(sessions, { zone, changes, month, now: api.clock.now, allocationHours: 20 });
          expect(await analytics(home, monthQuery)).toEqual({
            asset_name: 'Netflix Premium',
            ...summarize(expected(monthQuery)),
          });
          const request = { month: monthQuery, now: api.clock.now };
          expect((await monthOfShare(api.deps.db, shareKey(home), request))?.running).toEqual(
            expected(monthQuery).running,
          );
          const current = Object.values(expected(undefined).secondsByDay).reduce((sum, seconds) => sum + seconds, 0);
          expect(await usedHours(home)).toEqual([toHours(current), toHours(current), toHours(current)]);
        },
      ),
      { numRuns: 60 },
    );
  }, 120_000);

  it('neither lose nor duplicate a second across the months of an asset that changes zones', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...zones),
        fc.array(change, { maxLength: 6 }),
        fc.array(endedSession, { maxLength: 8 }),
        async (zone, requested, sessions) => {
          await api.reset();
          const home = await household(zone);
          await record(home, sessions);
          const now = new Date('2026-08-01T00:00:00Z');
          await changeZone(home, requested, now.getTime());
          let seconds = 0;
          for (const year of [2025, 2026])
            for (let number = 1; number <= 12; number += 1) {
              const month = `${year}-${String(number).padStart(2, '0')}`;
              const use = await monthOfShare(api.deps.db, shareKey(home), { month, now });
              for (const [date, each] of Object.entries(use?.secondsByDay ?? {})) {
                expect(date.slice(0, 7)).toBe(month);
                seconds += each;
              }
            }
          const second = (instant: Date) => Math.floor(instant.getTime() / 1000);
          const durations = sessions.map(({ startedAt, endedAt }) => second(endedAt ?? startedAt) - second(startedAt));
          expect(seconds).toBe(durations.reduce((sum, each) => sum + each, 0));
        },
      ),
      { numRuns: 20 },
    );
  }, 120_000);

  it('neither lose nor duplicate time of a session that spans two months', async () => {
    const home = await household('America/Havana');
    await record(home, [
      {
        startedAt: new Date('2025-10-20T10:00:00.123Z'),
        endedAt: new Date('2025-11-19T22:13:07.456Z'),
        endsBy: new Date('2025-11-20T10:00:00.123Z'),
      },
    ]);
    const months = [await analytics(home, '2025-10'), await analytics(home, '2025-11')];
    const whole = (Date.parse('2025-11-19T22:13:07Z') - Date.parse('2025-10-20T10:00:00Z')) / HOUR;
    expect(months[0]!.total_usage + months[1]!.total_usage).toBeCloseTo(whole, 1);
  });
});
