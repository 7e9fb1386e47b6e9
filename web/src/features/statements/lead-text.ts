import type { Statement } from '@hourshare/contract/statements';
import { sumAmounts } from '../../platform/format/money.ts';
import { formatMoney } from '../../platform/format/numbers.ts';
import { t } from '../../platform/i18n/messages.ts';
import { joinSentences } from '../../platform/i18n/sentences.ts';

/** Says to the owner what a month comes to, costs beside the price included. */
export function leadText({ lines, price, costs, currency, ended, unbilled }: Statement): string {
  if (unbilled) return t("This month isn't billed, so there's no charge.");
  const members = lines.flatMap(({ role, amount }) => (role === 'member' ? amount : []));
  const owing = members.filter((amount) => amount > 0);
  const owed = members.filter((amount) => amount < 0).map((amount) => -amount);
  const counted = costs.flatMap(({ status, amount }) => (status === 'counted' ? amount : []));
  const whole = formatMoney(sumAmounts([price, ...counted], currency), currency);
  const values = (amounts: number[]) => ({
    count: amounts.length,
    amount: formatMoney(sumAmounts(amounts, currency), currency),
    ended: ended ? 'yes' : 'no',
  });
  if (owing.length + owed.length === 0) return t('You cover all of {price}.', { price: whole });
  return joinSentences(
    owing.length === 0
      ? null
      : t(
          '{count, plural, one {# person owes} other {# people owe}} you {amount} of {price}{ended, select, yes {} other { so far}}.',
          { ...values(owing), price: whole },
        ),
    owed.length === 0
      ? null
      : t(
          'You owe {count, plural, one {# person} other {# people}} {amount}{ended, select, yes {} other { so far}}.',
          values(owed),
        ),
  );
}
