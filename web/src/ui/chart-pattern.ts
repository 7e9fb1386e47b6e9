import type { ReadColor } from './chart.tsx';
import type { StripTone } from './swatch.tsx';

const TILE = 8;
const STRIPES = 'M-2 2L2 -2M0 8L8 0M6 10L10 6';
const STRIPES_BACK = 'M-2 6L2 10M0 0L8 8M6 -2L10 2';
const BARS = 'M1 0V8M5 0V8';
const LINES = 'M0 1H8M0 5H8';

/** The patterns of strips and swatches (main.css) as lines on a tile. */
const PATTERNS: Partial<Record<StripTone | 'metered', { path: string; width: number }>> = {
  metered: { path: STRIPES_BACK, width: 2 },
  over: { path: STRIPES, width: 3 },
  m2: { path: STRIPES, width: 1.5 },
  m3: { path: 'M1 2H3M5 2H7M1 6H3M5 6H7', width: 2 },
  m4: { path: BARS, width: 1.5 },
  m5: { path: STRIPES_BACK, width: 1.5 },
  m6: { path: LINES, width: 1.5 },
  m7: { path: BARS + LINES, width: 1 },
  m8: { path: STRIPES + STRIPES_BACK, width: 1 },
};

/** Returns the fill of a tone on a canvas: its color, and its pattern where strips have one. */
export function patternFill(color: ReadColor, tone: StripTone | 'metered'): string | CanvasPattern {
  const isMetered = tone === 'metered';
  const base = color(isMetered ? '--accent' : `--${tone}`);
  const pattern = PATTERNS[tone];
  const line = color(isMetered ? '--surface' : tone === 'over' ? '--pattern' : '--apart');
  const tile = document.createElement('canvas');
  const sharpness = window.devicePixelRatio;
  tile.width = TILE * sharpness;
  tile.height = TILE * sharpness;
  const context = tile.getContext('2d');
  if (!pattern || !context || line === 'transparent') return base;
  context.scale(sharpness, sharpness);
  context.fillStyle = base;
  context.fillRect(0, 0, TILE, TILE);
  context.strokeStyle = line;
  context.lineWidth = pattern.width;
  context.stroke(new Path2D(pattern.path));
  const fill = context.createPattern(tile, 'repeat');
  fill?.setTransform(new DOMMatrix().scale(1 / sharpness));
  return fill ?? base;
}
