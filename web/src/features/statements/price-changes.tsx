import type { Statement } from '@hourshare/contract/statements';
import { useId } from 'react';
import { formatMoney } from '../../lib/formatting.ts';
import { t } from '../../lib/messages.ts';
import { dateTimeText } from '../../lib/time.ts';
import { classes } from '../../ui/class-names.ts';

interface PriceChangesProps {
  statement: Pick<Statement, 'price_changes'>;
  className?: string;
}

/** When a month's price was changed since it began, and from what to what; nothing if it wasn't. */
export function PriceChanges({ statement: { price_changes: changes }, className }: PriceChangesProps) {
  const id = useId();
  if (changes.length === 0) return null;
  return (
    <div className={classes('text-[14px]', className)}>
      <p id={id} className="font-semibold">
        {t('Price changes')}
      </p>
      <ul role="list" aria-labelledby={id} className="mt-0.5">
        {changes.map(({ at, from, from_currency, to, to_currency }, index) => (
          <li key={index} className="flex flex-wrap justify-between gap-x-4">
            <time dateTime={at} className="text-muted">
              {dateTimeText(at)}
            </time>
            <span className="figures">
              {t('{from} → {to}', { from: formatMoney(from, from_currency), to: formatMoney(to, to_currency) })}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
