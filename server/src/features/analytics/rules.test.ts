import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { summarize, countStartedWeeks, type MonthOfUse } from './rules.ts';

const march: MonthOfUse = {
  month: '2026-03',
  summedHours: 20 * 31,
  reservedHours: 0,
  ownSeconds: 0,
  billedSeconds: null,
  today: '2026-03-10',
  sessionCount: 2,
  active: false,
  secondsByDay: { '2026-03-01': 3600, '2026-03-08': 7200 },
  meteredByDay: { '2026-03-08': 1800 },
  running: null,
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
      metered_usage: { '2026-03-08': 0.5 },
      pace: null,
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

  it('exceed 100% of the allowance and leave no remaining hours', () => {
    expect(summarize({ ...march, secondsByDay: { '2026-03-02': 22.4 * 3600 } })).toMatchObject({
      total_usage: 22.4,
      remaining_hours: 0,
      utilization_percentage: 112,
    });
  });

  it('are rounded once: hours that are left are no whole seconds', () => {
    // 5 h on one day of 31 are 580.645 s. Of them, 17.645 s are left, less than half of a hundredth of an hour.
    expect(summarize({ ...march, summedHours: 5, secondsByDay: { '2026-03-01': 563 } })).toMatchObject({
      remaining_hours: 0,
    });
  });

  it('are rounded to the nearest value, not down', () => {
    // 1,000 s in 3 sessions: 5.556 min each. 3,599 of 72,000 s: 4.9986%.
    expect(summarize({ ...march, sessionCount: 3, secondsByDay: { '2026-03-01': 1000 } })).toMatchObject({
      avg_session_duration_minutes: 5.6,
      total_usage: 0.28,
    });
    expect(summarize({ ...march, sessionCount: 1, secondsByDay: { '2026-03-01': 3599 } })).toMatchObject({
      avg_session_duration_minutes: 60,
      utilization_percentage: 5,
      total_usage: 1,
      remaining_hours: 19,
      weekly_usage: [{ week: 1, hours: 1 }, expect.anything()],
      daily_usage: { '2026-03-01': 1 },
    });
  });

  it('are rounded only once, so days, weeks, and the total differ only by rounding', () => {
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

describe('the pace of a month', () => {
  const DAY = 86_400;
  const days = (count: number) => Array.from({ length: count }, (_, day) => day * DAY);
  const paceAfter = (passedSeconds: number, usedHours: number, allocationHours = 20) =>
    summarize({
      ...march,
      summedHours: allocationHours * 31,
      secondsByDay: { '2026-03-01': usedHours * 3600 },
      running: { passedSeconds, monthSeconds: 31 * DAY, dayStarts: days(31) },
    }).pace;

  it('is shown once three days have passed', () => {
    expect(paceAfter(3 * DAY - 1, 1)).toBeNull();
    // 3 h in 3 of 31 days.
    expect(paceAfter(3 * DAY, 3, 40)).toEqual({ projected_hours: 31, runs_out_on: null });
  });

  it('leaves out the owner, whose hours are not an allowance', () => {
    const running = { passedSeconds: 10 * DAY, monthSeconds: 31 * DAY, dayStarts: days(31) };
    const { pace } = summarize({ ...march, running, ownSeconds: 7200 });
    expect(pace).toEqual({ projected_hours: 3.1, runs_out_on: null });
  });

  it('has the day on which the allowance runs out, if that is in the month', () => {
    // At 1 h a day, 20 h run out with the end of the 20th day, 20.5 h on the 21st, and 31 h with the month.
    expect(paceAfter(10 * DAY, 10, 20)?.runs_out_on).toBe('2026-03-20');
    expect(paceAfter(10 * DAY, 10.25, 21)?.runs_out_on).toBe('2026-03-21');
    expect(paceAfter(10 * DAY, 10, 30)?.runs_out_on).toBe('2026-03-30');
    expect(paceAfter(10 * DAY, 10, 31)?.runs_out_on).toBeNull();
    expect(paceAfter(10 * DAY, 25, 20)?.runs_out_on).toBe('2026-03-08');
  });

  it('uses the actual length of days with a clock change', () => {
    const dayStarts = days(31).map((start, day) => (day > 7 ? start - 3600 : start));
    const running = { passedSeconds: 10 * DAY - 3600, monthSeconds: 31 * DAY - 3600, dayStarts };
    // At 1 h of use per 24 h, the allowance of 20 h runs out after 480 h, which is on the 21st day because of the clock
    // change.
    const use = { ...march, secondsByDay: { '2026-03-01': (10 * 24 - 1) * 150 }, running };
    expect(summarize(use).pace).toEqual({ projected_hours: 30.96, runs_out_on: '2026-03-21' });
  });

  it('is zero without use and missing for any other month', () => {
    expect(paceAfter(10 * DAY, 0)).toEqual({ projected_hours: 0, runs_out_on: null });
    expect(summarize(march).pace).toBeNull();
  });
});

describe('the weeks of a month', () => {
  it('are listed once they have begun', () => {
    expect(countStartedWeeks('2026-03', '2026-03-01')).toBe(1);
    expect(countStartedWeeks('2026-03', '2026-03-07')).toBe(1);
    expect(countStartedWeeks('2026-03', '2026-03-08')).toBe(2);
    expect(countStartedWeeks('2026-03', '2026-03-29')).toBe(5);
  });

  it('are complete for a past month: four in a February of 28 days', () => {
    expect(countStartedWeeks('2026-01', '2026-03-01')).toBe(5);
    expect(countStartedWeeks('2026-02', '2026-03-01')).toBe(4);
    expect(countStartedWeeks('2024-02', '2026-03-01')).toBe(5);
  });

  it('are none for a future month', () => {
    expect(countStartedWeeks('2026-04', '2026-03-31')).toBe(0);
  });
});
