import { ArcElement, type Chart, type Plugin } from 'chart.js';
import { exactHours, formatHours } from '../platform/format/numbers.ts';
import { t } from '../platform/i18n/messages.ts';
import type { DrawnChart, ReadColor } from './chart.tsx';

/** The charts that `Chart` draws. TypeScript doesn't always accept a plugin of any chart for them. */
type Drawn = 'doughnut' | 'bar' | 'line';
type DrawnPlugin = Plugin<Drawn>;

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
          // No finer than hours are written, so that no two steps read the same.
          precision: 2,
          callback: (value: number | string) => exactHours(Number(value)),
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

/** Writes above each bar, or stack of bars, over any line there. */
export const barLabels = (labels: Label[], surface: string): DrawnPlugin => ({
  id: 'barLabels',
  afterDatasetsDraw(chart) {
    const { ctx } = chart;
    const bars = chart.getSortedVisibleDatasetMetas().map(({ data }) => data);
    ctx.save();
    ctx.textAlign = 'center';
    ctx.strokeStyle = surface;
    ctx.lineWidth = 5;
    ctx.lineJoin = 'round';
    labels.forEach(({ text, color, weight = 600 }, index) => {
      const stack = bars.flatMap((data) => data[index] ?? []);
      const [bar] = stack;
      if (!bar) return;
      ctx.font = canvasFont(weight);
      const top = Math.min(...stack.map(({ y }) => y)) - 7;
      ctx.strokeText(text, bar.x, top);
      ctx.fillStyle = color;
      ctx.fillText(text, bar.x, top);
    });
    ctx.restore();
  },
});

interface BarLimits {
  /** The limit of each bar; 0 for none. */
  limits: number[];
  /** Names the last one. */
  text: string;
  color: string;
}

/** Draws a dashed line at the limits of bars, with a step where one changes. */
export const barLimits = ({ limits, text, color }: BarLimits): DrawnPlugin => ({
  id: 'barLimits',
  afterDatasetsDraw(chart) {
    const { ctx, chartArea, scales } = chart;
    const { x, y } = scales;
    if (!x || !y) return;
    const half = (chartArea.width / limits.length / 2) * (isMirrored() ? -1 : 1);
    ctx.save();
    ctx.strokeStyle = color;
    ctx.lineWidth = 1.5;
    ctx.setLineDash([4, 3]);
    ctx.beginPath();
    limits.forEach((limit, index) => {
      if (limit === 0) return;
      const [middle, height] = [x.getPixelForValue(index), y.getPixelForValue(limit)];
      if (limits[index - 1]) ctx.lineTo(middle - half, height);
      else ctx.moveTo(middle - half, height);
      ctx.lineTo(middle + half, height);
    });
    ctx.stroke();
    const height = y.getPixelForValue(limits.at(-1) ?? 0);
    const tops = chart.getSortedVisibleDatasetMetas().flatMap(({ data }) => data.at(-1)?.y ?? []);
    const top = Math.min(...tops);
    // Above the label of the bar where they would meet.
    const isNear = Math.abs(top - height) < 2 * LABEL_ROOM;
    const above = isNear ? Math.min(top - LABEL_ROOM, height) : height;
    ctx.font = canvasFont(400);
    ctx.fillStyle = color;
    ctx.textAlign = isMirrored() ? 'left' : 'right';
    ctx.fillText(text, isMirrored() ? chartArea.left : chartArea.right, above - 6);
    ctx.restore();
  },
});

interface DayMark extends Label {
  /** The position of the day on the axis. */
  index: number;
  dashed: boolean;
}

