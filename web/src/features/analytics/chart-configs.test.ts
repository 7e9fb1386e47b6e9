import { describe, expect, it } from 'vitest';
import { dailyChart, utilizationChart, weeklyChart } from './chart-configs.ts';

const color = (token: string) => token;
const series = { labels: ['a', 'b'], values: [1, 2] };

describe('chart configurations', () => {
  it('draw utilization as a doughnut with a legend at the bottom', () => {
    const { type, data, options } = utilizationChart(series)(color);
    expect([type, data.labels]).toEqual(['doughnut', ['a', 'b']]);
    expect(options?.plugins?.legend).toMatchObject({ display: true, position: 'bottom' });
  });

  it('draw weekly hours as bars without a legend', () => {
    const { type, data, options } = weeklyChart(series)(color);
    expect([type, data.datasets[0]?.label]).toEqual(['bar', 'Hours Used']);
    expect(options?.plugins?.legend?.display).toBe(false);
  });

  it('draw daily hours as a filled, smooth line starting at zero, without a legend', () => {
    const { type, data, options } = dailyChart(series)(color);
    expect(type).toBe('line');
    expect(data.datasets[0]).toMatchObject({ label: 'Daily Hours', fill: true, tension: 0.4 });
    expect(options?.scales?.['y']).toMatchObject({ beginAtZero: true });
    expect(options?.plugins?.legend?.display).toBe(false);
  });
});
