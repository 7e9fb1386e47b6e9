import type { Statement } from '@hourshare/contract/statements';
import { monthName, pastDateText } from '../../platform/format/months.ts';
import { formatMoney } from '../../platform/format/numbers.ts';
import { t } from '../../platform/i18n/messages.ts';

type Part = Statement['price_parts'][number];

/**
 * Returns what a cycle adds to a month: "Year from March 14, $120.00 for 365 days. November: 30 days, $9.86 (so far $86.13 of
 * $120.00)."
 */
export function pricePartText(part: Part, { month, currency }: Pick<Statement, 'month' | 'currency'>): string {
  const values = {
    unit: part.unit,
    every: part.every,
    from: pastDateText(part.cycle_from),
    price: formatMoney(part.cycle_price, currency),
    month: monthName(month),
    amount: formatMoney(part.amount, currency),
    sofar: formatMoney(part.so_far, currency),
  };
  return part.spread
    ? t(
        '{unit, select, year {{every, plural, one {Year} other {# years}}} other {{every, plural, one {Month} other {# months}}}} from {from}, {price} for {all, plural, one {# day} other {# days}}. {month}: {days, plural, one {# day} other {# days}}, {amount} (so far {sofar} of {price}).',
        { ...values, all: part.cycle_days, days: part.days },
      )
    : t(
        '{unit, select, year {{every, plural, one {Year} other {# years}}} other {{every, plural, one {Month} other {# months}}}} from {from}, {price}, charged when it starts. {month}: {amount}.',
        values,
      );
}

/** Returns what members wanted and the owner decided about a renewal: "Renewed. Votes: keep 2, smaller 1, cancel 0." */
export function renewalText({ decision, votes }: NonNullable<Statement['renewal']>): string {
  const countOf = (choice: (typeof votes)[number]['choice']) => votes.filter((vote) => vote.choice === choice).length;
  return t(
    '{decision, select, renewed {Renewed.} canceled {Canceled.} other {Not decided.}} Votes: keep {keep, number}, smaller {smaller, number}, cancel {cancel, number}.',
    { decision: decision ?? 'none', keep: countOf('keep'), smaller: countOf('smaller'), cancel: countOf('cancel') },
  );
}
