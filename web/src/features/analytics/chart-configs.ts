import type { Analytics } from '@hourshare/contract/analytics';
import { formatHours } from '../../platform/format/numbers.ts';
import { t } from '../../platform/i18n/messages.ts';
import type { DrawnChart, ReadColor } from '../../ui/chart.tsx';
import { patternFill } from '../../ui/chart-pattern.ts';
import {
  axes,
  barLabels,
  baseOptions,
  chartFont,
  dayMarks,
  isMirrored,
  pointLabels,
  ringNotch,
  ringRunning,
  ringText,
} from '../../ui/chart-style.ts';
import {
  overHours,
  splitAtAllowance,
  usedSoFar,
  type Allowance,
  type DailySeries,
  type Series,
  type WeeklySeries,
} from './rules.ts';

const legendBelow = (color: ReadColor) => ({
  display: true,
  position: 'bottom' as const,
  rtl: isMirrored(),
  labels: {
    color: color('--ink'),
    font: chartFont,
    boxWidth: 11,
    boxHeight: 11,
    useBorderRadius: true,
    borderRadius: 3,
  },
});

/** With a legend that tells what meters recorded from the rest, if there is any. */
function optionsWithMeters(color: ReadColor, isMetered: boolean) {
  const options = baseOptions(color);
  return isMetered ? { ...options, plugins: { ...options.plugins, legend: legendBelow(color) } } : options;
}

type Utilization = Pick<Analytics, 'total_usage' | 'total_allocation' | 'remaining_hours'>;

/**
 * The ring of used and remaining hours, with those of the running session last. Past the allowance, the whole ring is the
 * use, with a notch at the allowance, and what is over is hatched.
 */
export const utilizationChart =
  ({ labels, values }: Series, analytics: Utilization, running = 0) =>
  (color: ReadColor): DrawnChart => {
    const options = baseOptions(color);
    const over = overHours(analytics);
    const [used = 0, ...others] = values;
    return {
      type: 'doughnut',
      data: {
        labels,
        datasets: [
          {
            data: [used - over, ...others],
            backgroundColor: [color('--accent'), color('--calm'), patternFill(color, 'over')],
            // The edge of the rest has a contrast of 3:1; its fill alone doesn't.
            borderColor: color('--line-field'),
            borderWidth: [0, (others[0] ?? 0) > 0 ? 1 : 0, 0],
            // Beside an empty segment, a gap would look like a cut.
            spacing: values.filter((hours) => hours > 0).length > 1 ? 3 : 0,
          },
        ],
      },
      options: {
        ...options,
        // Leaves room for the end of the notch.
        layout: { padding: 6 },
        // Matches the Ring component.
        cutout: '80%',
        plugins: {
          ...options.plugins,
          legend: legendBelow(color),
        },
      },
      plugins: [
        ...(over > 0 ? [ringNotch(color('--over-text'))] : []),
        ...(over === 0 && used > 0 && running > 0
          ? [
              ringRunning(Math.min(1, running / used), {
                color: color('--live'),
                gap: color('--surface'),
                edge: color('--live-text'),
              }),
            ]
          : []),
        ringText({
          text:
            over > 0
              ? t('{hours} over', { hours: formatHours(over) })
              : t('{hours} left', { hours: formatHours(analytics.remaining_hours) }),
          color: color(over > 0 ? '--over-text' : '--ink'),
        }),
      ],
    };
  };

/** A bar for each week, with the hours of the running session at the end of the last one, unless they are over the allowance. */
export const weeklyChart =
  ({ labels, values, metered, days }: WeeklySeries, analytics: Allowance, running = 0) =>
  (color: ReadColor): DrawnChart => {
    const { within, over } = splitAtAllowance(values, analytics);
    const last = values.length - 1;
    const live = within.map((hours, index) => (index === last && over[index] === 0 ? Math.min(hours, running) : 0));
    const byMeters = within.map((hours, index) => Math.min(metered[index] ?? 0, hours - (live[index] ?? 0)));
    const isMetered = byMeters.some((hours) => hours > 0);
    const look = { borderRadius: 3, maxBarThickness: 44 };
    const { layout, scales } = axes(color);
    return {
      type: 'bar',
      data: {
        labels: labels.map((label, index) => [label, days[index]]),
        datasets: [
          {
            label: t('Hours Used'),
            data: within.map((hours, index) => hours - (live[index] ?? 0) - (byMeters[index] ?? 0)),
            backgroundColor: color('--accent'),
            ...look,
          },
          ...(isMetered
            ? [{ label: t('By meters'), data: byMeters, backgroundColor: patternFill(color, 'metered'), ...look }]
            : []),
          ...(live.some((hours) => hours > 0)
            ? [{ label: t('Running [[session]]'), data: live, backgroundColor: color('--live'), ...look }]
            : []),
          ...(over.some((hours) => hours > 0)
            ? [{ label: t('Over [[allowance]]'), data: over, backgroundColor: patternFill(color, 'over'), ...look }]
            : []),
        ],
      },
      options: {
        ...optionsWithMeters(color, isMetered),
        layout,
        scales: { x: { ...scales.x, stacked: true }, y: { ...scales.y, stacked: true } },
      },
      plugins: [
        barLabels(
          values.map((hours, index) => ({
            text: formatHours(hours),
            color: color((over[index] ?? 0) > 0 ? '--over-text' : '--ink'),
          })),
          color('--surface'),
        ),
      ],
    };
  };

