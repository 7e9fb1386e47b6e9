// Money is counted in whole minor units of its currency: cents, but yen or a thousandth of a dinar elsewhere.

/** Decimals of the currencies whose minor unit isn't a hundredth, by ISO 4217. Intl's own follow usage, so some differ. */
const DECIMALS = new Map(
  Object.entries({
    0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
    3: 'BHD IQD JOD KWD LYD OMR TND',
    4: 'CLF UYW',
  }).flatMap(([decimals, codes]) => codes.split(' ').map((code) => [code, Number(decimals)] as const)),
);

/** Returns how many decimals amounts of a currency have. */
export const decimalsOf = (currency: string): number => DECIMALS.get(currency) ?? 2;

/** Converts an amount to whole minor units, rounding what is finer. */
export const toMinor = (amount: number, currency: string): number => Math.round(amount * 10 ** decimalsOf(currency));

/** Converts whole minor units to an amount with at most the currency's decimals. */
export const toAmount = (minor: number, currency: string): number => minor / 10 ** decimalsOf(currency);

/** The most that an hour costs where the owner hasn't chosen it: a price divided by all hours, rounded up; in minor units. */
export const usualHourLimit = (priceMinor: number, hours: number): number => Math.ceil(priceMinor / Math.max(1, hours));

/** The currency of an asset that names none. */
export const DEFAULT_CURRENCY = 'USD';

/** The most that an asset may cost a month, in minor units: $9,999,999.99, ¥999,999,999. */
export const PRICE_MAX_MINOR = 999_999_999;
