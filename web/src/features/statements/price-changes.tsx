import type { Statement } from '@hourshare/contract/statements';
import { useId } from 'react';
import { formatMoney } from '../../platform/format/numbers.ts';
import { t } from '../../platform/i18n/messages.ts';
import { monthText } from '../../platform/format/months.ts';
import { dateTimeText } from '../../platform/format/time.ts';
import { pricePartText, renewalText } from './plan-text.ts';
import { classes } from '../../ui/class-names.ts';

interface PriceChangesProps {
  statement: Pick<
    Statement,
    'month' | 'price_parts' | 'renewal' | 'price' | 'currency' | 'price_changes' | 'next_price'
  >;
  className?: string;
}

/** What each cycle adds to a month's price, when the price was changed, from what to what, and what it will be; nothing without any. */
export function PriceChanges({ statement, className }: PriceChangesProps) {
  const id = useId();
  const { price_changes: changes, next_price: next, price_parts: parts, currency } = statement;
  const price = parts.at(-1)?.cycle_price ?? statement.price;
  if (changes.length === 0 && !next && parts.length === 0 && !statement.renewal) return null;
  const texts = parts.map((part) => (
    <p key={part.cycle_from} className="figures">
      {pricePartText(part, statement)}
    </p>
  ));
  if (statement.renewal) texts.push(<p key="renewal">{renewalText(statement.renewal)}</p>);
  if (changes.length === 0 && !next) return <div className={classes('text-[14px]', className)}>{texts}</div>;
  return (
    <div className={classes('text-[14px]', className)}>
      {texts}
      <p id={id} className="font-semibold">
        {t('Price changes')}
      </p>
      <ul role="list" aria-labelledby={id} className="mt-0.5">
        {changes.map(({ at, from, to }, index) => (
          <li key={index} className="flex flex-wrap justify-between gap-x-4">
            <time dateTime={at} className="text-muted">
              {dateTimeText(at)}
            </time>
            <span className="figures">
              {t('{from} → {to}', { from: formatMoney(from, currency), to: formatMoney(to, currency) })}
            </span>
          </li>
        ))}
        {next && (
          <li className="flex flex-wrap justify-between gap-x-4">
            <span className="text-muted">{t('Starting {month}', { month: monthText(next.from_month) })}</span>
            <span className="figures">
              {t('{from} → {to}', { from: formatMoney(price, currency), to: formatMoney(next.price, currency) })}
            </span>
          </li>
        )}
      </ul>
    </div>
  );
}
