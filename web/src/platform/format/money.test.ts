import { expect, it } from 'vitest';
import { amountsText, sumAmounts } from './money.ts';

it('amountsText adds up amounts separately by currency', () => {
  expect(amountsText([0.1, 0.2].map((amount) => ({ amount, currency: 'USD' })))).toBe('$0.30');
  const several = [
    { amount: 1, currency: 'USD' },
    { amount: 2, currency: 'EUR' },
    { amount: 0.5, currency: 'USD' },
  ];
  expect(amountsText(several)).toBe('$1.50 and €2.00');
  expect(amountsText([...several, { amount: 0, currency: 'JPY' }])).toBe('$1.50 and €2.00');
  expect(amountsText([{ amount: 0, currency: 'JPY' }])).toBe('¥0');
  expect(amountsText([])).toBe('$0.00');
});

it.each([
  [[0.1, 0.2], 'USD', 0.3],
  [[1200, 34], 'JPY', 1234],
  [[0.1, 0.205, -0.005], 'KWD', 0.3],
])('sumAmounts adds %j in %s exactly', (amounts, currency, sum) => {
  expect(sumAmounts(amounts, currency)).toBe(sum);
});
