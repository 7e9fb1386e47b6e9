import type { Renewal } from '@hourshare/contract/periods';
import { pastDateText } from '../../platform/format/months.ts';
import { t } from '../../platform/i18n/messages.ts';
import { Tile } from '../../ui/tile.tsx';

/** Says what happens on the day, and by when it can be canceled. */
export const eventText = ({ kind, on, auto_renews: renews, decision }: Renewal): string => {
  const day = pastDateText(on);
  if (kind === 'end') return t('Ends on {day}', { day });
  if (kind === 'trial') return t('Free trial ends; paid from {day}', { day });
  return renews || decision === 'renewed' ? t('Renews {day}', { day }) : t('Ends on {day} unless renewed', { day });
};

/** What it is about, and what happens when. */
export const RenewalHead = ({ renewal }: { renewal: Renewal }) => (
  <>
    <Tile name={renewal.asset_name} />
    <div className="min-w-0 flex-1">
      <p className="font-semibold [overflow-wrap:anywhere]" dir="auto">
        {renewal.asset_name}
      </p>
      <p>{eventText(renewal)}</p>
    </div>
  </>
);
