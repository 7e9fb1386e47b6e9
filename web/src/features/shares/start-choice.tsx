import type { OwnedAsset } from '@hourshare/contract/assets';
import { useState } from 'react';
import { dateText } from '../../platform/format/months.ts';
import { t } from '../../platform/i18n/messages.ts';
import { Choice } from '../../ui/choice.tsx';
import { startToPropose } from './offer-text.ts';

/** A question of the last days of a month: whether access starts now or with the next one. Returns it with the answer to send. */
export function useStartChoice(asset: OwnedAsset) {
  const nextMonth = startToPropose(asset);
  const [start, setStart] = useState<'now' | 'later'>('now');
  return {
    startsOn: nextMonth !== null && start === 'later' ? { starts_on: nextMonth } : {},
    startChoice: nextMonth !== null && (
      <div className="mt-4">
        <Choice
          legend={t('This month is almost over. When does access start?')}
          value={start}
          options={[
            { value: 'now', text: t('Now') },
            { value: 'later', text: t('On {day}', { day: dateText(nextMonth) }) },
          ]}
          onChange={setStart}
        />
      </div>
    ),
  };
}
