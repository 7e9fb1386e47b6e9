import { expect, it, onTestFinished, vi } from 'vitest';
import { currencies, currencyLabel, localCurrency } from './currencies.ts';
import { setLanguage } from '../../platform/i18n/language.ts';

it.each([
  ['en-US', 'USD'],
  ['de-DE', 'EUR'],
  ['pt-BR', 'BRL'],
  ['ar-KW', 'KWD'],
  ['ja-JP', 'JPY'],
  ['de', 'EUR'],
  ['ja', 'JPY'],
  ['en', 'USD'],
  // Not listed, and no locale.
  ['sm-WS', 'USD'],
  ['en-US@posix', 'USD'],
])('the currency for a browser in %s is %s', (locale, currency) => {
  expect(localCurrency(locale)).toBe(currency);
});

it('lists every currency once, common ones first', () => {
  const codes = currencies('ZZZ');
  expect(codes.slice(0, 4)).toEqual(['USD', 'EUR', 'GBP', 'JPY']);
  expect(new Set(codes).size).toBe(codes.length);
  expect(codes).toEqual(expect.arrayContaining([...Intl.supportedValuesOf('currency'), 'ZZZ']));
});

it('names a currency with its code', () => {
  expect([currencyLabel('KWD'), currencyLabel('USD')]).toEqual(['Kuwaiti Dinar (KWD)', 'US Dollar (USD)']);
});

it('looks the names of a language up once, and follows a change of language', () => {
  onTestFinished(() => setLanguage('en'));
  const { DisplayNames } = Intl;
  const created = vi.spyOn(Intl, 'DisplayNames').mockImplementation(function (...options) {
    return new DisplayNames(...options);
  });
  setLanguage('de');
  expect(currencies().map(currencyLabel)).toContain('Schweizer Franken (CHF)');
  expect(created).toHaveBeenCalledOnce();
  setLanguage('en');
  expect(currencyLabel('CHF')).toBe('Swiss Franc (CHF)');
});
