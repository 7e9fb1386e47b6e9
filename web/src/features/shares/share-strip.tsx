import type { SharedAsset } from '@hourshare/contract/shares';
import { useMemo } from 'react';
import { formatHours } from '../../platform/format/numbers.ts';
import { t } from '../../platform/i18n/messages.ts';
import { monthPassed } from '../../platform/format/months.ts';
import { HourStrip } from '../../ui/progress.tsx';
import { runningHours, usedHours } from './rules.ts';

/** The member's use of the allowance this month. Only what runs now is amber. */
export function ShareStrip({ share }: { share: SharedAsset }) {
  const used = usedHours(share);
  // As of when the server counted the use, not of every render.
  const running = useMemo(() => runningHours(share), [share]);
  return (
    <HourStrip
      label={t('Hours used on {asset} this month', { asset: share.asset_name })}
      valueText={t('{used} of {allowance}', {
        used: formatHours(used),
        allowance: formatHours(share.monthly_hours_allocated),
      })}
      segments={[
        { key: 'used', hours: used - running, tone: 'accent' },
        { key: 'running', hours: running, tone: 'live' },
      ]}
      allowance={share.monthly_hours_allocated}
      today={monthPassed()}
    />
  );
}
