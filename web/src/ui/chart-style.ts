import type { DrawnChart, ReadColor } from './chart.tsx';

export const chartFont = { family: "'Geist Variable', system-ui, sans-serif", size: 12.5 };

type Options = NonNullable<DrawnChart['options']>;

/** What all charts have in common: no legend, short motion or none, a note in the colours of the page. */
export function baseOptions(color: ReadColor): Options {
  // Paper would get the first moment of a motion.
  const calmMotion = window.matchMedia('print, (prefers-reduced-motion: reduce)').matches;
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
        titleFont: chartFont,
        bodyFont: chartFont,
        cornerRadius: 8,
        padding: 10,
        displayColors: false,
      },
    },
  };
}

/** Bars and lines stand on zero. */
export function axes(color: ReadColor): NonNullable<Options['scales']> {
  return {
    x: {
      grid: { display: false },
      border: { color: color('--line') },
      // Where not all labels fit, some are left out rather than all tilted.
      ticks: { color: color('--muted'), font: chartFont, maxRotation: 0, autoSkipPadding: 12 },
    },
    y: {
      beginAtZero: true,
      grid: { color: color('--line') },
      border: { display: false },
      ticks: { color: color('--muted'), font: chartFont, maxTicksLimit: 6 },
    },
  };
}
