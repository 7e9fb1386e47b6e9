import { toneAt } from '../../ui/swatch.tsx';

const percent = (part: number) => `${Math.round(part * 10_000) / 100}%`;

/** Returns how much of the whole comes before each part. */
const startsOf = (parts: number[]) =>
  parts.map((_, index) => parts.slice(0, index).reduce((sum, before) => sum + before, 0));

// SVGs, because the content security policy forbids inline styles in prerendered pages. Both grow from the start of a line.

/** The hour strip of the worked example. */
export function ExampleStrip({ parts, text }: { parts: number[]; text: string }) {
  const starts = startsOf(parts);
  return (
    <div role="img" aria-label={text}>
      <svg
        aria-hidden
        width="100%"
        height="12"
        className="block rounded-[3px] bg-calm outline -outline-offset-1 outline-line-field rtl:-scale-x-100"
      >
        {parts.map((part, index) => (
          <rect
            key={index}
            x={percent(starts[index] ?? 0)}
            width={percent(part)}
            height="12"
            fill={`var(--${toneAt(index)})`}
          />
        ))}
      </svg>
      <div className="ruler mt-[3px]" />
    </div>
  );
}

const TICKS = Array.from({ length: 12 }, (_, hour) => hour * 30);

/** The dial of the worked example, with what the owner gets back in its middle. */
export function ExampleRing({ parts, figure, label }: { parts: number[]; figure: string; label: string }) {
  const starts = startsOf(parts);
  return (
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
          {parts.map((part, index) => (
            <circle
              key={index}
              cx="88"
              cy="88"
              r="76"
              pathLength={1}
              stroke={`var(--${toneAt(index)})`}
              strokeDasharray={`${part} 1`}
              strokeDashoffset={-(starts[index] ?? 0)}
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
}
