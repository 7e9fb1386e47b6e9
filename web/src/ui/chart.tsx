import { Chart as ChartJs, type ChartConfiguration } from 'chart.js';
import { useEffect, useId, useRef } from 'react';
import { watchTheme } from '../lib/theme.ts';

export type DrawnChart = ChartConfiguration<'doughnut' | 'bar' | 'line'>;

/** Reads a token's colour as the browser resolves it now. */
export type ReadColor = (token: string) => string;

interface ChartProps {
  title: string;
  /** The same figures as rows of a table, for those who do not see the picture. */
  table: { head: [string, string]; rows: (readonly [string, string])[] };
  configure: (color: ReadColor) => DrawnChart;
}

const readColor: ReadColor = (token) => getComputedStyle(document.documentElement).getPropertyValue(token).trim();

export function Chart({ title, table, configure }: ChartProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const headingId = useId();

  useEffect(() => {
    const place = canvas.current;
    if (!place) return undefined;
    let chart = new ChartJs(place, configure(readColor));
    // Colours are read when a chart is made, so another theme means another chart.
    const stop = watchTheme(() => {
      chart.destroy();
      chart = new ChartJs(place, configure(readColor));
    });
    return () => {
      stop();
      chart.destroy();
    };
  }, [configure]);

  return (
    <figure aria-labelledby={headingId} className="min-w-0 rounded-card border border-line bg-surface p-4.5">
      <figcaption>
        <h2 id={headingId} className="font-semibold">
          {title}
        </h2>
      </figcaption>
      <div className="relative mt-3 h-60">
        <canvas ref={canvas} aria-hidden />
      </div>
      <table className="sr-only">
        <caption>{title}</caption>
        <thead>
          <tr>
            <th scope="col">{table.head[0]}</th>
            <th scope="col">{table.head[1]}</th>
          </tr>
        </thead>
        <tbody>
          {table.rows.map(([name, value]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{value}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  );
}