export const dailyChart =
  ({ labels, values, metered, today, usedUp }: DailySeries, allowance: number, running = 0) =>
  (color: ReadColor): DrawnChart => {
    const isOver = (index: number) => usedUp !== null && index >= usedUp;
    const pointColor = (index: number) =>
      color(running > 0 && index === today ? '--live' : isOver(index) ? '--over' : '--accent');
    const hatch = patternFill(color, 'over');
    const isMetered = metered.some((hours) => hours > 0);
    return {
      type: 'line',
      data: {
        labels,
        datasets: [
          {
            label: t('Daily Hours'),
            data: values,
            fill: true,
            tension: 0.4,
            // Keeps the curve from dipping below zero between days.
            capBezierPoints: true,
            borderColor: color('--accent'),
            backgroundColor: color('--accent-soft'),
            segment: {
              borderColor: ({ p0DataIndex }) => color(isOver(p0DataIndex) ? '--over' : '--accent'),
              backgroundColor: ({ p0DataIndex }) => (isOver(p0DataIndex) ? hatch : undefined),
            },
            // A day without use is hollow.
            pointBackgroundColor: values.map((hours, index) => (hours > 0 ? pointColor(index) : color('--surface'))),
            pointBorderColor: values.map((hours, index) => (hours > 0 ? pointColor(index) : color('--line-field'))),
            pointRadius: values.map((hours, index) => (running > 0 && index === today ? 5 : hours > 0 ? 3 : 2.5)),
            borderWidth: 2,
          },
          ...(isMetered
            ? [
                {
                  label: t('By meters'),
                  data: metered,
                  fill: true,
                  tension: 0.4,
                  capBezierPoints: true,
                  borderWidth: 0,
                  pointRadius: 0,
                  backgroundColor: patternFill(color, 'metered'),
                },
              ]
            : []),
        ],
      },
      options: { ...optionsWithMeters(color, isMetered), ...axes(color) },
      plugins: [
        dayMarks([
          ...(today === null ? [] : [{ index: today, text: t('today'), color: color('--ink'), dashed: true }]),
          ...(usedUp === null
            ? []
            : [
                {
                  index: usedUp,
                  text: t('{hours} used up', { hours: formatHours(allowance) }),
                  color: color('--over-text'),
                  weight: 600,
                  dashed: false,
                },
              ]),
        ]),
      ],
    };
  };

/**
 * What was used up to each day, as steps, and what it leads to, beside the allowance and an even use of it. What is over is
 * red, and the last day is amber while a session is running.
 */
export const paceChart =
  ({ labels, values, today, usedUp }: DailySeries, analytics: Pick<Analytics, 'pace'> & Allowance, running = 0) =>
  (color: ReadColor): DrawnChart => {
    const { pace, total_allocation: allowance, total_usage: total } = analytics;
    const used = usedSoFar({ values }, total);
    const last = labels.length - 1;
    const end = used.length - 1;
    const between = (from: number, to: number, at: readonly [number, number]) =>
      labels.map((_, index) => (index === at[0] ? from : index === at[1] ? to : null));
    const isOver = (index: number) => usedUp !== null && index >= usedUp;
    const line = { spanGaps: true, pointRadius: 0, pointHitRadius: 0, borderWidth: 2 };
    const { layout, scales } = axes(color);
    const projected = pace && end < last ? pace.projected_hours : null;
    return {
      type: 'line',
      data: {
        labels,
        datasets: [
          {
            label: t('Hours Used'),
            data: used,
            stepped: true,
            fill: true,
            borderColor: color('--accent'),
            backgroundColor: color('--accent-soft'),
            borderWidth: 3,
            segment: { borderColor: ({ p1DataIndex }) => (isOver(p1DataIndex) ? color('--over') : undefined) },
            pointRadius: used.map((_, index) => (index === today ? 5 : 0)),
            pointHitRadius: 12,
            pointBackgroundColor: color(running > 0 ? '--live' : isOver(end) ? '--over' : '--accent'),
            pointBorderColor: color('--surface'),
            pointBorderWidth: 2,
          },
          ...(projected === null
            ? []
            : [
                {
                  ...line,
                  data: between(total, projected, [end, last]),
                  borderColor: color(projected > allowance && allowance > 0 ? '--over' : '--accent'),
                  borderDash: [2, 5],
                },
              ]),
          ...(allowance > 0
            ? [
                {
                  ...line,
                  data: between(allowance, allowance, [0, last]),
                  borderColor: color('--over-text'),
                  borderDash: [4, 3],
                  borderWidth: 1.5,
                },
                {
                  ...line,
                  data: between(allowance / labels.length, allowance, [0, last]),
                  borderColor: color('--line-strong'),
                  borderWidth: 1,
                },
              ]
            : []),
        ],
      },
      options: { ...baseOptions(color), layout, scales },
      plugins: [
        pointLabels(
          [
            ...(allowance > 0
              ? [
                  {
                    index: 0,
                    value: allowance,
                    text: t('{hours} allowed', { hours: formatHours(allowance) }),
                    color: color('--muted'),
                  },
                ]
              : []),
            ...(today === null
              ? []
              : [
                  {
                    index: end,
                    value: total,
                    text: formatHours(total),
                    color: color('--ink'),
                    ...(allowance > 0 ? { line: allowance } : {}),
                  },
                ]),
            // Near the end of the month, it would meet the one before.
            ...(projected !== null && last - end > 5
              ? [{ index: last, value: projected, text: formatHours(projected), color: color('--muted') }]
              : []),
          ],
          color('--surface'),
        ),
      ],
    };
  };
