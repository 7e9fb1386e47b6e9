import type { SharedAsset } from '@hourshare/contract/shares';
import { formatMoney } from '../../platform/format/numbers.ts';
import { t } from '../../platform/i18n/messages.ts';
import { Button } from '../../ui/button.tsx';
import { placesText } from '../periods/place-text.ts';
import { plainCost } from './rules.ts';

interface PlainShareProps {
  share: SharedAsset;
  headingId: string;
  onAction: () => void;
}

/** What someone pays for an asset that isn't measured: its card has nothing to start. */
export function PlainShare({ share, headingId, onAction }: PlainShareProps) {
  const cost = plainCost(share);
  return (
    <div className="mt-auto flex items-end justify-between gap-3 pt-3.5">
      {cost && (
        <div className="min-w-0">
          <p className="figures font-display text-[20px] leading-tight font-bold">
            {t('You pay {amount} a month', { amount: formatMoney(cost.amount, cost.currency) })}
          </p>
          <p className="figures mt-1 text-[13.5px] text-muted">{placesText(cost)}</p>
        </div>
      )}
      <Button look="outline" size="small" onClick={onAction} aria-describedby={headingId} className="ms-auto shrink-0">
        {t('Details')}
      </Button>
    </div>
  );
}
