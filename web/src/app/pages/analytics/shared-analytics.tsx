import type { SharedAsset } from '@hourshare/contract/shares';
import { AnalyticsView } from '../../../features/analytics/analytics-view.tsx';
import { compareUse, leftText, runningPart, usedPart } from '../../../features/shares/rules.ts';
import { t } from '../../../platform/i18n/messages.ts';
import { MAX_RINGS, RingPicker } from './ring-picker.tsx';

interface SharedAnalyticsProps {
  shares: SharedAsset[];
  selected: SharedAsset;
}

/** The figures of one share, with all of them to pick from. */
export const SharedAnalytics = ({ shares, selected }: SharedAnalyticsProps) => (
  <>
    {shares.length > 1 && shares.length <= MAX_RINGS && (
      <RingPicker
        label={t('All assets shared with you')}
        selected={selected.id}
        choices={shares.toSorted(compareUse).map((share) => ({
          id: share.id,
          name: share.asset_name,
          owner: share.owner,
          part: usedPart(share),
          running: runningPart(share),
          text: leftText(share),
          search: { share: share.id },
        }))}
      />
    )}
    <AnalyticsView key={selected.id} share={selected} />
  </>
);
