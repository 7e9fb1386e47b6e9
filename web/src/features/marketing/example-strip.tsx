import { hueOf } from '../../ui/hue.ts';

const percent = (part: number) => `${Math.round(part * 10_000) / 100}%`;

/** How much of the whole the gap after a part takes. */
const GAP = 0.005;

/** Returns the parts of the whole, each with a gap at its end. Without use there is nothing to set apart. */
const segmentsOf = (parts: number[], colors: string[] = []) =>
  parts.flatMap((part, index) => {
    const to = parts.slice(0, index + 1).reduce((sum, each) => sum + each);
    if (part === 0) return [];
    return [
      { from: to - part, length: part, color: `var(--${colors[index] ?? hueOf(index)})` },
      { from: to - GAP, length: GAP, color: 'var(--surface)' },
    ];
  });

// SVGs, because the content security policy forbids inline styles in prerendered pages. Both grow from the start of a line.

interface ExampleStripProps {
  /** Of the whole, in the hues of the people unless there are other colors. */
  parts: number[];
  colors?: string[];
  text: string;
}

/** The hour strip of the worked example. */
export const ExampleStrip = ({ parts, colors, text }: ExampleStripProps) => (
  <div role="img" aria-label={text}>
    <svg
      aria-hidden
      width="100%"
      height="12"
      className="block rounded-[3px] bg-calm outline -outline-offset-1 outline-line-field rtl:-scale-x-100"
    >
      {segmentsOf(parts, colors).map(({ from, length, color }, index) => (
        <rect key={index} x={percent(from)} width={percent(length)} height="12" fill={color} />
      ))}
    </svg>
  </div>
);

const TICKS = Array.from({ length: 12 }, (_, hour) => hour * 30);

/**
 * The dial of the worked example, with what the owner gets back in its middle. The app's Ring would take the landing page
 * over its budget.
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
        {segmentsOf(parts).map(({ from, length, color }, index) => (
          <circle
            key={index}
            cx="88"
            cy="88"
            r="76"
            pathLength={1}
            stroke={color}
            strokeDasharray={`${length} 1`}
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
