import { t } from '../../lib/messages.ts';
import type { DrawnChart, ReadColor } from '../../ui/chart.tsx';
import { axes, baseOptions, chartFont } from '../../ui/chart-style.ts';
import type { Series } from './rules.ts';

export const utilizationChart =
  (series: Series) =>
  (color: ReadColor): DrawnChart => {
    const options = baseOptions(color);
    return {
      type: 'doughnut',
      data: {
        labels: series.labels,
        datasets: [
          {
            data: series.values,
            backgroundColor: [color('--accent'), color('--calm')],
            borderColor: color('--surface'),
            // With a border, an empty segment would look like a cut through the other one.
            borderWidth: series.values.includes(0) ? 0 : 2,
          },
        ],
      },
      options: {
        ...options,
        // Matches the Ring component.
        cutout: '74%',
        plugins: {
          ...options.plugins,
          legend: {
            display: true,
            position: 'bottom',
            labels: {
              color: color('--ink'),
              font: chartFont,
              boxWidth: 11,
              boxHeight: 11,
              useBorderRadius: true,
              borderRadius: 3,
            },
          },
        },
      },
    };
  };

export const weeklyChart =
  (series: Series) =>
  (color: ReadColor): DrawnChart => ({
    type: 'bar',
    data: {
      labels: series.labels,
      datasets: [
        {
          label: t('Hours Used'),
          data: series.values,
          backgroundColor: color('--accent'),
          borderRadius: 3,
          maxBarThickness: 44,
        },
      ],
    },
    options: { ...baseOptions(color), scales: axes(color) },
  });

export const dailyChart =
  (series: Series) =>
  (color: ReadColor): DrawnChart => ({
    type: 'line',
    data: {
      labels: series.labels,
      datasets: [
        {
          label: t('Daily Hours'),
          data: series.values,
          fill: true,
          tension: 0.4,
          borderColor: color('--accent'),
          backgroundColor: color('--accent-soft'),
          pointBackgroundColor: color('--accent'),
          pointRadius: 3,
          borderWidth: 2,
        },
      ],
    },
    options: { ...baseOptions(color), scales: axes(color) },
  });
