import { formatHours } from '../../lib/formatting.ts';
import { t } from '../../lib/messages.ts';
import type { DrawnChart, ReadColor } from '../../ui/chart.tsx';
import { axes, barLabels, baseOptions, chartFont, dayMarks, isMirrored } from '../../ui/chart-style.ts';
import type { DailySeries, Series, WeeklySeries } from './rules.ts';

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
            rtl: isMirrored(),
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
  ({ labels, values, days }: WeeklySeries) =>
  (color: ReadColor): DrawnChart => ({
    type: 'bar',
    data: {
      labels: labels.map((label, index) => [label, days[index]]),
      datasets: [
        {
          label: t('Hours Used'),
          data: values,
          backgroundColor: color('--accent'),
          borderRadius: 3,
          maxBarThickness: 44,
        },
      ],
    },
    options: { ...baseOptions(color), ...axes(color) },
    plugins: [barLabels(values.map((hours) => ({ text: formatHours(hours), color: color('--ink') })))],
  });

export const dailyChart =
  ({ labels, values, today }: DailySeries) =>
  (color: ReadColor): DrawnChart => ({
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
          pointBackgroundColor: values.map((hours) => color(hours > 0 ? '--accent' : '--surface')),
          pointBorderColor: values.map((hours) => color(hours > 0 ? '--accent' : '--line-field')),
          pointRadius: values.map((hours) => (hours > 0 ? 3 : 2.5)),
          borderWidth: 2,
        },
      ],
    },
    options: { ...baseOptions(color), ...axes(color) },
    plugins: [
      dayMarks(today === null ? [] : [{ index: today, text: t('today'), color: color('--ink'), dashed: true }]),
    ],
  });
