import { describe, expect, it } from 'vitest';
import { someAnalytics } from '../../testing/records.ts';
import { dailySeries, paceText, utilizationSeries, weeklySeries } from './rules.ts';

describe('chart data', () => {
  it('labels weeks in response order, including weeks without use', () => {
    const weekly_usage = [
      { week: 1, hours: 2.5 },
      { week: 2, hours: 0 },
    ];
    expect(weeklySeries({ weekly_usage })).toEqual({ labels: ['Week 1', 'Week 2'], values: [2.5, 0] });
  });

  it('sorts days and labels them independently of the local time zone', () => {
    const daily_usage = { '2026-11-20': 1, '2026-11-03': 2, '2026-11-10': 3 };
    expect(dailySeries({ daily_usage }, 'en-US')).toEqual({
      labels: ['Nov 3', 'Nov 10', 'Nov 20'],
      values: [2, 3, 1],
    });
    expect(dailySeries({ daily_usage }, 'de-DE').labels[0]).toBe('3. Nov.');
  });

  it('separates used from remaining hours, and is null without hours', () => {
    expect(utilizationSeries({ total_usage: 14.5, remaining_hours: 5.5 })).toEqual({
      labels: ['Used', 'Remaining'],
      values: [14.5, 5.5],
    });
    expect(utilizationSeries({ total_usage: 0, remaining_hours: 0 })).toBeNull();
  });
});

describe('paceText', () => {
  const text = (projected_hours: number, runs_out_on: string | null, remaining_hours = 5.5) =>
    paceText(someAnalytics({ pace: { projected_hours, runs_out_on }, remaining_hours }), 'you');

  it('projects the use of the month and when the hours run out', () => {
    expect(text(19, null)).toBe("At this pace you'll use 19 h by November 30.");
    expect(text(31.07, '2026-11-20')).toBe(
      "At this pace you'll use 31.07 h by November 30. Your 20 h run out on November 20.",
    );
    expect(text(20.66, '2026-11-30')).toBe(
      "At this pace you'll use 20.66 h by November 30. Your 20 h run out that day.",
    );
    expect(text(31.07, '2026-11-20', 0)).toBe("You've used all 20 h. At this pace you'll use 31.07 h by November 30.");
  });

  it('names the member, or all members, to the owner', () => {
    const analytics = someAnalytics({ pace: { projected_hours: 31.07, runs_out_on: '2026-11-20' } });
    expect(paceText(analytics, { username: 'ben' })).toBe(
      'At this pace ben will use 31.07 h by November 30. Their 20 h run out on November 20.',
    );
    expect(paceText({ ...analytics, remaining_hours: 0 }, 'members')).toBe(
      'Members have used all 20 h. At this pace members will use 31.07 h by November 30.',
    );
  });

  it('is empty without a projection and without use', () => {
    expect(paceText(someAnalytics(), 'you')).toBe('');
    const unused = someAnalytics({ total_usage: 0, pace: { projected_hours: 0, runs_out_on: null } });
    expect(paceText(unused, 'you')).toBe('');
  });
});
