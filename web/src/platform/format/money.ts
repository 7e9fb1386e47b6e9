import { DEFAULT_CURRENCY, toAmount, toMinor } from '@hourshare/contract/money';
import { formatMoney } from './numbers.ts';
import { listFormat } from '../i18n/language.ts';

/** Returns a sum of amounts, added as whole minor units to avoid rounding errors. */
export const sumAmounts = (amounts: number[], currency: string): number =>
  toAmount(
    amounts.reduce((sum, amount) => sum + toMinor(amount, currency), 0),
    currency,
  );

export interface Money {
  amount: number;
  currency: string;
}

/** Returns the sums by currency, in order of first appearance. */
export function byCurrency(amounts: Money[]): Money[] {
  const sums = new Map<string, number[]>();
  for (const { amount, currency } of amounts) sums.set(currency, [...(sums.get(currency) ?? []), amount]);
  return [...sums].map(([currency, each]) => ({ currency, amount: sumAmounts(each, currency) }));
}

/** Returns "$4.17", or "€2.00 and $1.00" for several currencies, which are never added up; "$0.00" for no amounts. */
export function amountsText(amounts: Money[]): string {
  const sums = byCurrency(amounts);
  const shown = sums.length > 1 ? sums.filter(({ amount }) => amount !== 0) : sums;
  const [first = { amount: 0, currency: DEFAULT_CURRENCY }, ...rest] = shown.length > 0 ? shown : sums;
  return listFormat().format([first, ...rest].map(({ amount, currency }) => formatMoney(amount, currency)));
}
