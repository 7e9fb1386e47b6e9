import type { ChartConfiguration } from 'chart.js';
import { Suspense, useId, type ReactNode } from 'react';

export type DrawnChart = ChartConfiguration<'doughnut' | 'bar' | 'line'>;

/** Returns the current color of a design token. */
export type ReadColor = (token: string) => string;

interface ChartProps {
  title: string;
  /** The chart's data as a table, for screen readers. */
  table: { head: readonly string[]; rows: (readonly string[])[] };
  /** Its drawing, which loads later. */
  children: ReactNode;
  /** Explains the colors, if the chart's own labels don't. */
  legend?: ReactNode;
}

/** Keeps the height of a drawing while it loads. */
export const DrawingPlace = ({ children }: { children: ReactNode }) => (
  <div className="relative h-60">
    <Suspense fallback={null}>{children}</Suspense>
  </div>
);

export function Chart({ title, table, legend, children }: ChartProps) {
  const headingId = useId();
  return (
    <figure
      aria-labelledby={headingId}
      className="min-w-0 rounded-card border border-line bg-surface p-4 shadow-lift md:p-5"
    >
      <figcaption>
        <h2 id={headingId} className="font-semibold">
          {title}
        </h2>
      </figcaption>
      <div className="mt-3">
        <DrawingPlace>{children}</DrawingPlace>
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
