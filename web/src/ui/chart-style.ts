import type { DrawnChart, ReadColor } from './chart.tsx';

// oxlint-disable-next-line hourshare/text-in-catalog -- the name of a font
export const chartFont = { family: "'Geist Variable', system-ui, sans-serif", size: 12.5 };

type Options = NonNullable<DrawnChart['options']>;

/** Returns the options all charts share: no legend, little or no motion, and a tooltip in page colors. */
export function baseOptions(color: ReadColor): Options {
  // Printing would capture the first frame of an animation.
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

/** Returns the axes of bar and line charts. */
export function axes(color: ReadColor): NonNullable<Options['scales']> {
  return {
    x: {
      grid: { display: false },
      border: { color: color('--line') },
      // Skips labels that don't fit instead of tilting all of them.
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
