import { Chart as ChartJs } from 'chart.js';
import { useEffect, useRef } from 'react';
import type { DrawnChart, ReadColor } from './chart.tsx';
import { watchTheme } from './theme-changes.ts';

const readColor: ReadColor = (token) => getComputedStyle(document.documentElement).getPropertyValue(token).trim();

/** Only what is drawn, which screen readers don't see. Loaded with Chart.js, after the chart around it. */
export function Drawing({ configure }: { configure: (color: ReadColor) => DrawnChart }) {
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
  return <canvas ref={canvas} aria-hidden />;
}
