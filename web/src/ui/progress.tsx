import { classes } from './class-names.ts';

export type StripTone = 'accent' | 'live' | 'over' | 'm1' | 'm2' | 'm3' | 'm4';

interface StripSegment {
  key: string | number;
  /** Fraction of the whole strip, 0 to 1. */
  part: number;
  tone: StripTone;
}

const fills: Record<StripTone, string> = {
  accent: 'bg-accent',
  // Amber is pale on white, so a dark edge marks its end.
  live: 'bg-live border-r-2 border-live-text',
  over: 'bg-over',
  m1: 'bg-m1',
  m2: 'bg-m2',
  m3: 'bg-m3',
  m4: 'bg-m4',
};

interface HourStripProps {
  segments: StripSegment[];
  /** The accessible name. */
  label: string;
  /** The accessible value, in words. */
  valueText: string;
}

/** A bar with a tick at each tenth. Segments beyond its end are cut off. */
export function HourStrip({ segments, label, valueText }: HourStripProps) {
  const total = Math.min(
    1,
    segments.reduce((sum, segment) => sum + segment.part, 0),
  );
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(total * 100)}
      aria-valuetext={valueText}
    >
      <div className="flex h-3 gap-px overflow-hidden rounded-[3px] bg-calm">
        {segments.map(
          ({ key, part, tone }) =>
            part > 0 && (
              <div
                key={key}
                className={classes('h-full min-w-0.5 shrink-0 transition-[width] duration-200', fills[tone])}
                style={{ width: `${Math.min(1, part) * 100}%` }}
              />
            ),
        )}
      </div>
      <div className="ruler mt-[3px]" />
    </div>
  );
}

const swatches: Record<StripTone, string> = {
  accent: 'bg-accent',
  live: 'bg-live',
  over: 'bg-over',
  m1: 'bg-m1',
  m2: 'bg-m2',
  m3: 'bg-m3',
  m4: 'bg-m4',
};

export const Swatch = ({ tone }: { tone: StripTone }) => (
  <span aria-hidden className={`inline-block size-2.5 shrink-0 rounded-[3px] ${swatches[tone]}`} />
);

/** Returns the color of the item at a position in a list. */
export const toneAt = (position: number): StripTone => (['m1', 'm2', 'm3', 'm4'] as const)[position % 4] ?? 'm1';
