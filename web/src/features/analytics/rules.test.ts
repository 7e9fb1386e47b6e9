import type { Analytics } from '@hourshare/contract/analytics';
import { describe, expect, it } from 'vitest';
import { anEntry, someAnalytics } from '../../testing/records.ts';
import {
  answerText,
  dailySeries,
  splitAtAllowance,
  startsOf,
  usedSoFar,
  utilizationSeries,
  weeklySeries,
} from './rules.ts';

describe('chart data', () => {
  it('labels weeks in response order, including weeks without use, with their days', () => {
    const weekly_usage = [
      { week: 1, hours: 2.5 },
      { week: 5, hours: 0 },
    ];
    const { labels, values, metered, days } = weeklySeries({
      month: '2026-11',
      weekly_usage,
      metered_usage: { '2026-11-02': 0.5, '2026-11-07': 1, '2026-11-08': 3 },
    });
    expect(metered).toEqual([1.5, 0]);
    expect([labels, values]).toEqual([
      ['Week 1', 'Week 5'],
      [2.5, 0],
    ]);
    expect(days.map((text) => text.replaceAll(/\s/g, ''))).toEqual(['1–7', '29–30']);
  });

  it('has no weeks and no days in a month without use', () => {
    const unused = { weekly_usage: [{ week: 1, hours: 0 }], daily_usage: {} };
    expect(weeklySeries(someAnalytics(unused)).values).toEqual([]);
    expect(dailySeries(someAnalytics(unused), false).labels).toEqual([]);
  });

  const noon = (date: string) => new Date(`${date}T12:00:00`);
  const weeks = (count: number) => Array.from({ length: count }, (_, index) => ({ week: index + 1, hours: 1 }));
  const november = someAnalytics({ weekly_usage: weeks(3), daily_usage: { '2026-11-03': 2, '2026-11-17': 1 } });

  it('fills days without use with zeros up to today, on an axis for the whole month', () => {
    const { labels, values, today, usedUp } = dailySeries(november, false, noon('2026-11-20'), 'en-US');
    expect([labels.length, labels[0], labels.at(-1)]).toEqual([30, 'Nov 1', 'Nov 30']);
    expect(values).toEqual([0, 0, 2, ...Array<number>(13).fill(0), 1, 0, 0, 0]);
    expect([today, usedUp]).toEqual([19, null]);
    expect(dailySeries(november, false, noon('2026-11-20'), 'de-DE').labels[0]).toBe('1. Nov.');
  });

  it.each([
    ['2026-11-30', 21],
    ['2026-11-02', 17],
    ['2026-10-31', 17],
    ['2026-12-01', 21],
  ])('keeps today in the week that the asset is in when the viewer reads is %s', (date, last) => {
    expect(dailySeries(november, false, noon(date)).values).toHaveLength(last);
  });

  it('shows every day of a month that has ended, and no today, whatever the clock says', () => {
    const ended = someAnalytics({ month: '2026-02', weekly_usage: weeks(4), daily_usage: { '2026-02-03': 2 } });
    for (const now of ['2026-11-20', '2026-02-28']) {
      expect(dailySeries(ended, true, noon(now))).toMatchObject({ today: null });
      expect(dailySeries(ended, true, noon(now)).values).toHaveLength(28);
    }
  });

  it('has a today in the month that is current for the asset, even after midnight for the viewer', () => {
    const current = someAnalytics({ weekly_usage: weeks(5), daily_usage: { '2026-11-30': 2 } });
    expect(dailySeries(current, false, noon('2026-12-01'))).toMatchObject({ today: 29 });
  });

  it.each([
    ['exactly, before more was used', { '2026-11-02': 9.9, '2026-11-03': 0.1, '2026-11-05': 0.01 }, 10.01, 2],
    ['in the middle of the day', { '2026-11-02': 9, '2026-11-03': 3 }, 12, 2],
    ['exactly, and no more', { '2026-11-02': 9.9, '2026-11-03': 0.1 }, 10, null],
  ])('finds the day on which the allowance was used up %s', (_, daily_usage, total_usage, day) => {
    const month = { ...november, total_allocation: 10, total_usage, daily_usage };
    expect(dailySeries(month, false, noon('2026-11-20')).usedUp).toBe(day);
  });

  it('splits hours at the allowance', () => {
    const hours = { total_allocation: 12, total_usage: 15.7 };
    expect(splitAtAllowance([11.3, 0.8, 3.6], hours)).toEqual({ within: [11.3, 0.7, 0], over: [0, 0.1, 3.6] });
  });

  it('takes what is over from the total, not from the sum of rounded days', () => {
    // Thirty days of 0.663 h are 19.9 h, shown as 0.67 h each.
    const days = Array<number>(30).fill(0.67);
    expect(splitAtAllowance(days, { total_allocation: 20, total_usage: 19.9 })).toEqual({
      within: days,
      over: Array<number>(30).fill(0),
    });
    const over = splitAtAllowance(days, { total_allocation: 19, total_usage: 19.9 }).over.filter((hours) => hours > 0);
    expect(over).toEqual([0.23, 0.67]);
  });

  it('separates used, remaining and excess hours, and is empty without hours', () => {
    expect(utilizationSeries(someAnalytics())).toEqual({ labels: ['Used', 'Remaining'], values: [14.5, 5.5] });
    expect(utilizationSeries(someAnalytics({ total_usage: 28.8, remaining_hours: 0, total_allocation: 12 }))).toEqual({
      labels: ['Used', 'Remaining', 'Over'],
      values: [28.8, 0, 16.8],
    });
    expect(utilizationSeries(someAnalytics({ total_usage: 0, remaining_hours: 0 })).values).toEqual([]);
  });
});

