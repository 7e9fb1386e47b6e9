import type { Terms } from '@hourshare/contract/fields';
import { decimalsOf, toAmount, toMinor } from '@hourshare/contract/money';
import { formatMoney, rateText } from '../../platform/format/numbers.ts';
import { t } from '../../platform/i18n/messages.ts';
import { joinSentences } from '../../platform/i18n/sentences.ts';
import { offeredPriceText } from '../periods/cycle-text.ts';
import { hasBaseShare, methodNames } from '../periods/terms-text.ts';

// The server decides whether terms cost more than those agreed to; this says what of them does.

/** A price in minor units, and what shares it. Of nothing, a part costs nothing. */
type Rate = [price: number, by: number];

// Multiplied, because equal prices must be equal.
const isMore = ([price, by]: Rate, [before, beforeBy]: Rate): boolean =>
  by > 0 && (beforeBy === 0 ? price > 0 : price * beforeBy > before * by);

/** Returns what an hour costs by some terms, a month if it is split evenly, and by which parts an hour is paid by allowance and by use. */
function ratesOf(terms: Terms): Record<'whole' | 'allowance' | 'use', Rate> {
  const { split_method: method, total_hours: hours, places, base_percent: percent } = terms;
  const price = toMinor(terms.price, terms.currency);
  const base = hasBaseShare(method) ? Math.floor((price * percent + 50) / 100) : 0;
  return { whole: [price, method === 'equal' ? places : hours], allowance: [base, hours], use: [price - base, hours] };
}

/** Returns what costs more since someone's last yes: "An hour now costs $0.60 instead of $0.50." */
export function askText(now: Terms, agreed: Terms): string {
  const { split_method: method } = now;
  if (method !== agreed.split_method)
    return t('The price is now split like this: {method}. You agreed to: {agreed}.', {
      method: methodNames[method](),
      agreed: methodNames[agreed.split_method](),
    });
  const [rates, before] = [ratesOf(now), ratesOf(agreed)];
  const rose = (rate: keyof typeof rates) => isMore(rates[rate], before[rate]);
  const paysForHours = method === 'allocation' || rates.allowance[0] > 0;
  const limited = method === 'share_of_use';
  const texts = [
    planText(now, agreed),
    limited ? limitText(now, agreed) : null,
    rose('whole') && (!limited || rose('allowance')) ? wholeText(now, agreed) : null,
    rose('allowance') && now.base_percent > agreed.base_percent ? byAllowance() : null,
    method === 'usage' && rose('use') && now.base_percent < agreed.base_percent ? byUse() : null,
    paysForHours && now.monthly_hours > agreed.monthly_hours
      ? t('You now have {hours} hours a month instead of {before}, which costs more.', {
          hours: now.monthly_hours,
          before: agreed.monthly_hours,
        })
      : null,
    now.extra_cost_limit > agreed.extra_cost_limit
      ? t('Extra costs of up to {now} a month instead of {before} would count without asking you.', {
          now: formatMoney(now.extra_cost_limit, now.currency),
          before: formatMoney(agreed.extra_cost_limit, now.currency),
        })
      : null,
  ].filter((text) => text !== null);
  // A part that only rounding made larger.
  return joinSentences(...(texts.length > 0 ? texts : [rose('allowance') ? byAllowance() : byUse()]));
}

/** Says how it is paid now, if that is in other cycles or at other times. */
function planText(now: Terms, agreed: Terms): string | null {
  // The price beside a plan is that of an average month.
  const priceText = (terms: Terms) => offeredPriceText({ ...terms, price: terms.plan?.price ?? terms.price });
  const [cycle, cycleBefore] = [now.plan?.cycle ?? null, agreed.plan?.cycle ?? null];
  if (cycle?.unit !== cycleBefore?.unit || cycle?.every !== cycleBefore?.every)
    return t('The price is now {now} instead of {before}.', { now: priceText(now), before: priceText(agreed) });
  if (now.plan?.spread === false && agreed.plan?.spread === true)
    return t('All of the price now comes in the month of a renewal.');
  const isLater = (now.plan?.spread_from ?? '') > (agreed.plan?.spread_from ?? '');
  if (cycle?.anchor !== cycleBefore?.anchor || now.plan?.spread !== agreed.plan?.spread || isLater)
    return t('It is now paid at other times.');
  return (now.plan?.trial_until ?? '') < (agreed.plan?.trial_until ?? '') ? t('Less of it is free now.') : null;
}

const byAllowance = () => t('More of the price is now split by allowance.');
const byUse = () => t('More of the price is now split by use.');

/** Says what an hour or a month costs, or what all of them do, if hours are limited and only a part is paid for all of them. */
function wholeText(now: Terms, agreed: Terms): string {
  const { split_method: method, currency } = now;
  if (method === 'share_of_use' && now.price > agreed.price)
    return t('The price is now {now} instead of {before}.', {
      now: formatMoney(now.price, currency),
      before: formatMoney(agreed.price, currency),
    });
  const rateOf = (terms: Terms) => {
    const [price, by] = ratesOf(terms)[method === 'share_of_use' ? 'allowance' : 'whole'];
    return by === 0 ? 0 : toAmount(price, currency) / by;
  };
  const texts = toldApart(rateOf(now), rateOf(agreed), currency);
  if (method === 'equal') return t('A month now costs {now} instead of {before}.', texts);
  return method === 'share_of_use'
    ? t('An hour of your allowance now costs {now} instead of {before}.', texts)
    : t('An hour now costs {now} instead of {before}.', texts);
}

/** Returns two prices with as many decimals as it takes to tell them apart. */
function toldApart(rate: number, other: number, currency: string): { now: string; before: string } {
  const least = decimalsOf(currency);
  for (let decimals = least; decimals < least + 8; decimals += 1) {
    const [now, before] = [rateText(rate, currency, decimals), rateText(other, currency, decimals)];
    if (now !== before) return { now, before };
  }
  return { now: rateText(rate, currency), before: rateText(other, currency) };
}

/** Says what an hour costs at most, if that is more. */
function limitText({ max_price_per_hour: now, currency }: Terms, { max_price_per_hour: before }: Terms): string | null {
  if ((now ?? 0) <= (before ?? 0)) return null;
  const texts = { now: rateText(now ?? 0, currency), before: rateText(before ?? 0, currency) };
  return t('An hour now costs at most {now} instead of {before}.', texts);
}
