import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { summarize, weeksBegun, type MonthOfUse } from './rules.ts';

const march: MonthOfUse = {
  month: '2026-03',
  allocationHours: 20,
  today: '2026-03-10',
  sessionCount: 2,
  active: false,
  secondsByDay: { '2026-03-01': 3600, '2026-03-08': 7200 },
};

describe('the figures of a month', () => {
  it('are those of the worked example', () => {
    expect(summarize(march)).toEqual({
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
    });
  });

  it('are zero for a month without use', () => {
    expect(summarize({ ...march, sessionCount: 0, secondsByDay: {} })).toMatchObject({
      total_usage: 0,
      remaining_hours: 20,
      utilization_percentage: 0,
      avg_session_duration_minutes: 0,
      daily_usage: {},
    });
  });

  it('go past 100 % of the allocation, and nothing remains', () => {
    expect(summarize({ ...march, secondsByDay: { '2026-03-02': 22.4 * 3600 } })).toMatchObject({
      total_usage: 22.4,
      remaining_hours: 0,
      utilization_percentage: 112,
    });
  });

  it('round only once: days, weeks and the total differ by rounding alone', () => {
    const days = fc.dictionary(
      fc.integer({ min: 1, max: 31 }).map((day) => `2026-03-${String(day).padStart(2, '0')}`),
      fc.integer({ min: 1, max: 86_400 }),
    );
    fc.assert(
      fc.property(days, (secondsByDay) => {
        const figures = summarize({ ...march, today: '2026-04-01', secondsByDay });
        const seconds = Object.values(secondsByDay).reduce((sum, each) => sum + each, 0);
        expect(Math.abs(figures.total_usage - seconds / 3600)).toBeLessThanOrEqual(0.005 + 1e-9);
        const weeks = figures.weekly_usage.reduce((sum, week) => sum + week.hours, 0);
        expect(Math.abs(weeks - seconds / 3600)).toBeLessThanOrEqual(5 * 0.005 + 1e-9);
        expect(Object.keys(figures.daily_usage)).toHaveLength(Object.keys(secondsByDay).length);
      }),
    );
  });
});

describe('the weeks of a month', () => {
  it('are listed once they have begun', () => {
    expect(weeksBegun('2026-03', '2026-03-01')).toBe(1);
    expect(weeksBegun('2026-03', '2026-03-07')).toBe(1);
    expect(weeksBegun('2026-03', '2026-03-08')).toBe(2);
    expect(weeksBegun('2026-03', '2026-03-29')).toBe(5);
  });

  it('are all there for a month that has passed, four in a February of 28 days', () => {
    expect(weeksBegun('2026-01', '2026-03-01')).toBe(5);
    expect(weeksBegun('2026-02', '2026-03-01')).toBe(4);
    expect(weeksBegun('2024-02', '2026-03-01')).toBe(5);
  });

  it('are none for a month that is still to come', () => {
    expect(weeksBegun('2026-04', '2026-03-31')).toBe(0);
  });
});
