import type { PaidPlan } from '@hourshare/contract/cycles';
import type { NextPrice, NextTerms, SplitMethod } from '@hourshare/contract/fields';
import { formatHours, formatMoney, percentText } from '../../platform/format/numbers.ts';
import { offeredPriceText } from './cycle-text.ts';
import { listFormat } from '../../platform/i18n/language.ts';
import { t } from '../../platform/i18n/messages.ts';
import { monthText } from '../../platform/format/months.ts';

export const methodNames: Record<SplitMethod, () => string> = {
  usage: () => t('Price per hour'),
  allocation: () => t('By allowance'),
  equal: () => t('Evenly'),
  share_of_use: () => t('Share of use'),
};

/** Whether a part of the price can be split by allowance and the rest by the method. */
export const hasBaseShare = (method: SplitMethod): boolean => method === 'usage' || method === 'share_of_use';

type Terms = Pick<NextTerms, 'split_method' | 'base_percent'>;

/** Says to the owner how a price is split, in one sentence. */
export function splitSentence({
  split_method: method,
  base_percent: base,
  measured,
  owner_takes_part: takesPart,
}: Terms & Pick<NextTerms, 'measured' | 'owner_takes_part'>): string {
  if (!measured) return t('Everyone pays the same, and there is nothing to track.');
  if (method === 'equal') return t('Everyone pays the same, including you.');
  if (method === 'allocation') return t('Each person pays for their allowance, used or not.');
  if (base > 0)
    return t('{percent} of the price is split by allowance, the rest by use.', { percent: percentText(base) });
  if (method === 'usage') return t('Each person pays for their use, and you cover the rest.');
  return takesPart
    ? t('Everyone pays by their share of use, including you.')
    : t("You aren't measured, so the others pay.");
}

/** Returns the split method with its base share, if any. */
export const methodText = ({ split_method: method, base_percent: base }: Terms): string =>
  hasBaseShare(method) && base > 0
    ? t('{method}, {percent} by allowance', { method: methodNames[method](), percent: percentText(base) })
    : methodNames[method]();

/**
 * Returns all terms in words: the split, the most that an hour costs, the hours reserved for the owner, whether they take part, and the
 * session limit.
 */
export const termsText = (
  terms: Omit<NextTerms, 'from_month' | 'extra_cost_limit'> & { extra_cost_limit?: number },
  currency: string,
): string =>
  listFormat({ type: 'unit' }).format([
    methodText(terms),
    ...(terms.max_price_per_hour === null
      ? []
      : [t('at most {price} an hour', { price: formatMoney(terms.max_price_per_hour, currency) })]),
    ...(terms.owner_hours > 0 && terms.split_method !== 'equal'
      ? [t('{hours} reserved for the owner', { hours: formatHours(terms.owner_hours) })]
      : []),
    ...(terms.owner_takes_part ? [t('the owner takes part')] : []),
    ...((terms.extra_cost_limit ?? 0) > 0
      ? [t('extra costs of up to {amount} a month', { amount: formatMoney(terms.extra_cost_limit ?? 0, currency) })]
      : []),
    terms.measured
      ? t('sessions of up to {hours}', { hours: formatHours(terms.max_session_hours) })
      : t('not measured'),
  ]);

/** Says what an asset will cost in later months and how they will be split, in sentences, if either changes. */
export function laterTexts({
  next_terms: terms,
  next_price: next,
  currency,
  plan,
}: {
  next_terms: NextTerms | null;
  next_price: NextPrice | null;
  currency: string;
  plan?: PaidPlan | undefined;
}): string[] {
  return [
    ...(next
      ? [
          t('Starting {month}: {price} in total.', {
            month: monthText(next.from_month),
            price: offeredPriceText({ price: next.price, currency, plan }),
          }),
        ]
      : []),
    ...(terms ? [nextTermsText(terms, currency)] : []),
  ];
}

export const nextTermsText = (terms: NextTerms, currency: string): string =>
  t('Starting {month}: {terms}.', { month: monthText(terms.from_month), terms: termsText(terms, currency) });
