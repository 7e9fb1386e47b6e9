import { Chart as ChartJs, type ChartConfiguration } from 'chart.js';
import { useEffect, useId, useRef, type ReactNode } from 'react';
import { watchTheme } from './theme-changes.ts';

export type DrawnChart = ChartConfiguration<'doughnut' | 'bar' | 'line'>;

/** Returns the current color of a design token. */
export type ReadColor = (token: string) => string;

interface ChartProps {
  title: string;
  /** The chart's data as a table, for screen readers. */
  table: { head: readonly string[]; rows: (readonly string[])[] };
  configure: (color: ReadColor) => DrawnChart;
  /** Explains the colors, if the chart's own labels don't. */
  legend?: ReactNode;
}

const readColor: ReadColor = (token) => getComputedStyle(document.documentElement).getPropertyValue(token).trim();

/** Only what is drawn, which screen readers don't see. */
export function Drawing({ configure }: Pick<ChartProps, 'configure'>) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const element = canvas.current;
    if (!element) return undefined;
    let chart = new ChartJs(element, configure(readColor));
    // A chart reads its colors once, so a theme change needs a new chart.
    const stop = watchTheme(() => {
      chart.destroy();
      chart = new ChartJs(element, configure(readColor));
    });
    return () => {
      stop();
      chart.destroy();
    };
  }, [configure]);

  return (
    <div className="relative h-60">
      <canvas ref={canvas} aria-hidden />
    </div>
  );
}

export function Chart({ title, table, configure, legend }: ChartProps) {
  const headingId = useId();
  return (
    <figure aria-labelledby={headingId} className="min-w-0 rounded-card border border-line bg-surface p-4.5">
      <figcaption>
        <h2 id={headingId} className="font-semibold">
          {title}
        </h2>
      </figcaption>
      <div className="mt-3">
        <Drawing configure={configure} />
      </div>
      {legend && (
        <div aria-hidden className="mt-3">
          {legend}
        </div>
      )}
      {/* A table alone would keep its height, and lengthen the page. */}
      <div className="sr-only">
        <table>
          <caption>{title}</caption>
          <thead>
            <tr>
              {table.head.map((title) => (
                <th key={title} scope="col">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {table.rows.map(([name = '', ...values]) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                {values.map((value, index) => (
                  <td key={index}>{value}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </figure>
  );
}
