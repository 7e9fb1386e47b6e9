import { classes } from './class-names.ts';
import type { Hue } from './hue.ts';

export type StripTone = 'accent' | 'live' | 'over' | 'none' | Hue;

/** The fill of a segment. The patterns of hues show where colors don't (main.css); what is over is always hatched. */
export const fills: Record<StripTone, string> = {
  none: 'bg-muted',
  accent: 'bg-accent',
  live: 'bg-live',
  over: 'bg-over pattern-hatch',
  m1: 'bg-m1',
  m2: 'bg-m2 pattern-stripes',
  m3: 'bg-m3 pattern-dots',
  m4: 'bg-m4 pattern-bars',
  m5: 'bg-m5 pattern-stripes-back',
  m6: 'bg-m6 pattern-lines',
  m7: 'bg-m7 pattern-grid',
  m8: 'bg-m8 pattern-crosses',
};

/** The key of a table or a chart, which has the pattern, too. */
export const Swatch = ({ tone }: { tone: StripTone }) => (
  <span
    aria-hidden
    className={classes('part inline-block size-3 shrink-0 rounded-[4px] [--apart:var(--pattern)]', fills[tone])}
  />
);
