import { formatHours } from '../platform/format/numbers.ts';
import { t } from '../platform/i18n/messages.ts';
import { classes } from './class-names.ts';
import { fills, type StripTone } from './swatch.tsx';

interface StripSegment {
  key: string | number;
  hours: number;
  tone: StripTone;
}

/** The end of a segment: a gap, or on amber, which is pale on white, a dark edge. */
const edges = (tone: StripTone) =>
  tone === 'over'
    ? 'min-w-1'
    : tone === 'live'
      ? 'min-w-[7px] border-e-2 border-live-text'
      : 'min-w-1 border-e-2 border-surface';

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

interface HourStripProps {
  segments: StripSegment[];
  /** The hours allowed or available: the end of the scale, unless more were used. */
  allowance: number;
  /** The fraction of the month that has passed, if it is the current one. */
  today?: number;
  /** Without its ruler and scale, in a list that has the figures beside it. */
  bare?: boolean;
  /** The accessible name. */
  label: string;
  /** The accessible value, in words. */
  valueText: string;
}

/** A bar of hours on a ruler of ten parts. Beyond the allowance the scale grows, and a notch marks the allowance. */
export function HourStrip({ segments, allowance, today, bare = false, label, valueText }: HourStripProps) {
  const used = round(segments.reduce((sum, { hours }) => sum + hours, 0));
  const over = allowance > 0 ? round(Math.max(0, used - allowance)) : 0;
  const scale = Math.max(allowance, used);
  const filled = scale > 0 ? used / scale : 0;
  // Without hours, there is nothing to compare the day with.
  const mark = scale > 0 ? today : undefined;
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.min(100, Math.round(filled * 100))}
      aria-valuetext={over > 0 ? t('{use}, {hours} over', { use: valueText, hours: formatHours(over) }) : valueText}
    >
      <div className="relative">
        <div className="h-3 overflow-hidden rounded-[3px] bg-calm inset-ring inset-ring-line-field">
          {/* As wide as the use, at most the whole. */}
          <div className="flex h-full transition-[width] duration-200" style={{ width: percent(filled) }}>
            {cutAtAllowance(segments, allowance, over).map(
              ({ key, hours, tone }) =>
                hours > 0 && (
                  <div
                    key={key}
                    className={`h-full ${edges(tone)} ${fills[tone]}`}
                    style={{ width: percent(hours / used) }}
                  />
                ),
            )}
          </div>
        </div>
        {!bare && <div className="ruler mt-[3px]" />}
        {over > 0 ? <Notch at={allowance / scale} /> : mark !== undefined && <TodayMark at={mark} />}
      </div>
      {!bare && <Scale allowance={allowance} over={over} today={mark} />}
    </div>
  );
}

const start = (at: number) => ({ insetInlineStart: percent(at) });

const TodayMark = ({ at }: { at: number }) => (
  <div
    className="absolute -top-[3px] bottom-0 -ms-px w-[1.5px] rounded-full bg-ink shadow-[0_0_0_1.5px_var(--surface)]"
    style={start(at)}
  />
);

const Notch = ({ at }: { at: number }) => (
  <div
    className="absolute -top-[5px] bottom-0 -ms-px w-0.5 bg-over-text shadow-[0_0_0_2px_var(--surface)] before:absolute before:-start-1 before:-top-[3px] before:border-x-[5px] before:border-t-[6px] before:border-x-transparent before:border-t-over-text"
    style={start(at)}
  />
);

/** Before this part of the strip, a label centered under its mark would leave it. */
const FIRST_LABEL = 0.06;
/** After this part of the strip, the word for today can be too far from its mark. */
const LAST_TODAY = 0.8;

/** The label under the mark, which gives way to the one at the end of the strip. */
function Scale({ allowance, over, today }: { allowance: number; over: number; today: number | undefined }) {
  const at = over > 0 ? allowance / (allowance + over) : today;
  return (
    <div className="figures mt-[3px] flex h-4 text-[12px] leading-4 whitespace-nowrap text-muted">
      {at !== undefined && (over > 0 || at <= LAST_TODAY) && (
        <>
          <span style={{ flexBasis: percent(Math.max(at, FIRST_LABEL)) }} />
          {/* Wider than its text, by as much as it keeps away from its neighbor. */}
          <span className="-ms-7 flex w-14 shrink-0 justify-center">
            {over > 0 ? formatHours(allowance) : t('today')}
          </span>
        </>
      )}
      {allowance > 0 && (
        <span className={classes('ms-auto font-medium', over > 0 ? 'text-over-text' : 'text-ink')}>
          {over > 0 ? t('+{hours}', { hours: formatHours(over) }) : formatHours(allowance)}
        </span>
      )}
    </div>
  );
}
