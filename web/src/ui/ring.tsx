import { useId, type ReactNode } from 'react';
import { percentText } from '../platform/format/numbers.ts';

const RADIUS = 76;
const LENGTH = 2 * Math.PI * RADIUS;
const TICKS = Array.from({ length: 12 }, (_, hour) => hour * 30);

// Rounds, but keeps anything below the whole at 99 or less.
const wholePercent = (part: number) => (part < 1 ? Math.min(99, Math.round(part * 100)) : Math.round(part * 100));

interface ArcProps {
  from: number;
  to: number;
  stroke: string;
}

const Arc = ({ from, to, stroke }: ArcProps) =>
  to > from && (
    <circle
      cx="88"
      cy="88"
      r={RADIUS}
      stroke={stroke}
      strokeWidth="15"
      strokeDasharray={`${(to - from) * LENGTH} ${LENGTH}`}
      transform={`rotate(${from * 360} 88 88)`}
      className="transition-[stroke-dasharray] duration-200"
    />
  );

const Cut = ({ at, stroke, from, to }: { at: number; stroke: string; from: number; to: number }) => (
  <line x1="88" x2="88" y1={from} y2={to} stroke={stroke} strokeWidth="2.5" transform={`rotate(${at * 360} 88 88)`} />
);

interface RingProps {
  part: number;
  /** The part used by the running session. */
  running?: number;
  /** Below the percentage, such as the hours. */
  detail?: ReactNode;
}

/** A dial with clock ticks that fills up to one turn. Beyond it, the turn is the use, with a notch at the whole. */
export function Ring({ part, running = 0, detail }: RingProps) {
  const hatch = useId();
  const over = part > 1;
  const whole = Math.max(1, part);
  const used = Math.min(1, Math.max(0, part));
  const live = over ? 0 : Math.min(used, running);
  return (
    <div className="relative w-fit shrink-0">
      <svg aria-hidden viewBox="0 0 176 176" width="176" height="176" className="block">
        <pattern id={hatch} width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <rect width="5" height="5" fill="var(--over)" />
          <rect width="2.5" height="5" fill="var(--pattern)" />
        </pattern>
        {TICKS.map((angle) => (
          <line
            key={angle}
            x1="88"
            y1="22"
            x2="88"
            y2="27"
            stroke="var(--line-field)"
            strokeWidth="1.5"
            transform={`rotate(${angle} 88 88)`}
          />
        ))}
        <g fill="none">
          <g transform="rotate(-90 88 88)">
            {/* The edge of the rest has a contrast of 3:1; its fill alone doesn't. */}
            <circle cx="88" cy="88" r={RADIUS} stroke="var(--line-field)" strokeWidth="15" />
            <circle cx="88" cy="88" r={RADIUS} stroke="var(--calm)" strokeWidth="13" />
            <Arc from={0} to={(used - live) / whole} stroke="var(--accent)" />
            <Arc from={used - live} to={used} stroke="var(--live)" />
            <Arc from={1 / whole} to={1} stroke={`url(#${hatch})`} />
          </g>
          {/* A gap, which sets apart what runs from what was used before. */}
          {live > 0 && live < used && <Cut at={used - live} stroke="var(--surface)" from={4.5} to={19.5} />}
          {live > 0 && <Cut at={used} stroke="var(--live-text)" from={4.5} to={19.5} />}
          {over && <Cut at={1 / whole} stroke="var(--over-text)" from={0} to={24} />}
        </g>
      </svg>
      <p
        className={`figures absolute inset-0 flex flex-col items-center justify-center font-display text-[28px] leading-tight font-bold ${over ? 'text-over-text' : ''}`}
      >
        <span>{percentText(wholePercent(part))}</span>
        {detail !== undefined && (
          <span className={`font-sans text-[13px] ${over ? 'font-semibold' : 'font-normal text-muted'}`}>{detail}</span>
        )}
      </p>
    </div>
  );
}
