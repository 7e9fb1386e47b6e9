import type { Renewal } from '@hourshare/contract/periods';
import type { ReactNode } from 'react';
import { pastDateText } from '../../platform/format/months.ts';
import { t } from '../../platform/i18n/messages.ts';
import { Tile } from '../../ui/tile.tsx';

/** Says what happens on the day, and by when it can be canceled. */
const eventText = ({ kind, on, auto_renews: renews }: Renewal): string => {
  const day = pastDateText(on);
  if (kind === 'end') return t('Ends on {day}', { day });
  if (kind === 'trial') return t('Free trial ends; paid from {day}', { day });
  return renews ? t('Renews on {day}', { day }) : t('Ends on {day} unless renewed', { day });
};

interface RenewalHeadProps {
  renewal: Renewal;
  /** Makes the name a heading. */
  headingId?: string;
  /** What follows in small type. */
  children?: ReactNode;
}

/** What it is about, and what happens when. */
export function RenewalHead({ renewal, headingId, children }: RenewalHeadProps) {
  const Name = headingId === undefined ? 'p' : 'h2';
  return (
    <>
      <Tile name={renewal.asset_name} />
      <div className="min-w-0 flex-1">
        <Name id={headingId} className="font-semibold [overflow-wrap:anywhere]" dir="auto">
          {renewal.asset_name}
        </Name>
        <p>{eventText(renewal)}</p>
        {children}
      </div>
    </>
  );
}
