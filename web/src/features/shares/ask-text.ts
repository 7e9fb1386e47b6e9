import type { Terms } from '@hourshare/contract/fields';
import { rateText } from '../../platform/format/numbers.ts';
import { t } from '../../platform/i18n/messages.ts';
import { methodNames } from '../periods/terms-text.ts';

/** What an hour or a place costs by some terms. */
function rateOf({ split_method: method, price, total_hours: hours, places, max_price_per_hour: most }: Terms): number {
  if (method === 'share_of_use') return most ?? 0;
  return price / Math.max(1, method === 'equal' ? places : hours);
}

/** Returns what costs more since someone's last yes: "An hour now costs $0.60 instead of $0.50." */
export function askText(now: Terms, agreed: Terms): string {
  if (now.split_method !== agreed.split_method)
    return t('The price is now split like this: {method}. You agreed to: {agreed}.', {
      method: methodNames[now.split_method](),
      agreed: methodNames[agreed.split_method](),
    });
  const [rate, before] = [rateOf(now), rateOf(agreed)];
  if (rate <= before) {
    if (now.split_method === 'usage' && now.base_percent < agreed.base_percent)
      return t('More of the price is now split by use.');
    return now.base_percent > agreed.base_percent || now.monthly_hours <= agreed.monthly_hours
      ? t('More of the price is now split by allowance.')
      : t('You now have {hours} hours a month instead of {before}, which costs more.', {
          hours: now.monthly_hours,
          before: agreed.monthly_hours,
        });
  }
  const texts = { now: rateText(rate, now.currency), before: rateText(before, now.currency) };
  if (now.split_method === 'equal') return t('A month now costs {now} instead of {before}.', texts);
  return now.split_method === 'share_of_use'
    ? t('An hour now costs at most {now} instead of {before}.', texts)
    : t('An hour now costs {now} instead of {before}.', texts);
}
