import { expect, it } from 'vitest';
import { moneyText, sumAmounts } from './money.ts';

it('moneyText adds up amounts per currency', () => {
  expect(moneyText([])).toBe('$0.00');
  expect(moneyText([0.1, 0.2].map((amount) => ({ amount, currency: 'USD' })))).toBe('$0.30');
  const several = [
    { amount: 1, currency: 'USD' },
    { amount: 2, currency: 'EUR' },
    { amount: 0, currency: 'GBP' },
  ];
  expect(moneyText(several)).toBe('$1.00 + €2.00');
});

it.each([
  [[0.1, 0.2], 'USD', 0.3],
  [[1200, 34], 'JPY', 1234],
  [[0.1, 0.205, -0.005], 'KWD', 0.3],
])('sumAmounts adds %j in %s exactly', (amounts, currency, sum) => {
  expect(sumAmounts(amounts, currency)).toBe(sum);
});
