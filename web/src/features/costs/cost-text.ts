import type { Cost, CostSplit } from '@hourshare/contract/costs';
import type { StatementCost } from '@hourshare/contract/statements';
import { dateShort } from '../../platform/format/months.ts';
import { formatMoney } from '../../platform/format/numbers.ts';
import { t } from '../../platform/i18n/messages.ts';

/** How a cost is split, in a choice. */
export const splitNames: Record<CostSplit, () => string> = {
  month: () => t('Like the price'),
  usage: () => t('By use'),
  equal: () => t('Evenly'),
  allocation: () => t('By allowance'),
  person: () => t('One person'),
};

const splitWords: Record<Exclude<CostSplit, 'person'>, () => string> = {
  month: () => t('split like the price'),
  usage: () => t('by use'),
  equal: () => t('evenly'),
  allocation: () => t('by allowance'),
};

type Told = Pick<Cost | StatementCost, 'text' | 'date' | 'amount' | 'split' | 'paid_by' | 'person'>;

/** Says what a cost was: "Fuel, Nov 12, $60.00 paid by ana, by use". */
export function costText({ text, date, amount, split, paid_by: payer, person }: Told, currency: string): string {
  const way = split === 'person' ? t('for {name}', { name: person ?? '–' }) : splitWords[split]();
  return t('{cost}, {day}, {amount} paid by {name}, {way}', {
    cost: text,
    day: dateShort(date),
    amount: formatMoney(amount, currency),
    name: payer ?? '–',
    way,
  });
}
