import type { OwnedAsset } from '@hourshare/contract/assets';
import type { Terms } from '@hourshare/contract/fields';
import { dateText, daysInMonth, monthAfter } from '../../platform/format/months.ts';
import { formatHours, formatMoney } from '../../platform/format/numbers.ts';
import { serverNow } from '../../platform/http/server-clock.ts';
import { t } from '../../platform/i18n/messages.ts';
import { joinSentences } from '../../platform/i18n/sentences.ts';

interface Offered {
  measured: boolean;
  terms: Terms | null;
  cost_of_all: number | null;
}

/** Says what someone gets by accepting, and what all of it costs them a month. */
export function offerText({ measured, terms, cost_of_all: cost }: Offered): string {
  if (terms === null || cost === null) return '';
  return joinSentences(accessText({ measured, terms, cost }), extraCostsText(terms));
}

/** Says how much of extra costs counts without asking; null if nothing does. */
const extraCostsText = ({ extra_cost_limit: limit, currency }: Terms): string | null =>
  limit > 0
    ? t('Extra costs of up to {amount} a month count without asking you.', { amount: formatMoney(limit, currency) })
    : null;

function accessText({ measured, terms, cost }: { measured: boolean; terms: Terms; cost: number }): string {
  const amount = formatMoney(cost, terms.currency);
  if (!measured) return t('You pay {amount} a month.', { amount });
  const hours = formatHours(terms.monthly_hours);
  return terms.split_method === 'share_of_use'
    ? t('{hours} a month. All of it costs you at most {amount}.', { hours, amount })
    : t('{hours} a month. All of it costs you {amount}.', { hours, amount });
}

export const startsText = (day: string): string => t('Starts on {day}.', { day: dateText(day) });

/** In the last days of a month, access is proposed to start with the next one, which then isn't paid for just a few days. */
const LAST_DAYS = 7;

/** Returns the first day of an asset's next month if access may rather start then; null before the last days of a month. */
export function startToPropose(
  { time_zone: timeZone }: Pick<OwnedAsset, 'time_zone'>,
  now = serverNow(),
): string | null {
  // Swedish writes dates as YYYY-MM-DD.
  const today = new Date(now).toLocaleDateString('sv-SE', { timeZone });
  const month = today.slice(0, 7);
  return Number(today.slice(8)) > daysInMonth(month) - LAST_DAYS ? `${monthAfter(month, 1)}-01` : null;
}
