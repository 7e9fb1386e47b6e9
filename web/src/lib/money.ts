import { formatMoney } from './formatting.ts';

// Amounts arrive as JSON numbers with two decimals and are added as whole cents, to avoid rounding errors.
export const toCents = (amount: number): number => Math.round(amount * 100);
export const sumAmounts = (amounts: number[]): number =>
  amounts.reduce((sum, amount) => sum + toCents(amount), 0) / 100;

interface Money {
  amount: number;
  currency: string;
}

/** Returns the sums by currency, in order of first appearance. */
function byCurrency(amounts: Money[]): Money[] {
  const sums = new Map<string, number[]>();
  for (const { amount, currency } of amounts) sums.set(currency, [...(sums.get(currency) ?? []), amount]);
  return [...sums].map(([currency, each]) => ({ currency, amount: sumAmounts(each) }));
}

/** Returns "$4.17", or "$1.00 + €2.00" for several currencies. */
export const moneyText = (amounts: Money[], currency = 'USD'): string =>
  byCurrency(amounts)
    .filter(({ amount }, _, all) => amount !== 0 || all.length === 1)
    .map((each) => formatMoney(each.amount, each.currency))
    .join(' + ') || formatMoney(0, currency);
