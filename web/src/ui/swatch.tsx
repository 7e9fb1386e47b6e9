import { classes } from './class-names.ts';

const MEMBER_TONES = ['m1', 'm2', 'm3', 'm4', 'm5', 'm6', 'm7', 'm8'] as const;
export type MemberTone = (typeof MEMBER_TONES)[number];
export type StripTone = 'accent' | 'live' | 'over' | MemberTone;

// Color is never the only difference: each member has a pattern, too (main.css), and what is over is hatched.
export const fills: Record<StripTone, string> = {
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

export const Swatch = ({ tone }: { tone: StripTone }) => (
  <span aria-hidden className={classes('inline-block size-3 shrink-0 rounded-[3px]', fills[tone])} />
);

/** Returns the color of the item at a position in a list. */
export const toneAt = (position: number): MemberTone => MEMBER_TONES[position % MEMBER_TONES.length] ?? 'm1';
