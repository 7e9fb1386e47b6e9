import { DEFAULT_CURRENCY } from '@hourshare/contract/money';
import { currentLanguage } from '../i18n/language.ts';

const COMMON = ['USD', 'EUR', 'GBP', 'JPY', 'CAD', 'AUD', 'CHF', 'CNY', 'INR', 'BRL', 'MXN'];

/** Regions by currency, because Intl doesn't know which currency a region uses. Elsewhere the form starts with dollars. */
const REGIONS: Record<string, string> = {
  EUR: 'AT BE BG CY DE EE ES FI FR GR HR IE IT LT LU LV MT NL PT SI SK',
  GBP: 'GB GG IM JE',
  JPY: 'JP',
  CAD: 'CA',
  AUD: 'AU',
  NZD: 'NZ',
  CHF: 'CH LI',
  CNY: 'CN',
  INR: 'IN',
  BRL: 'BR',
  MXN: 'MX',
  KRW: 'KR',
  SEK: 'SE',
  NOK: 'NO',
  DKK: 'DK',
  PLN: 'PL',
  CZK: 'CZ',
  HUF: 'HU',
  RON: 'RO',
  TRY: 'TR',
  UAH: 'UA',
  ILS: 'IL',
  AED: 'AE',
  SAR: 'SA',
  EGP: 'EG',
  KWD: 'KW',
  ZAR: 'ZA',
  SGD: 'SG',
  HKD: 'HK',
  TWD: 'TW',
  THB: 'TH',
  IDR: 'ID',
  VND: 'VN',
  PHP: 'PH',
  MYR: 'MY',
  ARS: 'AR',
  CLP: 'CL',
  COP: 'CO',
};

function regionOf(locale: string): string | undefined {
  try {
    return new Intl.Locale(locale).maximize().region;
  } catch {
    return undefined;
  }
}

/** Returns the currency of the region that the browser's first language names, or most likely means, such as EUR for "de". */
export function localCurrency(locale = navigator.language): string {
  const region = regionOf(locale);
  const found = Object.entries(REGIONS).find(
    ([, regions]) => region !== undefined && regions.split(' ').includes(region),
  );
  return found?.[0] ?? DEFAULT_CURRENCY;
}

/** Returns all currencies to choose from, common ones first, then by name; the given ones even if the browser lacks them. */
export function currencies(...required: string[]): string[] {
  const collator = new Intl.Collator(currentLanguage());
  const names = new Map(
    [...Intl.supportedValuesOf('currency'), ...required].map((code) => [code, currencyLabel(code)]),
  );
  const rest = [...names].toSorted(([, left], [, right]) => collator.compare(left, right)).map(([code]) => code);
  return [...new Set([...COMMON, ...rest])];
}

/** The names of currencies by language. Expensive to create, so they are kept. */
const knownNames = new Map<string, Intl.DisplayNames>();

function currencyNames(): Intl.DisplayNames {
  const language = currentLanguage();
  const names = knownNames.get(language) ?? new Intl.DisplayNames(language, { type: 'currency' });
  knownNames.set(language, names);
  return names;
}

/** 'EUR' → "Euro (EUR)" */
export const currencyLabel = (code: string): string => `${currencyNames().of(code) ?? code} (${code})`;
