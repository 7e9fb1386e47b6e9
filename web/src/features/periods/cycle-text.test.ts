import { expect, it } from 'vitest';
import { cyclePriceText, offeredPriceText, pricePartText } from './cycle-text.ts';

it('says what a cycle costs', () => {
  const textOf = (every: number, unit: 'month' | 'year') =>
    cyclePriceText({ price: 120, currency: 'USD', cycle: { every, unit } });
  expect(textOf(1, 'year')).toBe('$120.00 a year');
  expect(textOf(2, 'year')).toBe('$120.00 every 2 years');
  expect(textOf(1, 'month')).toBe('$120.00 a month');
  expect(textOf(3, 'month')).toBe('$120.00 every 3 months');
  expect(offeredPriceText({ price: 10, currency: 'USD' })).toBe('$10.00 a month');
});

it('says what a cycle adds to a month', () => {
  const part = {
    every: 1,
    unit: 'year' as const,
    cycle_from: '2026-03-14',
    cycle_days: 365,
    cycle_price: 120,
    days: 30,
    amount: 9.86,
    so_far: 86.13,
    spread: true,
  };
  const month = { month: '2026-11', currency: 'USD' };
  const from = /March 14(?:, 2026)?/.source;
  expect(pricePartText(part, month)).toMatch(
    new RegExp(
      `^Year from ${from}, \\$120\\.00 for 365 days\\. November: 30 days, \\$9\\.86 \\(so far \\$86\\.13 of \\$120\\.00\\)\\.$`,
    ),
  );
  expect(pricePartText({ ...part, every: 3, unit: 'month', spread: false, amount: 0 }, month)).toMatch(
    new RegExp(`^3 months from ${from}, \\$120\\.00, charged when it starts\\. November: \\$0\\.00\\.$`),
  );
});
