import { toAmount, toMinor } from '@hourshare/contract/money';
import { formatMoney } from '../../platform/format/numbers.ts';
import { t } from '../../platform/i18n/messages.ts';

interface Place {
  price: number;
  currency: string;
  /** Among how many people the price is split evenly. */
  places: number;
}

/** Returns what a place costs a month, rounded up to a smallest unit, as the server tells those who pay it. */
export const placeCost = ({ price, currency, places }: Place): number =>
  toAmount(Math.ceil(toMinor(price, currency) / Math.max(1, places)), currency);

/** Returns "$5.33 a month". */
export const placeText = (place: Place): string =>
  t('{amount} a month', { amount: formatMoney(placeCost(place), place.currency) });

/** Returns "$15.99 in total, split evenly among 3 people." */
export const placesText = ({ price, currency, places }: Place): string =>
  t('{price} in total, split evenly among {count, plural, one {# person} other {# people}}.', {
    price: formatMoney(price, currency),
    count: places,
  });
