import { decimalsOf } from '@hourshare/contract/money';
import { isolateAmount, numberFormat } from '../i18n/language.ts';
import { t } from '../i18n/messages.ts';

// Figures as the language of the page writes them.

const hoursNumber = () => numberFormat({ maximumFractionDigits: 2 });

export const formatNumber = (value: number): string => hoursNumber().format(value);

/** 12.55 → "13%", but less than the whole is at most "99%". */
export const percentText = (percent: number): string =>
  numberFormat({ style: 'percent', maximumFractionDigits: 0 }).format(
    (percent < 100 ? Math.min(99, Math.round(percent)) : percent) / 100,
  );

/** Rounds hours to the decimal that is shown; below a tenth, to hundredths, so that a little isn't nothing. */
export const roundHours = (hours: number): number =>
  Math.abs(hours) < 0.1 ? Math.round(hours * 100) / 100 : Math.round(hours * 10) / 10;

/** 12.53 → "12.5 h" */
export const formatHours = (hours: number): string => t('{hours} h', { hours: formatNumber(roundHours(hours)) });

/** 12.53 → "12.53 h", for a calculation. */
export const exactHours = (hours: number): string => t('{hours} h', { hours: formatNumber(hours) });

const decimalsIn = (currency: string) => ({
  minimumFractionDigits: decimalsOf(currency),
  maximumFractionDigits: decimalsOf(currency),
});

// Only US dollars are a plain "$": other dollars are "CA$", and yuan "CN¥".
const moneyStyle = (currency: string) =>
  ({ style: 'currency', currency, currencyDisplay: currency === 'USD' ? 'narrowSymbol' : 'symbol' }) as const;

function plainMoney(amount: number, currency: string): string {
  try {
    return numberFormat({ ...moneyStyle(currency), ...decimalsIn(currency) }).format(amount);
  } catch {
    return `${amount.toFixed(2)} ${currency}`;
  }
}

/** (4.5, 'USD') → "$4.50", (450, 'JPY') → "¥450" */
export const formatMoney = (amount: number, currency: string): string => isolateAmount(plainMoney(amount, currency));

/**
 * Returns the price of one hour or place: (0.5, 'USD') → "$0.50", (1 / 3, 'USD') → "about $0.33", (0.004, 'USD') → "$0.004". More
 * decimals tell apart what differs by less.
 */
export function rateText(rate: number, currency: string, decimals = decimalsOf(currency)): string {
  const digits = Math.max(decimals, rate > 0 ? Math.ceil(-Math.log10(rate)) : 0);
  const amount = isolateAmount(
    numberFormat({
      ...moneyStyle(currency),
      minimumFractionDigits: decimalsOf(currency),
      maximumFractionDigits: digits,
    }).format(rate),
  );
  return Math.abs(Number(rate.toFixed(digits)) - rate) < 1e-9 ? amount : t('about {amount}', { amount });
}

/** (-4.5, 'USD') → "−$4.50", (4.5, 'USD') → "+$4.50"; zero has no sign. */
export const signedMoney = (amount: number, currency: string): string =>
  isolateAmount(`${amount > 0 ? '+' : amount < 0 ? '−' : ''}${plainMoney(Math.abs(amount), currency)}`);

/** (160.47, 'USD') → "$160" and ".47": what is shown large, in pieces. */
export function moneyParts(amount: number, currency: string): { text: string; isFraction: boolean }[] {
  try {
    return numberFormat({ ...moneyStyle(currency), ...decimalsIn(currency) })
      .formatToParts(amount)
      .map(({ type, value }) => ({ text: value, isFraction: type === 'decimal' || type === 'fraction' }));
  } catch {
    return [{ text: formatMoney(amount, currency), isFraction: false }];
  }
}

/** 'EUR' → "€"; the code where there is no symbol. */
export const currencySymbol = (currency: string): string =>
  numberFormat(moneyStyle(currency))
    .formatToParts(0)
    .find(({ type }) => type === 'currency')?.value ?? currency;

/** Returns an amount for a text field: its currency's decimals and the local decimal sign, readable by parseDecimal. */
export const decimalText = (amount: number, currency: string): string =>
  numberFormat({ useGrouping: false, numberingSystem: 'latn', ...decimalsIn(currency) }).format(amount);

/**
 * Returns a typed number with a decimal point or comma, or null if it isn't one. Rejects thousands separators: "1,234"
 * means a thousand in some locales and one and a bit in others.
 */
export function parseDecimal(text: string): number | null {
  const trimmed = text.trim();
  if (!/^[+-]?(?:\d+(?:[.,]\d*)?|[.,]\d+)$/.test(trimmed)) return null;
  return Number(trimmed.replace(',', '.'));
}
