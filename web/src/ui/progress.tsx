import { formatHours } from '../platform/format/numbers.ts';
import { t } from '../platform/i18n/messages.ts';
import { fills, type StripTone } from './swatch.tsx';

interface StripSegment {
  key: string | number;
  hours: number;
  tone: StripTone;
}

const round = (hours: number) => Math.round(hours * 100) / 100;
const percent = (part: number) => `${Math.min(1, part) * 100}%`;

/** Returns the segments up to the allowance, and the rest as one. */
function cutAtAllowance(segments: StripSegment[], allowance: number, over: number): StripSegment[] {
  if (over === 0) return segments;
  let left = allowance;
  const within = segments.map((segment) => {
    const hours = Math.min(segment.hours, left);
    // Without the noise of subtraction, which would show as a separate segment.
    left = round(left - hours);
    return { ...segment, hours };
  });
  return [...within, { key: 'over', hours: over, tone: 'over' }];
}

/** Returns a use in words, with the hours over the allowance, if there are any. */
export const textOfUse = (use: string, over: number): string =>
  over > 0 ? t('{use}, {hours} over', { use, hours: formatHours(over) }) : use;

interface HourStripProps {
  segments: StripSegment[];
  /** The hours allowed or available: the end of the scale, unless more were used. */
  allowance: number;
  /** The fraction of the month that has passed, if it is the current one. */
  today?: number;
  /** The accessible name. */
  label: string;
  /** The accessible value, in words. */
  valueText: string;
}

/** A bar of hours. Beyond the allowance the scale grows: what is over is hatched. */
export function HourStrip({ segments, allowance, today, label, valueText }: HourStripProps) {
  const used = round(segments.reduce((sum, { hours }) => sum + hours, 0));
  const over = allowance > 0 ? round(Math.max(0, used - allowance)) : 0;
  const scale = Math.max(allowance, used);
  const filled = scale > 0 ? used / scale : 0;
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.min(100, Math.round(filled * 100))}
      aria-valuetext={textOfUse(valueText, over)}
      className="relative"
    >
      <div className="h-2.5 overflow-hidden rounded-full bg-calm forced-colors:border">
        {/* As wide as the use, at most the whole. */}
        <div className="flex h-full transition-[width] duration-200" style={{ width: percent(filled) }}>
          {cutAtAllowance(segments, allowance, over).map(
            ({ key, hours, tone }) =>
              hours > 0 && (
                <div
                  key={key}
                  // The edge sets hues apart from each other and from the track; amber, which is pale, has a dark one.
                  className={`part h-full min-w-1.5 border-e-2 ${tone === 'live' ? 'border-live-text' : 'border-surface last:border-e-0'} ${fills[tone]}`}
                  style={{ width: percent(hours / used) }}
                />
              ),
          )}
        </div>
      </div>
      {/* What is over says more than the day; without hours, there is nothing to compare it with. */}
      {today !== undefined && over === 0 && scale > 0 && (
        <div
          className="absolute -top-[3px] -ms-px h-4 w-0.5 rounded-full bg-muted shadow-[0_0_0_1.5px_var(--surface)]"
          style={{ insetInlineStart: percent(today) }}
        />
      )}
    </div>
  );
}
