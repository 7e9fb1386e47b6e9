// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest';
import { someAnalytics } from '../../testing/records.ts';
import { dailyChart, paceChart, utilizationChart, weeklyChart } from './chart-configs.ts';

const color = (token: string) => token;
const series = { labels: ['a', 'b'], values: [1, 0] };

describe('chart configurations', () => {
  it('draw utilization as a doughnut with a legend at the bottom', () => {
    const { type, data, options } = utilizationChart(series, someAnalytics())(color);
    expect([type, data.labels]).toEqual(['doughnut', ['a', 'b']]);
    expect(options?.plugins?.legend).toMatchObject({ display: true, position: 'bottom' });
  });

  it('draw weekly hours as bars without a legend', () => {
    const { type, data, options } = weeklyChart(
      { ...series, metered: [], days: ['1–7', '8–14'] },
      someAnalytics(),
    )(color);
    expect([type, data.datasets[0]?.label, data.labels?.[1]]).toEqual(['bar', 'Hours Used', ['b', '8–14']]);
    expect(options?.plugins?.legend?.display).toBe(false);
  });

  it('draw daily hours as a filled, smooth line from zero that never dips below it, without a legend', () => {
    const { type, data, options } = dailyChart({ ...series, metered: [], today: 1, usedUp: null }, 20)(color);
    expect(type).toBe('line');
    expect(data.datasets[0]).toMatchObject({ label: 'Daily Hours', fill: true, tension: 0.4, capBezierPoints: true });
    expect(options?.scales?.['y']).toMatchObject({ beginAtZero: true });
    expect(options?.plugins?.legend?.display).toBe(false);
  });

  it('hatch what meters recorded, and say so', () => {
    const weeks = { labels: ['a', 'b'], values: [10, 5], metered: [4, 5], days: ['1–7', '8–14'] };
    const weekly = weeklyChart(weeks, { total_allocation: 12, total_usage: 15 }, 1)(color);
    expect(weekly.data.datasets.map(({ label, data }) => [label, data])).toEqual([
      ['Hours Used', [6, 0]],
      ['By meters', [4, 2]],
      ['Over', [0, 3]],
    ]);
    expect(weekly.options?.plugins?.legend).toMatchObject({ display: true });
    const daily = dailyChart({ ...weeks, today: 1, usedUp: null }, 20)(color);
    expect(daily.data.datasets.map(({ label, data }) => [label, data])).toEqual([
      ['Daily Hours', [10, 5]],
      ['By meters', [4, 5]],
    ]);
    expect(daily.options?.plugins?.legend).toMatchObject({ display: true });
  });

  it('show what is over the allowance apart', () => {
    const analytics = someAnalytics({ total_usage: 28.8, remaining_hours: 0, total_allocation: 12 });
    const utilization = { labels: ['Used', 'Remaining', 'Over'], values: [28.8, 0, 16.8] };
    expect(utilizationChart(utilization, analytics)(color).data.datasets[0]?.data).toEqual([12, 0, 16.8]);
    const weeks = { labels: ['a', 'b'], values: [10, 5], metered: [], days: ['1–7', '8–14'] };
    expect(
      weeklyChart(weeks, { total_allocation: 12, total_usage: 15 })(color).data.datasets.map(({ label, data }) => [
        label,
        data,
      ]),
    ).toEqual([
      ['Hours Used', [10, 2]],
      ['Over', [0, 3]],
    ]);
  });

  it("mark the allowance when it is exceeded, else the running session's part", () => {
    const marks = (analytics: object, running?: number) =>
      utilizationChart(
        { labels: ['a', 'b'], values: [14.5, 5.5] },
        someAnalytics(analytics),
        running,
      )(color).plugins?.map(({ id }) => id);
    expect(marks({ total_usage: 28.8 }, 1.4)).toEqual(['ringNotch', 'ringText']);
    expect(marks({}, 1.4)).toEqual(['ringRunning', 'ringText']);
    expect(marks({})).toEqual(['ringText']);
  });

  it('draw use as steps, with where it leads, the allowance and even use', () => {
    const days = { labels: ['a', 'b', 'c', 'd'], values: [2, 3], metered: [], today: 1, usedUp: null };
    const drawn = (pace: { projected_hours: number; runs_out_on: null } | null, running?: number) =>
      paceChart(days, { pace, total_allocation: 8, total_usage: 5 }, running)(color).data.datasets;
    expect(drawn({ projected_hours: 9, runs_out_on: null }).map(({ data }) => data)).toEqual([
      [2, 5],
      [null, 5, null, 9],
      [8, null, null, 8],
      [2, null, null, 8],
    ]);
    expect(drawn(null)).toHaveLength(3);
    expect(drawn(null)[0]).toMatchObject({ stepped: true, pointBackgroundColor: '--accent' });
    expect(drawn(null, 0.5)[0]).toMatchObject({ pointBackgroundColor: '--live' });
  });

  it('show hours on the axis', () => {
    const ticks = dailyChart({ ...series, metered: [], today: 1, usedUp: null }, 20)(color).options?.scales?.['y']
      ?.ticks;
    expect(ticks?.callback?.call({} as never, 2.5, 0, [])).toBe('2.5 h');
    // 0.2 and 0.3 are steps of their own.
    expect(ticks?.callback?.call({} as never, 0.25, 0, [])).toBe('0.25 h');
    // After a first session of a minute, finer steps would read 0 h, 0 h, 0.01 h, 0.01 h.
    expect(ticks).toMatchObject({ precision: 2 });
  });

  it('run from right to left where the document does', () => {
    document.documentElement.dir = 'rtl';
    const { options } = dailyChart({ ...series, metered: [], today: 1, usedUp: null }, 20)(color);
    document.documentElement.dir = '';
    expect(options?.scales?.['x']).toMatchObject({ reverse: true });
    expect(options?.scales?.['y']).toMatchObject({ position: 'right' });
    expect(options?.plugins?.tooltip).toMatchObject({ rtl: true });
  });
});
