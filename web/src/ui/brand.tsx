import { Link } from '@tanstack/react-router';
import { paths } from '../platform/paths.ts';

/** The ring of a month: used, running, and the rest. */
const Mark = ({ size = 24 }: { size?: number }) => (
  <svg
    aria-hidden
    width={size}
    height={size}
    viewBox="0 0 32 32"
    fill="none"
    strokeWidth="6"
    className="shrink-0 max-[359px]:group-data-narrow/bar:hidden"
  >
    <circle cx="16" cy="16" r="12" stroke="var(--calm)" />
    <path d="M16 4a12 12 0 0 1 5.07 22.88" stroke="var(--accent)" />
    <path d="M21.07 26.88A12 12 0 0 1 5.12 21.07" stroke="var(--live)" />
  </svg>
);

/** The product name; on paper it is the only part of the frame. */
export const Wordmark = () => (
  <>
    {/* oxlint-disable-next-line hourshare/text-in-catalog -- the brand, the same in every language */}
    Hour<span className="font-normal text-accent-text">Share</span>
  </>
);

export const Logo = () => (
  <>
    <Mark />
    <span className="font-display text-[21px] font-bold tracking-[-0.01em]">
      <Wordmark />
    </span>
  </>
);

export const Brand = ({ to = paths.landing }: { to?: typeof paths.landing | typeof paths.dashboard }) => (
  <Link to={to} aria-label="HourShare" className="flex min-h-11 items-center gap-2 rounded-control">
    <Logo />
  </Link>
);
