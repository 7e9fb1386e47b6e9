import { Fragment } from 'react';
import { toneAt } from '../../ui/swatch.tsx';

const percent = (part: number) => `${Math.round(part * 10_000) / 100}%`;

/** Returns where each part of the whole starts and ends, with its color. Empty parts, which need no gap, are left out. */
const segmentsOf = (parts: number[]) =>
  parts
    .map((part, index) => {
      const from = parts.slice(0, index).reduce((sum, before) => sum + before, 0);
      return { from, to: from + part, color: `var(--${toneAt(index)})` };
    })
    .filter(({ from, to }) => to > from);

// SVGs, because the content security policy forbids inline styles in prerendered pages. Both grow from the start of a line,
// with a gap after each part.

/** The hour strip of the worked example. */
export const ExampleStrip = ({ parts, text }: { parts: number[]; text: string }) => (
  <div role="img" aria-label={text}>
    <svg
      aria-hidden
      width="100%"
      height="12"
      className="block rounded-[3px] bg-calm outline -outline-offset-1 outline-line-field rtl:-scale-x-100"
    >
      {segmentsOf(parts).map(({ from, to, color }) => (
        <Fragment key={color}>
          <rect x={percent(from)} width={percent(to - from)} height="12" fill={color} />
          <rect x={percent(to)} width="2" height="12" fill="var(--surface)" transform="translate(-2)" />
        </Fragment>
      ))}
    </svg>
    <div className="ruler mt-[3px]" />
  </div>
);

const TICKS = Array.from({ length: 12 }, (_, hour) => hour * 30);
/** The gap after an arc, as a fraction of the turn. */
const GAP = 0.005;

/**
 * The dial of the worked example, with what the owner gets back in its middle. Not the app's Ring, which would take the
 * landing page over its budget.
 */
export const ExampleRing = ({ parts, figure, label }: { parts: number[]; figure: string; label: string }) => (
  <div className="relative w-fit shrink-0">
    <svg aria-hidden viewBox="0 0 176 176" width="152" height="152" className="block">
      {TICKS.map((angle) => (
        <path
          key={angle}
          d="M88 22v5"
          stroke="var(--line-field)"
          strokeWidth="1.5"
          transform={`rotate(${angle} 88 88)`}
        />
      ))}
      <g fill="none" strokeWidth="15" transform="rotate(-90 88 88)">
        <circle cx="88" cy="88" r="76" stroke="var(--line-field)" />
        <circle cx="88" cy="88" r="76" stroke="var(--calm)" strokeWidth="13" />
        {segmentsOf(parts)
          .flatMap(({ from, to, color }) => [
            { from, to, color },
            { from: to - GAP, to, color: 'var(--surface)' },
          ])
          .map(({ from, to, color }, index) => (
            <circle
              key={index}
              cx="88"
              cy="88"
              r="76"
              pathLength={1}
              stroke={color}
              strokeDasharray={`${to - from} 1`}
              strokeDashoffset={-from}
            />
          ))}
      </g>
    </svg>
    <p className="absolute inset-0 flex flex-col items-center justify-center text-[13px] text-muted">
      <b className="figures font-display text-[25px] leading-tight font-bold text-ink">{figure}</b>
      {label}
    </p>
  </div>
);
