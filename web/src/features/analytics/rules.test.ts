import { describe, expect, it } from 'vitest';
import { dailySeries, utilizationSeries, weeklySeries } from './rules.ts';

describe('chart data', () => {
  it('names weeks in the order of the answer, those without use included', () => {
    const weekly_usage = [
      { week: 1, hours: 2.5 },
      { week: 2, hours: 0 },
    ];
    expect(weeklySeries({ weekly_usage })).toEqual({ labels: ['Week 1', 'Week 2'], values: [2.5, 0] });
  });

  it('sorts days ascending and names the same day in every time zone', () => {
    const daily_usage = { '2026-11-20': 1, '2026-11-03': 2, '2026-11-10': 3 };
    expect(dailySeries({ daily_usage }, 'en-US')).toEqual({
      labels: ['Nov 3', 'Nov 10', 'Nov 20'],
      values: [2, 3, 1],
    });
    expect(dailySeries({ daily_usage }, 'de-DE').labels[0]).toBe('3. Nov.');
  });

  it('divides used from remaining, and is nothing where there is nothing to divide', () => {
    expect(utilizationSeries({ total_usage: 14.5, remaining_hours: 5.5 })).toEqual({
      labels: ['Used', 'Remaining'],
      values: [14.5, 5.5],
    });
    expect(utilizationSeries({ total_usage: 0, remaining_hours: 0 })).toBeNull();
  });
});
