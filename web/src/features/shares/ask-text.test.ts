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
  [
    'fewer people',
    { split_method: 'equal', places: 2 },
    { split_method: 'equal', places: 4 },
    'A month now costs $10.00 instead of $5.00.',
  ],
  [
    'the price by allowance',
    { split_method: 'allocation', price: 24 },
    { split_method: 'allocation' },
    'An hour now costs $0.60 instead of $0.50.',
  ],
  ['hours that cost nothing before', {}, { total_hours: 0 }, 'An hour now costs $0.50 instead of $0.00.'],
  [
    'a price that is as high as it was, divided by the same',
    { price: 15.99, total_hours: 85, monthly_hours: 30, base_percent: 10 },
    { price: 31.98, total_hours: 170, base_percent: 10 },
    'You now have 30 hours a month instead of 20, which costs more.',
  ],
  ['the base share', { base_percent: 25 }, {}, 'More of the price is now split by allowance.'],
  ['a lower base share', { base_percent: 25 }, { base_percent: 50 }, 'More of the price is now split by use.'],
  [
    'the price, with a base share that is as large',
    { base_percent: 25, price: 24 },
    { base_percent: 25 },
    'An hour now costs $0.60 instead of $0.50.',
  ],
  [
    'the price and the base share',
    { base_percent: 25, price: 24 },
    {},
    'An hour now costs $0.60 instead of $0.50. More of the price is now split by allowance.',
  ],
  [
    'the price and a lower base share',
    { price: 24 },
    { base_percent: 25 },
    'An hour now costs $0.60 instead of $0.50. More of the price is now split by use.',
  ],
  [
    'a larger base share of a lower price',
    { base_percent: 50, price: 10 },
    { base_percent: 10 },
    'More of the price is now split by allowance.',
  ],
  ...(
    [
      ['the price of its base share', { price: 24 }, {}, 'The price is now $24.00 instead of $20.00.'],
      [
        'fewer hours that its base share divides',
        { total_hours: 20 },
        {},
        'An hour of your allowance now costs $0.25 instead of about $0.13.',
      ],
      ['its base share', { base_percent: 50 }, {}, 'More of the price is now split by allowance.'],
      [
        'its base share at a lower price',
        { base_percent: 50, price: 16 },
        {},
        'More of the price is now split by allowance.',
      ],
      [
        'its base share and the price',
        { base_percent: 50, price: 24 },
        {},
        'The price is now $24.00 instead of $20.00. More of the price is now split by allowance.',
      ],
      ['its first base share', {}, { base_percent: 0 }, 'More of the price is now split by allowance.'],
      [
        'its limit, not the price of what is limited',
        { base_percent: 0, price: 24, max_price_per_hour: 2 },
        { base_percent: 0 },
        'An hour now costs at most $2.00 instead of $1.00.',
      ],
      [
        'its limit, not a lower base share',
        { base_percent: 0, max_price_per_hour: 2 },
        {},
        'An hour now costs at most $2.00 instead of $1.00.',
      ],
      [
        'its limit and the price',
        { price: 24, max_price_per_hour: 2 },
        {},
        'An hour now costs at most $2.00 instead of $1.00. The price is now $24.00 instead of $20.00.',
      ],
      [
        'more hours of its base share',
        { monthly_hours: 30 },
        {},
        'You now have 30 hours a month instead of 20, which costs more.',
      ],
    ] as const
  ).map(([what, now, agreed, text]) => {
    const shared = { split_method: 'share_of_use', max_price_per_hour: 1, base_percent: 25 } as const;
    return [`share of use: ${what}`, { ...shared, ...now }, { ...shared, ...agreed }, text] as const;
  }),
  [
    'more hours',
    { split_method: 'allocation', monthly_hours: 30 },
    { split_method: 'allocation' },
    'You now have 30 hours a month instead of 20, which costs more.',
  ],
  [
    'more hours at a higher price',
    { split_method: 'allocation', monthly_hours: 30, price: 24 },
    { split_method: 'allocation' },
    'An hour now costs $0.60 instead of $0.50. You now have 30 hours a month instead of 20, which costs more.',
  ],
  [
    'the price, not hours that are free',
    { monthly_hours: 30, price: 24 },
    {},
    'An hour now costs $0.60 instead of $0.50.',
  ],
  [
    'a base share that was rounded',
    { base_percent: 50, price: 0.01, total_hours: 40 },
    { base_percent: 50, price: 0.04, total_hours: 100 },
    'More of the price is now split by allowance.',
  ],
] as const)('says what costs more: %s', (_, now, agreed, text) => {
  expect(askText(someTerms(now), someTerms(agreed))).toBe(text);
});
