import type { SharedAsset } from '@hourshare/contract/shares';
import { formatHours } from '../../lib/formatting.ts';
import { HourStrip } from '../../ui/progress.tsx';
import { shareTone, usedHours, usedPart } from './rules.ts';

/** The member's use of the allowance; the bar stops at 100%. */
export const ShareStrip = ({ share }: { share: SharedAsset }) => (
  <HourStrip
    label={`Hours used of ${share.asset_name} this month`}
    valueText={`${formatHours(usedHours(share))} of ${formatHours(share.monthly_hours_allocated)}`}
    segments={[{ key: 'used', part: Math.min(1, usedPart(share)), tone: shareTone(share) }]}
  />
);
