import { expect, it } from 'vitest';
import { someTerms } from '../../testing/records.ts';
import { askText } from './ask-text.ts';

it.each([
  ['the price of an hour', { price: 24 }, {}, 'An hour now costs $0.60 instead of $0.50.'],
  ['fewer hours in all', { total_hours: 20 }, {}, 'An hour now costs $1.00 instead of $0.50.'],
  [
    'the price of a place',
    { split_method: 'equal', price: 24 },
    { split_method: 'equal' },
    'A month now costs $12.00 instead of $10.00.',
  ],
  [
    'the most that an hour costs',
    { split_method: 'share_of_use', max_price_per_hour: 2 },
    { split_method: 'share_of_use', max_price_per_hour: 1 },
    'An hour now costs at most $2.00 instead of $1.00.',
  ],
  [
    'the method, whatever else changed',
    { split_method: 'equal', price: 24 },
    {},
    'The price is now split like this: Evenly. You agreed to: Price per hour.',
  ],
  ['the base share', { base_percent: 25 }, {}, 'More of the price is now split by allowance.'],
  ['a lower base share', { base_percent: 25 }, { base_percent: 50 }, 'More of the price is now split by use.'],
  [
    'the price of a base share, at the same limit an hour',
    { split_method: 'share_of_use', max_price_per_hour: 1, base_percent: 25, price: 24 },
    { split_method: 'share_of_use', max_price_per_hour: 1, base_percent: 25 },
    'More of the price is now split by allowance.',
  ],
  [
    'more hours',
    { split_method: 'allocation', monthly_hours: 30 },
    { split_method: 'allocation' },
    'You now have 30 hours a month instead of 20, which costs more.',
  ],
] as const)('says what costs more: %s', (_, now, agreed, text) => {
  expect(askText(someTerms(now), someTerms(agreed))).toBe(text);
});
