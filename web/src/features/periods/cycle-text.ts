import type { Cycle, PaidPlan } from '@hourshare/contract/cycles';
import { formatMoney } from '../../platform/format/numbers.ts';
import { t } from '../../platform/i18n/messages.ts';

interface Price {
  price: number;
  currency: string;
  cycle: Pick<Cycle, 'every' | 'unit'> | null;
}

/** Returns "$120.00 a year", "$30.00 every 3 months", or "$10.00 a month". */
export const cyclePriceText = ({ price, currency, cycle }: Price): string =>
  t(
    '{unit, select, year {{every, plural, one {{price} a year} other {{price} every # years}}} other {{every, plural, one {{price} a month} other {{price} every # months}}}}',
    { unit: cycle?.unit ?? 'month', every: cycle?.every ?? 1, price: formatMoney(price, currency) },
  );

/** Returns what an offer or an invitation costs, as it is paid. */
export const offeredPriceText = ({
  price,
  currency,
  plan,
}: {
  price: number;
  currency: string;
  plan?: PaidPlan | undefined;
}): string => cyclePriceText({ price, currency, cycle: plan?.cycle ?? null });
