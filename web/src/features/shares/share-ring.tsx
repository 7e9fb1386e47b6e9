import type { SharedAsset } from '@hourshare/contract/shares';
import { useMemo } from 'react';
import { formatHours, formatNumber } from '../../platform/format/numbers.ts';
import { t } from '../../platform/i18n/messages.ts';
import { Ring } from '../../ui/ring.tsx';
import { runningHours, usedHours, usedPart } from './rules.ts';

/** The member's use of the allowance this month as a ring: the percentage, and the hours or what is over. */
export function ShareRing({ share }: { share: SharedAsset }) {
  const { monthly_hours_allocated: allowance } = share;
  const used = usedHours(share);
  const running = useMemo(() => runningHours(share), [share]);
  return (
    <Ring
      part={usedPart(share)}
      running={allowance > 0 ? running / allowance : 0}
      detail={
        used > allowance
          ? t('+{hours}', { hours: formatHours(used - allowance) })
          : t('{used} of {allowance}', { used: formatNumber(used), allowance: formatHours(allowance) })
      }
    />
  );
}