/** Marks days with a line from the top to the axis, with its label beside it where there is room. */
export const dayMarks = (marks: DayMark[]): DrawnPlugin => ({
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

interface PointLabel extends Label {
  /** The position on the axis. */
  index: number;
  value: number;
  /** The value of a line across the chart that the text goes above where they would meet. */
  line?: number;
}

/** Writes above points: before them, as the document is read, where there is room. */
export const pointLabels = (labels: PointLabel[], surface: string): DrawnPlugin => ({
  id: 'pointLabels',
  afterDatasetsDraw({ ctx, chartArea, scales }) {
    ctx.save();
    ctx.strokeStyle = surface;
    ctx.lineWidth = 5;
    ctx.lineJoin = 'round';
    const heightOf = (value: number) => scales['y']?.getPixelForValue(value) ?? 0;
    for (const { index, value, line, text, color, weight = 600 } of labels) {
      ctx.font = canvasFont(weight);
      const x = scales['x']?.getPixelForValue(index) ?? 0;
      const above = heightOf(value) - 10;
      const meets = line !== undefined && Math.abs(heightOf(line) - (above - 4)) < chartFont.size;
      const y = meets ? heightOf(line) - 7 : above;
      const isRoomy = Math.abs(x - (isMirrored() ? chartArea.right : chartArea.left)) > ctx.measureText(text).width;
      ctx.textAlign = isRoomy === isMirrored() ? 'left' : 'right';
      ctx.strokeText(text, x, y);
      ctx.fillStyle = color;
      ctx.fillText(text, x, y);
    }
    ctx.restore();
  },
});

type Arc = Pick<ArcElement, 'x' | 'y' | 'startAngle' | 'endAngle' | 'innerRadius' | 'outerRadius'>;

/** Returns the first arc of a doughnut as it is drawn: half the spacing further out. */
function firstArc(chart: Chart<Drawn>): Arc | null {
  const [arc] = chart.getDatasetMeta(0).data;
  if (!(arc instanceof ArcElement)) return null;
  const { x, y, startAngle, endAngle, innerRadius, outerRadius } = arc;
  const outwards = arc.options.spacing / 2;
  return {
    x,
    y,
    startAngle,
    endAngle,
    innerRadius: innerRadius + outwards,
    outerRadius: outerRadius + outwards,
  };
}

/** Draws a line across a doughnut. */
function cutRing(
  { ctx }: Chart<Drawn>,
  { x, y, innerRadius, outerRadius }: Arc,
  { at, color, reach }: { at: number; color: string; reach: number },
): void {
  ctx.beginPath();
  ctx.moveTo(x + (innerRadius - reach) * Math.cos(at), y + (innerRadius - reach) * Math.sin(at));
  ctx.lineTo(x + (outerRadius + reach) * Math.cos(at), y + (outerRadius + reach) * Math.sin(at));
  ctx.lineWidth = 2.5;
  ctx.strokeStyle = color;
  ctx.stroke();
}

/** Marks the end of a doughnut's first arc. */
export const ringNotch = (color: string): DrawnPlugin => ({
  id: 'ringNotch',
  afterDatasetsDraw(chart) {
    const arc = firstArc(chart);
    if (!arc) return;
    chart.ctx.save();
    cutRing(chart, arc, { at: arc.endAngle, color, reach: 5 });
    chart.ctx.restore();
  },
});

/** The shortest arc that shows as one. */
const MIN_ARC = 7;

interface RunningColors {
  color: string;
  /** Between what was used before and what runs. */
  gap: string;
  edge: string;
}

/** Colors the last part of a doughnut's first arc, with a gap before it and an edge. */
export const ringRunning = (part: number, { color, gap, edge }: RunningColors): DrawnPlugin => ({
  id: 'ringRunning',
  afterDatasetsDraw(chart) {
    const arc = firstArc(chart);
    if (!arc) return;
    const { ctx } = chart;
    const { x, y, startAngle, endAngle, innerRadius, outerRadius } = arc;
    const length = Math.max(part * (endAngle - startAngle), MIN_ARC / outerRadius);
    ctx.save();
    ctx.beginPath();
    const start = Math.max(startAngle, endAngle - length);
    ctx.arc(x, y, (innerRadius + outerRadius) / 2, start, endAngle);
    ctx.lineWidth = outerRadius - innerRadius;
    ctx.strokeStyle = color;
    ctx.stroke();
    if (start > startAngle) cutRing(chart, arc, { at: start, color: gap, reach: 0 });
    cutRing(chart, arc, { at: endAngle, color: edge, reach: 0 });
    ctx.restore();
  },
});

/** Writes into the middle of a doughnut. */
export const ringText = ({ text, color }: Label): DrawnPlugin => ({
  id: 'ringText',
  afterDatasetsDraw(chart) {
    const [arc] = chart.getDatasetMeta(0).data;
    if (!arc) return;
    const { ctx } = chart;
    ctx.save();
    ctx.textAlign = 'center';
    ctx.textBaseline = 'middle';
    ctx.font = canvasFont(700).replace(`${chartFont.size}px`, '20px');
    ctx.fillStyle = color;
    ctx.fillText(text, arc.x, arc.y);
    ctx.restore();
  },
});
