import { describe, expect, it } from 'vitest';
import css from '../styles/tokens.css?raw';

type Theme = Map<string, [lightness: number, chroma: number, hue: number]>;

function parseTheme(block: RegExp): Theme {
  const body = block.exec(css)?.[1] ?? '';
  const colors = body.matchAll(/--([\w-]+): oklch\(([\d.]+) ([\d.]+) ([\d.]+)\);/g);
  return new Map([...colors].map(([, name, l, c, h]) => [name ?? '', [Number(l), Number(c), Number(h)]]));
}

const light = parseTheme(/^:root \{(.*?)^\}/ms);
const dark = parseTheme(/:root:not\(\[data-theme='light'\]\) \{(.*?)\n {2}\}/s);
const chosenDark = parseTheme(/:root\[data-theme='dark'\] \{(.*?)\n {2}\}/s);

/** Returns the WCAG relative luminance of an OKLCH color, converted through OKLab and clipped linear sRGB. */
function luminance(theme: Theme, name: string): number {
  const color = theme.get(name);
  if (!color) throw new Error(`No token --${name}`);
  const [L, C, h] = color;
  const a = C * Math.cos((h * Math.PI) / 180);
  const b = C * Math.sin((h * Math.PI) / 180);
  const l = (L + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (L - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (L - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const shown = (value: number) => Math.min(1, Math.max(0, value));
  return (
    0.2126 * shown(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s) +
    0.7152 * shown(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s) +
    0.0722 * shown(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s)
  );
}

function contrast(theme: Theme, one: string, other: string): number {
  const [dim = 0, bright = 0] = [luminance(theme, one), luminance(theme, other)].toSorted((x, y) => x - y);
  return (bright + 0.05) / (dim + 0.05);
}

const grounds = ['canvas', 'surface', 'raised', 'sunken'];
const pairs = (texts: string[], places: string[]) =>
  texts.flatMap((text) => places.map((place) => [text, place] as const));

const textPairs = [
  ...pairs(['ink', 'muted', 'accent-text', 'over-text', 'live-text'], grounds),
  // Faces, and the pictures of assets.
  ...['m1', 'm2', 'm3', 'm4', 'm5', 'm6', 'm7', 'm8'].map((hue) => [`${hue}-text`, `${hue}-soft`] as const),
  ...['watch', 'listen', 'work', 'store', 'move', 'learn'].map((tint) => [`${tint}-text`, tint] as const),
  ['ink', 'live-soft'],
  ['accent-ink', 'accent'],
  ['accent-ink', 'accent-hover'],
  ...pairs(['accent-text', 'ink', 'muted'], ['accent-soft']),
  // A choice in a panel.
  ...pairs(['muted'], ['calm']),
  // Under the pointer.
  ...pairs(['accent-text'], ['calm']),
  ['live-ink', 'live'],
  ['live-ink', 'live-hover'],
  ['live-text', 'live-soft'],
  ['over-ink', 'over'],
  ['over-ink', 'over-hover'],
  ['over-text', 'over-soft'],
  // Toasts, the tooltips of charts, and the numbers of steps.
  ...pairs(['surface', 'canvas'], ['ink']),
] as const;

const members = ['m1', 'm2', 'm3', 'm4', 'm5', 'm6', 'm7', 'm8'];

const partPairs = [
  // The edge of a field, a radio button and a slider's track, and the axis of a chart.
  ...pairs(['line-field'], grounds),
  // The focus ring, checked controls, a slider's thumb, use and what is over it with its notch, and the mark of today.
  ...pairs(['accent', 'over', 'over-text', 'live-text', 'ink'], grounds),
  // A checked radio button, and the line of a chart over its area.
  ...pairs(['accent', 'over'], ['accent-soft']),
  // Segments of a bar, a ring or a chart, each with a gap in the color of the surface behind it.
  ...pairs(members, ['surface', 'raised']),
  ...pairs(['accent', 'over', 'live-text'], ['calm']),
] as const;

/** What tells the running part: on white, where amber is pale, the edge in its text color; on dark, amber itself. */
const runningPairs = {
  light: pairs(['live-text'], ['live']),
  dark: pairs(['live'], ['calm', ...grounds]),
};

describe.each([
  ['light', light],
  ['dark', dark],
] as const)('the %s theme', (name, theme) => {
  it.each(textPairs)('has text contrast of %s on %s of at least 4.5:1', (text, ground) => {
    expect(contrast(theme, text, ground)).toBeGreaterThanOrEqual(4.5);
  });

  it.each([...partPairs, ...runningPairs[name]])('has contrast between %s and %s of at least 3:1', (one, other) => {
    expect(contrast(theme, one, other)).toBeGreaterThanOrEqual(3);
  });
});

it('the dark theme raises cards from the page, and dialogs from cards', () => {
  expect(contrast(dark, 'canvas', 'surface')).toBeGreaterThanOrEqual(1.12);
  expect(contrast(dark, 'surface', 'raised')).toBeGreaterThanOrEqual(1.1);
});

it('the dark theme has the same colors whether chosen or set by the system', () => {
  expect(chosenDark).toEqual(dark);
  expect(chosenDark.size).toBeGreaterThan(20);
});
