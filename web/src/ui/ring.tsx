import { Check, Plus } from 'lucide-react';
import { useId, type ReactNode } from 'react';
import { Avatar, type AvatarProps } from './avatar.tsx';
import { classes } from './class-names.ts';
import { hueOf } from './hue.ts';

// The product's picture: hours around a clock. It says how much is used, and stands for what is empty, broken, or done.

const RADIUS = 44.5;
const LENGTH = 2 * Math.PI * RADIUS;

interface ArcProps {
  from: number;
  to: number;
  stroke: string;
  /** Round ends reach a little beyond; arcs that meet have straight ones. */
  straight?: boolean;
  className?: string;
}

const Arc = ({
  from,
  to,
  stroke,
  straight = false,
  className = 'transition-[stroke-dasharray] duration-200',
}: ArcProps) =>
  to > from && (
    <circle
      cx="50"
      cy="50"
      r={RADIUS}
      stroke={stroke}
      strokeLinecap={straight ? undefined : 'round'}
      strokeDasharray={`${(to - from) * LENGTH} ${LENGTH}`}
      transform={`rotate(${from * 360 - 90} 50 50)`}
      className={className}
    />
  );

const Track = () => <circle cx="50" cy="50" r={RADIUS} stroke="var(--calm)" />;

const sizes = { small: 'size-13', medium: 'size-19 md:size-28', large: 'size-58' };

interface RingProps {
  /** The used part of the whole; beyond 1, the turn is the use, with a notch at the whole. */
  part: number;
  /** The part used by the running session. */
  running?: number;
  size?: keyof typeof sizes;
  /** In the middle: the figure that answers the question. */
  children?: ReactNode;
}

/** Use as a ring that fills up. What it shows is also in words beside it. */
export function Ring({ part, running = 0, size = 'large', children }: RingProps) {
  const hatch = useId();
  const isOver = part > 1;
  const whole = Math.max(1, part);
  const used = Math.min(1, Math.max(0, part));
  const live = isOver ? 0 : Math.min(used, running);
  return (
    <div className={classes('relative grid shrink-0 place-items-center text-center', sizes[size])}>
      <svg
        aria-hidden
        viewBox="0 0 100 100"
        fill="none"
        strokeWidth="10"
        className="absolute inset-0 size-full rtl:-scale-x-100"
      >
        <pattern id={hatch} width="4" height="4" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <rect width="4" height="4" fill="var(--over)" />
          <rect width="2" height="4" fill="var(--pattern)" />
        </pattern>
        <Track />
        <Arc from={0} to={(used - live) / whole} stroke="var(--accent)" straight={isOver} />
        <Arc from={used - live} to={used} stroke="var(--live)" />
        <Arc from={1 / whole} to={1} stroke={`url(#${hatch})`} straight />
        {isOver && (
          <line
            x1="50"
            x2="50"
            y1="-1"
            y2="12"
            stroke="var(--over-text)"
            strokeWidth="2"
            transform={`rotate(${360 / whole} 50 50)`}
          />
        )}
      </svg>
      <div className="relative">{children}</div>
    </div>
  );
}

const art = 'relative grid size-46 shrink-0 place-items-center md:size-58';
const artSvg = 'absolute inset-0 size-full overflow-visible rtl:-scale-x-100';

const PLACES = ['top-[5.5%] start-1/2', 'top-[72.3%] start-[88.5%]', 'top-[72.3%] start-[11.5%]'];

interface FacesRingProps {
  /** Up to three, clockwise from the top; the other places are empty. */
  faces: Pick<AvatarProps, 'name' | 'hue'>[];
  /** In the middle, such as the asset they share. */
  children?: ReactNode;
}

/** Faces around a ring, with a place for each who is missing. */
export const FacesRing = ({ faces, children }: FacesRingProps) => (
  <div aria-hidden className={art}>
    <svg viewBox="0 0 100 100" fill="none" strokeWidth="7" className={artSvg}>
      <Track />
      {PLACES.map((_, index) => {
        const face = faces[index];
        return (
          face && (
            <Arc
              key={index}
              from={index / 3 + 0.06}
              to={index / 3 + 0.275}
              stroke={`var(--${hueOf(face.hue)}, var(--muted))`}
              straight
            />
          )
        );
      })}
    </svg>
    {PLACES.map((place, index) => {
      const face = faces[index];
      return (
        <span
          key={index}
          className={`absolute inline-flex -translate-1/2 rounded-full border-[5px] rtl:translate-x-1/2 border-surface ${place}`}
        >
          {face ? (
            <Avatar {...face} size="large" className="transition-transform duration-300 starting:scale-50" />
          ) : (
            <span className="inline-flex size-12 items-center justify-center rounded-full bg-sunken text-muted">
              <Plus size={20} />
            </span>
          )}
        </span>
      );
    })}
    <div className="relative">{children}</div>
  </div>
);

/** For what failed: a part has broken off. */
export const BrokenRing = () => (
  <div aria-hidden className={art}>
    <svg viewBox="0 0 100 100" fill="none" strokeWidth="7" className={artSvg}>
      <Arc from={0.04} to={0.6} stroke="var(--calm)" />
      <g transform="translate(-7 -8)">
        <Arc from={0.72} to={0.89} stroke="var(--over)" />
      </g>
    </svg>
  </div>
);

/** For what is done: the ring has closed, around a face or a figure. It closes when it appears. */
export const FullRing = ({ children }: { children?: ReactNode }) => (
  <div className="relative grid size-28 shrink-0 place-items-center">
    <svg aria-hidden viewBox="0 0 100 100" fill="none" strokeWidth="6.5" className={artSvg}>
      <Track />
      <Arc from={0} to={1} stroke="var(--accent)" className="ring-closes" />
    </svg>
    <div className="relative">{children}</div>
    <span className="absolute end-0 bottom-0 inline-flex size-8.5 items-center justify-center rounded-full bg-accent text-accent-ink shadow-[0_0_0_4px_var(--surface)]">
      <Check aria-hidden size={20} />
    </span>
  </div>
);

/** For what waits, such as for a connection. As large as an icon. */
export const PausedRing = () => (
  <svg aria-hidden width="22" height="22" viewBox="0 0 32 32" fill="none" strokeWidth="5" className="shrink-0">
    <circle cx="16" cy="16" r="13" stroke="var(--line-field)" strokeDasharray="17 3.4" />
    <path d="M12.5 11v10M19.5 11v10" stroke="var(--muted)" strokeWidth="4" strokeLinecap="round" />
  </svg>
);
