import type { Plugin } from 'chart.js';
import { formatHours } from '../lib/formatting.ts';
import { t } from '../lib/messages.ts';
import type { DrawnChart, ReadColor } from './chart.tsx';

// oxlint-disable-next-line hourshare/text-in-catalog -- the name of a font
export const chartFont = { family: "'Geist Variable', system-ui, sans-serif", size: 12.5 };
// oxlint-disable-next-line hourshare/text-in-catalog -- the same as CSS
const canvasFont = (weight: number) => `${weight} ${chartFont.size}px ${chartFont.family}`;

type Options = NonNullable<DrawnChart['options']>;

/** Whether the document is read from right to left. A canvas doesn't know. */
export const isMirrored = (): boolean => document.documentElement.dir === 'rtl';

/** Returns the options all charts share: no legend, little or no motion, and a tooltip in page colors, with hours. */
export function baseOptions(color: ReadColor): Options {
  // Printing would capture the first frame of an animation.
  const calmMotion = window.matchMedia('print, (prefers-reduced-motion: reduce)').matches;
  const mirrored = isMirrored();
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
        rtl: mirrored,
        textDirection: mirrored ? 'rtl' : 'ltr',
        callbacks: {
          label: ({ dataset, label, raw }) =>
            t('{name} {hours}', { name: dataset.label ?? label, hours: formatHours(Number(raw)) }),
        },
      },
    },
  };
}

/** Space above a chart for what is written over it. */
const LABEL_ROOM = 22;

/** Returns the layout and the axes, in hours from zero, of bar and line charts. */
export function axes(color: ReadColor) {
  const mirrored = isMirrored();
  return {
    layout: { padding: { top: LABEL_ROOM } },
    scales: {
      x: {
        reverse: mirrored,
        grid: { display: false },
        border: { color: color('--line-field') },
        // Skips labels that don't fit instead of tilting all of them.
        ticks: { color: color('--muted'), font: chartFont, maxRotation: 0, autoSkipPadding: 12 },
      },
      y: {
        position: mirrored ? 'right' : 'left',
        beginAtZero: true,
        grid: { color: color('--line') },
        border: { display: false },
        ticks: {
          color: color('--muted'),
          font: chartFont,
          maxTicksLimit: 6,
          callback: (value: number | string) => formatHours(Number(value)),
        },
      },
    },
  } satisfies Pick<Options, 'layout' | 'scales'>;
}

interface Label {
  text: string;
  color: string;
  weight?: number;
}

/** Writes above each bar, or stack of bars. */
export const barLabels = (labels: Label[]): Plugin => ({
  id: 'barLabels',
  afterDatasetsDraw(chart) {
    const { ctx } = chart;
    const bars = chart.getSortedVisibleDatasetMetas().map(({ data }) => data);
    ctx.save();
    ctx.textAlign = 'center';
    labels.forEach(({ text, color, weight = 600 }, index) => {
      const stack = bars.flatMap((data) => data[index] ?? []);
      const [bar] = stack;
      if (!bar) return;
      ctx.font = canvasFont(weight);
      ctx.fillStyle = color;
      ctx.fillText(text, bar.x, Math.min(...stack.map(({ y }) => y)) - 7);
    });
    ctx.restore();
  },
});

interface DayMark extends Label {
  /** The position of the day on the axis. */
  index: number;
  dashed: boolean;
}

/** Marks days with a line from the top to the axis, with its label beside it where there is room. */
export const dayMarks = (marks: DayMark[]): Plugin => ({
  id: 'dayMarks',
  afterDatasetsDraw(chart) {
    const { ctx, chartArea, scales } = chart;
    for (const { index, text, color, dashed, weight = 400 } of marks) {
      const x = scales['x']?.getPixelForValue(index) ?? 0;
      ctx.save();
      ctx.strokeStyle = color;
      ctx.lineWidth = dashed ? 1 : 1.5;
      if (dashed) ctx.setLineDash([2, 3]);
      ctx.beginPath();
      ctx.moveTo(x, chartArea.top - (dashed ? 0 : 6));
      ctx.lineTo(x, chartArea.bottom);
      ctx.stroke();
      ctx.font = canvasFont(weight);
      ctx.fillStyle = color;
      // After the line, as the document is read, or before it where there is no room.
      const forward = isMirrored() ? -1 : 1;
      const end = forward === 1 ? chartArea.right : chartArea.left;
      const side = Math.abs(end - x) > ctx.measureText(text).width + 6 ? forward : -forward;
      ctx.textAlign = side === 1 ? 'left' : 'right';
      ctx.fillText(text, x + 6 * side, chartArea.top + (dashed ? 12 : -8));
      ctx.restore();
    }
  },
});

interface RingText {
  figure: string;
  detail: string;
  color: string;
  detailColor: string;
}

/** Writes into the middle of a doughnut. */
export const ringText = ({ figure, detail, color, detailColor }: RingText): Plugin => ({
  id: 'ringText',
  afterDatasetsDraw(chart) {
    const [arc] = chart.getDatasetMeta(0).data;
    if (!arc) return;
    const { ctx } = chart;
    ctx.save();
    ctx.textAlign = 'center';
    ctx.font = canvasFont(700).replace(`${chartFont.size}px`, '28px');
    ctx.fillStyle = color;
    ctx.fillText(figure, arc.x, arc.y + 4);
    ctx.font = canvasFont(500);
    ctx.fillStyle = detailColor;
    ctx.fillText(detail, arc.x, arc.y + 24);
    ctx.restore();
  },
});
