import type { SharedAsset } from '@hourshare/contract/shares';
import { formatHours } from '../../lib/formatting.ts';
import { t } from '../../lib/messages.ts';
import { HourStrip } from '../../ui/progress.tsx';
import { shareTone, usedHours, usedPart } from './rules.ts';

/** The member's use of the allowance; the bar stops at 100%. */
export const ShareStrip = ({ share }: { share: SharedAsset }) => (
  <HourStrip
    label={t('Hours used on {asset} this month', { asset: share.asset_name })}
    valueText={t('{used} of {allowance}', {
      used: formatHours(usedHours(share)),
      allowance: formatHours(share.monthly_hours_allocated),
    })}
    segments={[{ key: 'used', part: Math.min(1, usedPart(share)), tone: shareTone(share) }]}
  />
);