describe('usedSoFar', () => {
  it('adds up days to the total, from which their rounded hours differ', () => {
    expect(usedSoFar({ values: [0.1, 0.2, 0, 0.34] }, 0.63)).toEqual([0.1, 0.3, 0.3, 0.63]);
    expect(usedSoFar({ values: [0.67, 0.67, 0.67, 0] }, 1.99)).toEqual([0.67, 1.34, 1.99, 1.99]);
  });
});

describe('answerText', () => {
  const pace = (projected_hours: number, runs_out_on: string | null = null) => ({ projected_hours, runs_out_on });
  const ofYou = (change: Partial<Analytics>) => ({ analytics: someAnalytics(change), user: 'you' as const });

  it.each([
    ['when the hours run out', { pace: pace(31.07, '2026-11-20') }, "You're on pace to use all 20 h by November 20."],
    ['what the pace leads to', { pace: pace(19) }, "At this pace you'll use 19 h by November 30."],
    ['that all is used', { pace: pace(31), total_usage: 20, remaining_hours: 0 }, "You've used all 20 h."],
    [
      'how much is over',
      { pace: pace(41.6), total_usage: 28.8, remaining_hours: 0 },
      "You're 8.8 h over your allowance.",
    ],
    ['what is used before there is a pace', {}, '14.5 of 20 h used'],
    ['that nothing is used', { total_usage: 0, pace: pace(0) }, 'No usage yet this month'],
  ])('says %s', (_, change, text) => {
    expect(answerText(ofYou(change), false)).toBe(text);
  });

  it('names the member, or all members, to the owner', () => {
    const ofMembers = (change: Partial<Analytics>) => ({ analytics: someAnalytics(change), user: 'members' as const });
    const ofBen = (change: Partial<Analytics>) => {
      const ben = { ...someAnalytics(change), username: 'ben' };
      return { analytics: ben, user: ben };
    };
    const over = { pace: pace(31.07), total_usage: 28.8, remaining_hours: 0 };
    expect(answerText(ofBen({ pace: pace(31.07, '2026-11-20') }), false)).toBe(
      'ben is on pace to use all 20 h by November 20.',
    );
    expect(answerText(ofBen(over), false)).toBe('ben has used all 20 h.');
    expect(answerText(ofMembers(over), false)).toBe('Members have used all 20 h.');
    expect(answerText(ofMembers({ pace: pace(19) }), false)).toBe('At this pace members will use 19 h by November 30.');
  });

  it("tells the pace of an owner's only member, of their own hours", () => {
    const total = someAnalytics({ total_allocation: 30, total_usage: 24.5, pace: pace(31.07, '2026-11-20') });
    const ben = (change: Partial<Analytics>) => ({ ...someAnalytics(change), username: 'ben' });
    expect(answerText({ analytics: total, user: ben({ pace: pace(31.07, '2026-11-20') }) }, false)).toBe(
      'ben is on pace to use all 20 h by November 20.',
    );
    const alone = ben({ total_usage: 0, remaining_hours: 20, pace: pace(0) });
    expect(answerText({ analytics: total, user: alone }, false)).toBe('24.5 of 30 h used');
    expect(answerText({ analytics: total, user: alone }, true)).toBe('24.5 of 30 h used');
  });

  it('says what was used in a month that has ended', () => {
    expect(answerText(ofYou({ total_usage: 28.8, remaining_hours: 0 }), true)).toBe('28.8 of 20 h used');
    expect(answerText(ofYou({ total_usage: 0 }), true)).toBe('No usage that month');
  });
});

it("everyone's running sessions are the members' and the owner's own", () => {
  const entries = [
    { ...anEntry(1, 'ana', 20), active_since: '2026-11-20T10:00:00Z' },
    { ...anEntry(2, 'ben', 20), active_since: '2026-11-20T11:00:00Z' },
    anEntry(3, 'chen', 20),
  ];
  const own = '2026-11-20T12:00:00Z';
  expect(startsOf(entries, own, undefined)).toEqual(['2026-11-20T10:00:00Z', '2026-11-20T11:00:00Z', own]);
  expect(startsOf(entries, own, 'ben')).toEqual(['2026-11-20T11:00:00Z']);
});
