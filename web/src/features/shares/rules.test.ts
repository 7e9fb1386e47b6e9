import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { ApiError, NoConnection } from '../../platform/http/errors.ts';
import { recordServerDate } from '../../platform/http/server-clock.ts';
import { runningShares } from './api.ts';
import { anOffer, aShare as anyShare } from '../../testing/records.ts';
import {
  byLastUse,
  lastHours,
  lastUsedText,
  offerSplitText,
  plainCost,
  runningHours,
  sessionTimes,
  shareFailureText,
  usedHours,
  usedPart,
} from './rules.ts';

const aShare = (id: number, used: number, since: string | null = null) =>
  anyShare({
    id,
    current_usage: used,
    usage_this_month: used,
    active_session: since !== null,
    active_since: since,
  });

describe('byLastUse', () => {
  it('puts running shares first, then the last used, and keeps the order of unused ones', () => {
    const used = (id: number, last_used_at: string | null) => ({ ...aShare(id, 1), last_used_at });
    const shares = [
      used(1, null),
      used(2, '2026-11-02T10:00:00.000Z'),
      aShare(3, 1, '2026-11-20T10:00:00.000Z'),
      used(4, null),
      used(5, '2026-11-20T12:00:00.000Z'),
      aShare(6, 1, '2026-11-20T11:00:00.000Z'),
    ];
    expect(byLastUse(shares).map(({ id }) => id)).toEqual([6, 3, 5, 2, 1, 4]);
  });
});

describe('offers', () => {
  it('come before what runs', () => {
    const running = aShare(1, 1, '2026-11-20T12:00:00.000Z');
    expect(byLastUse([running, { ...anOffer(), id: 2 }]).map(({ id }) => id)).toEqual([2, 1]);
  });

  it.each([
    [{}, 'Split by use: you only pay for the hours you use.'],
    [{ base_percent: 25 }, '25% of the price is split by allowance, used or not, the rest by use.'],
    [{ split_method: 'allocation' as const }, 'Split by allowance: you pay for your hours, used or not.'],
    [
      { split_method: 'share_of_use' as const },
      "Each person pays their part of everyone's use, up to a limit per hour.",
    ],
    [{ split_method: 'equal' as const, members: 2 }, 'Split evenly among 4 people, including you.'],
  ])('with %o say how the price is split', (terms, text) => {
    const { offer } = anOffer(terms);
    expect(offer && offerSplitText(offer)).toBe(text);
  });
});

describe('lastUsedText', () => {
  it.each([
    [null, 'Not used yet'],
    [new Date(2026, 10, 21, 0, 5), 'Last used today'],
    [new Date(2026, 10, 20, 23, 55), 'Last used yesterday'],
    [new Date(2026, 10, 14, 12), 'Last used November 14'],
    [new Date(2025, 9, 29, 12), 'Last used October 29, 2025'],
  ])('of %s is "%s"', (used, text) => {
    const now = new Date(2026, 10, 21, 19).getTime();
    expect(lastUsedText({ last_used_at: used && used.toISOString() }, now)).toBe(text);
  });
});

describe('shareFailureText', () => {
  it('returns a message for each kind of failure', () => {
    const message = (error: unknown) => shareFailureText(error, 'zoe');
    expect(message(new ApiError(400, { error: "You can't share an asset with yourself." }))).toBe(
      "You can't share an asset with yourself.",
    );
    expect(message(new ApiError(404, null))).toBe('User "zoe" not found');
    expect(message(new ApiError(400, null))).toBe('Failed to share asset. Asset may already be shared with this user.');
    expect(message(new ApiError(502, { message: 'Over quota' }))).toBe('Failed to share asset: Over quota');
    expect(message(new ApiError(500, null))).toBe('Failed to share asset: Unknown error');
    expect(message(new NoConnection())).toBe('Failed to share asset. Please try again.');
  });
});

