import { formatPercent } from '../lib/formatting.ts';
import type { StripTone } from './progress.tsx';

const RADIUS = 76;
const LENGTH = 2 * Math.PI * RADIUS;
const TICKS = Array.from({ length: 12 }, (_, hour) => hour * 30);

// Rounds, but keeps anything below the whole at 99 or less.
const wholePercent = (part: number) => (part < 1 ? Math.min(99, Math.round(part * 100)) : Math.round(part * 100));

interface RingProps {
  part: number;
  tone: StripTone;
  size?: number;
  /** The percentage as text, if it should not use the viewer's locale. */
  figure?: string;
}

/** A dial with clock ticks that fills up to one turn. */
export function Ring({ part, tone, size = 176, figure = formatPercent(wholePercent(part)) }: RingProps) {
  const shown = Math.min(1, Math.max(0, part));
  return (
    <div className="relative w-fit shrink-0">
      <svg aria-hidden viewBox="0 0 176 176" width={size} height={size} className="block">
        {TICKS.map((angle) => (
          <line
            key={angle}
            x1="88"
            y1="22"
            x2="88"
            y2="27"
            stroke="var(--line-strong)"
            strokeWidth="1.5"
            transform={`rotate(${angle} 88 88)`}
          />
        ))}
        <g fill="none" strokeWidth="15" transform="rotate(-90 88 88)">
          <circle cx="88" cy="88" r={RADIUS} stroke="var(--calm)" />
          {shown > 0 && (
            <circle
              cx="88"
              cy="88"
              r={RADIUS}
              stroke={`var(--${tone})`}
              strokeLinecap={shown < 0.97 ? 'round' : 'butt'}
              strokeDasharray={`${shown * LENGTH} ${LENGTH}`}
              className="transition-[stroke-dasharray] duration-200"
            />
          )}
        </g>
      </svg>
      <p className="figures absolute inset-0 flex items-center justify-center font-display text-[28px] font-bold">
        {figure}
        <span className="text-lg">%</span>
      </p>
    </div>
  );
}
