import { expect, it } from 'vitest';
import { pricePartText } from './plan-text.ts';

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
