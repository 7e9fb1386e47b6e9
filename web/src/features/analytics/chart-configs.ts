import type { DrawnChart, ReadColor } from '../../ui/chart.tsx';
import type { Series } from './rules.ts';

const font = { family: "'Geist Variable', system-ui, sans-serif", size: 12.5 };

type Options = NonNullable<DrawnChart['options']>;

function base(color: ReadColor): Options {
  const calmMotion = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
  return {
    responsive: true,
    maintainAspectRatio: false,
    ...(calmMotion ? { animation: false } : { animation: { duration: 200 } }),
    plugins: {
      legend: { display: false },
      tooltip: {
        backgroundColor: color('--ink'),
        titleColor: color('--surface'),
        bodyColor: color('--surface'),
        titleFont: font,
        bodyFont: font,
        cornerRadius: 8,
        padding: 10,
        displayColors: false,
      },
    },
  };
}

function axes(color: ReadColor): NonNullable<Options['scales']> {
  return {
    x: {
      grid: { display: false },
      border: { color: color('--line') },
      // Where not all labels fit, some are left out rather than all tilted.
      ticks: { color: color('--muted'), font, maxRotation: 0, autoSkipPadding: 12 },
    },
    y: {
      beginAtZero: true,
      grid: { color: color('--line') },
      border: { display: false },
      ticks: { color: color('--muted'), font, maxTicksLimit: 6 },
    },
  };
}

export const utilizationChart =
  (series: Series) =>
  (color: ReadColor): DrawnChart => {
    const options = base(color);
    return {
      type: 'doughnut',
      data: {
        labels: series.labels,
        datasets: [
          {
            data: series.values,
            backgroundColor: [color('--accent'), color('--calm')],
            borderColor: color('--surface'),
            // A part of nothing would show as a cut through the other one.
            borderWidth: series.values.includes(0) ? 0 : 2,
          },
        ],
      },
      options: {
        ...options,
        // The cut-out is the ring of the rest of the product.
        cutout: '74%',
        plugins: {
          ...options.plugins,
          legend: {
            display: true,
            position: 'bottom',
            labels: {
              color: color('--ink'),
              font,
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
          label: 'Hours Used',
          data: series.values,
          backgroundColor: color('--accent'),
          borderRadius: 3,
          maxBarThickness: 44,
        },
      ],
    },
    options: { ...base(color), scales: axes(color) },
  });

export const dailyChart =
  (series: Series) =>
  (color: ReadColor): DrawnChart => ({
    type: 'line',
    data: {
      labels: series.labels,
      datasets: [
        {
          label: 'Daily Hours',
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
    options: { ...base(color), scales: axes(color) },
  });
