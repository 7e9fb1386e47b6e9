import type { ReactNode } from 'react';

type BadgeTone = 'accent' | 'plain' | 'live' | 'over';

const tones: Record<BadgeTone, string> = {
  accent: 'bg-accent-soft text-accent-text',
  plain: 'bg-sunken text-muted',
  live: 'bg-live-soft text-live-text',
  over: 'bg-over-soft text-over-text',
};

export function Badge({ tone = 'plain', children }: { tone?: BadgeTone; children: ReactNode }) {
  return (
    <span
      className={`inline-flex h-[22px] shrink-0 items-center gap-1.5 rounded-full px-2 text-[12.5px] font-semibold ${tones[tone]}`}
    >
      {tone === 'live' && <LiveDot />}
      {children}
    </span>
  );
}

export const LiveDot = () => <span aria-hidden className="live-pulse size-2 shrink-0 rounded-full bg-live" />;