describe('a share', () => {
  it('prefers usage_this_month over current_usage', () => {
    expect(usedHours({ ...aShare(1, 3), usage_this_month: 4 })).toBe(4);
    expect(usedHours({ current_usage: 3 })).toBe(3);
  });

  it('has used a fraction of its allowance, possibly more than all of it', () => {
    expect(usedPart(aShare(1, 25))).toBe(1.25);
  });

  it('counts only the running session as running, and never more than was used', () => {
    const since = '2026-11-21T10:00:00.000Z';
    const at = (time: string) => new Date(`2026-11-21T${time}Z`).getTime();
    expect(runningHours(aShare(1, 9, since), at('11:30:00'))).toBe(1.5);
    expect(runningHours(aShare(1, 1, since), at('11:30:00'))).toBe(1);
    expect(runningHours(aShare(1, 9, since), at('09:59:00'))).toBe(0);
    expect(runningHours(aShare(1, 9), at('11:30:00'))).toBe(0);
  });

  it('counts all use as running where only rounding makes a difference', () => {
    // 1 minute and 2 seconds are 0.0172 h, and the server says 0.02 h.
    const now = new Date('2026-11-21T10:01:02Z').getTime();
    expect(runningHours(aShare(1, 0.02, '2026-11-21T10:00:00.000Z'), now)).toBe(0.02);
  });

  it('counts by the clock of the server', () => {
    const hour = 3_600_000;
    onTestFinished(() => recordServerDate(new Date().toUTCString()));
    recordServerDate(new Date(Date.now() + hour).toUTCString());
    expect(runningHours(aShare(1, 9, new Date().toISOString()))).toBeCloseTo(1, 2);
    expect(lastUsedText({ last_used_at: new Date(Date.now() + hour / 2).toISOString() })).not.toContain('20');
  });

  it('that is plain costs what was agreed to only while more is asked for', () => {
    const share = anyShare({ status: 'accepted', cost_of_all: 4 });
    const agreed = share.terms && { ...share.terms, split_method: 'equal' as const, price: 20, places: 4 };
    expect(plainCost({ ...share, agreed, asked: true })?.amount).toBe(5);
    expect(plainCost({ ...share, agreed, asked: false })?.amount).toBe(4);
    expect(plainCost({ ...share, status: 'offered' })).toBeNull();
  });

  it('is listed as running during a session, latest first', () => {
    const shares = [aShare(1, 1, '2026-11-21T10:00:00.000Z'), aShare(2, 1), aShare(3, 1, '2026-11-21T11:00:00.000Z')];
    expect(runningShares(shares).map(({ id }) => id)).toEqual([3, 1]);
  });
});

describe('the times of a session to record', () => {
  const at = (time: string) => new Date(time).toISOString();
  it('are on one day, or end on the next', () => {
    const day = '2026-03-10';
    expect(sessionTimes({ day, start: '10:30', end: '12:00' })).toEqual({
      start_time: at('2026-03-10T10:30'),
      end_time: at('2026-03-10T12:00'),
    });
    expect(sessionTimes({ day, start: '22:30', end: '01:00' })).toEqual({
      start_time: at('2026-03-10T22:30'),
      end_time: at('2026-03-11T01:00'),
    });
  });

  it('are in an hour that comes twice: the first that can be, unless the other is chosen', () => {
    vi.stubEnv('TZ', 'Europe/Berlin');
    const night = { day: '2026-10-25', start: '02:10', end: '02:40' };
    const minutes = (typed: typeof night, which?: Parameters<typeof sessionTimes>[1]) => {
      const times = sessionTimes(typed, which);
      return typeof times === 'object' && times && (Date.parse(times.end_time) - Date.parse(times.start_time)) / 60_000;
    };
    expect(minutes(night)).toBe(30);
    expect(minutes(night, { end: 'second' })).toBe(90);
    expect(minutes(night, { start: 'second', end: 'second' })).toBe(30);
    // 2:10 comes again after the first 2:50.
    expect(minutes({ ...night, start: '02:50', end: '02:10' })).toBe(20);
    expect(minutes({ ...night, day: '2026-10-24', start: '23:10', end: '02:10' }, { end: 'second' })).toBe(240);
  });

  it('are the only ones there are, even if the second was chosen before', () => {
    const typed = { day: '2026-03-10', start: '10:30', end: '12:00' };
    expect(sessionTimes(typed, { start: 'second', end: 'second' })).toEqual(sessionTimes(typed));
  });

  it('are the last hours, up to a minute that has passed on the server, too', () => {
    const now = (time: string) => Date.parse(`2026-03-10T${time}Z`);
    const times = { start_time: '2026-03-10T10:30:00.000Z', end_time: '2026-03-10T12:30:00.000Z' };
    expect(lastHours(2, now('12:30:05'))).toEqual(times);
    expect(lastHours(2, now('12:31:04.999'))).toEqual(times);
  });

  it('name what the clocks skip', () => {
    vi.stubEnv('TZ', 'Europe/Berlin');
    expect(sessionTimes({ day: '2026-03-29', start: '02:30', end: '04:00' })).toBe('start');
    expect(sessionTimes({ day: '2026-03-28', start: '23:00', end: '02:30' })).toBe('end');
  });

  it('are incomplete while a field is empty', () => {
    const typed = { day: '2026-03-10', start: '10:30', end: '12:00' };
    for (const field of ['day', 'start', 'end']) expect(sessionTimes({ ...typed, [field]: '' })).toBeNull();
  });
});
