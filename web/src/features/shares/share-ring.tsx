import type { SharedAsset } from '@hourshare/contract/shares';
import { useMemo, type ReactNode } from 'react';
import { formatHours } from '../../platform/format/numbers.ts';
import { rich } from '../../platform/i18n/messages.ts';
import { Ring } from '../../ui/ring.tsx';
import { leftHours, runningPart, usedPart } from './rules.ts';

const figure = (text: ReactNode) => (
  <b className="figures block font-display text-[46px] leading-none tracking-tight">{text}</b>
);

interface ShareRingProps {
  share: SharedAsset;
  size?: 'medium' | 'large';
  /** In the middle; by default, what is left. */
  children?: ReactNode;
}

/** The member's use of the allowance this month as a ring. */
export function ShareRing({ share, size = 'large', children }: ShareRingProps) {
  const running = useMemo(() => runningPart(share), [share]);
  const left = leftHours(share);
  const hours = formatHours(Math.abs(left));
  return (
    <Ring part={usedPart(share)} running={running} size={size}>
      {children ?? (
        <p className={left < 0 ? 'text-over-text' : ''}>
          {left < 0
            ? rich('<figure>{hours}</figure> over', { hours, figure })
            : rich('<figure>{hours}</figure> left', { hours, figure })}
        </p>
      )}
    </Ring>
  );
}
