import { expect, it } from 'vitest';
import { cyclePriceText, offeredPriceText } from './cycle-text.ts';

it('says what a cycle costs', () => {
  const textOf = (every: number, unit: 'month' | 'year') =>
    cyclePriceText({ price: 120, currency: 'USD', cycle: { every, unit } });
  expect(textOf(1, 'year')).toBe('$120.00 a year');
  expect(textOf(2, 'year')).toBe('$120.00 every 2 years');
  expect(textOf(1, 'month')).toBe('$120.00 a month');
  expect(textOf(3, 'month')).toBe('$120.00 every 3 months');
  expect(offeredPriceText({ price: 10, currency: 'USD' })).toBe('$10.00 a month');
});
