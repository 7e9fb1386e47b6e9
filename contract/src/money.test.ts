import { describe, expect, it } from 'vitest';
import { Currency, priceProblem } from './fields.ts';
import { decimalsOf, toAmount, toMinor, usualHourLimit } from './money.ts';
import { english } from './sentences.ts';

describe('a currency', () => {
  it.each([
    ['USD', 2],
    ['EUR', 2],
    ['JPY', 0],
    ['KRW', 0],
    ['KWD', 3],
    // Two and three by ISO 4217, none by what Intl shows.
    ['HUF', 2],
    ['AFN', 2],
    ['IQD', 3],
  ])('%s has %d decimals', (code, decimals) => expect(decimalsOf(code)).toBe(decimals));

  // The others of ISO 4217 that people pay with have two.
  it.each([
    [
      0,
      ['BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX', 'VND', 'VUV', 'XAF', 'XOF', 'XPF'],
    ],
    [3, ['BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND']],
  ])('has %d decimals in %j alone', (decimals, codes) => {
    const known = Intl.supportedValuesOf('currency').filter((code) => decimalsOf(code) === decimals);
    expect(known.filter((code) => code !== 'UYI')).toEqual(codes);
  });

  it('can be any that Intl knows', () =>
    expect(Intl.supportedValuesOf('currency').filter((code) => !Currency.safeParse(code).success)).toEqual([]));

  it.each(['usd', 'EURO', 'US', 'XXQ', '', 5, null])('cannot be %j', (code) =>
    expect(Currency.safeParse(code).success).toBe(false),
  );
});

describe('an amount', () => {
  it.each([
    [15.99, 'USD', 1599],
    [9_999_999.99, 'USD', 999_999_999],
    [1599, 'JPY', 1599],
    [999_999_999, 'JPY', 999_999_999],
    [4.355, 'KWD', 4355],
    [999_999.999, 'KWD', 999_999_999],
    [0.29, 'EUR', 29],
  ])('of %d %s is %d minor units and back', (amount, currency, minor) => {
    expect(toMinor(amount, currency)).toBe(minor);
    expect(toAmount(minor, currency)).toBe(amount);
    expect(priceProblem(amount, currency)).toBeUndefined();
  });

  it.each([
    [15.999, 'USD', 'Monthly subscription cost must have at most two decimals'],
    [15.5, 'JPY', "Monthly subscription cost can't have decimals"],
    [1.0001, 'KWD', 'Monthly subscription cost must have at most three decimals'],
    [10_000_000, 'USD', 'Monthly subscription cost must be at most 9999999.99'],
    [1e9, 'JPY', 'Monthly subscription cost must be at most 999999999'],
    [1e6, 'KWD', 'Monthly subscription cost must be at most 999999.999'],
  ])('of %d %s is no price', (amount, currency, problem) =>
    expect(english(priceProblem(amount, currency) ?? { english: '' })).toBe(problem),
  );
});

it('the usual limit of an hour is the price divided by all hours, rounded up', () => {
  expect([usualHourLimit(1000, 3), usualHourLimit(1000, 4), usualHourLimit(1000, 0)]).toEqual([334, 250, 1000]);
});
