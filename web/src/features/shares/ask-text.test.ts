import type { Terms } from '@hourshare/contract/fields';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { someTerms } from '../../testing/records.ts';
import { askText } from './ask-text.ts';

const YEARLY = {
  price: 120,
  cycle: { every: 1, unit: 'year', anchor: '2026-03-14' },
  spread: true,
  spread_from: null,
  trial_until: null,
  started_on: null,
} as const;

it.each([
  ['the price of an hour', { price: 24 }, {}, 'An hour now costs $0.60 instead of $0.50.'],
  [
    'a price that differs only in later decimals',
    { price: 20.01, total_hours: 60 },
    { total_hours: 60 },
    'An hour now costs about $0.334 instead of about $0.333.',
  ],
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
    'more of extra costs',
    { extra_cost_limit: 200 },
    { extra_cost_limit: 50 },
    'Extra costs of up to $200.00 a month instead of $50.00 would count without asking you.',
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
  [
    'how often it is paid, also if that is cheaper',
    { price: 10, plan: YEARLY },
    { price: 12 },
    'The price is now $120.00 a year instead of $12.00 a month.',
  ],
  [
    'a price that comes at once',
    { plan: { ...YEARLY, spread: false } },
    { plan: YEARLY },
    'All of the price now comes in the month of a renewal.',
  ],
  [
    'the days of renewals',
    { plan: YEARLY },
    { plan: { ...YEARLY, cycle: { ...YEARLY.cycle, anchor: '2026-05-01' } } },
    'It is now paid at other times.',
  ],
  [
    'renewals that are charged at once only later',
    { plan: { ...YEARLY, spread: false, spread_from: '2028-03-14' } },
    { plan: { ...YEARLY, spread: false } },
    'It is now paid at other times.',
  ],
  [
    'a shorter trial',
    { plan: { ...YEARLY, trial_until: '2026-04-01' } },
    { plan: { ...YEARLY, trial_until: '2026-05-01' } },
    'Less of it is free now.',
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

interface Prices {
  price: number;
  base: number;
  hours: number;
  places: number;
}

const pricesOf = ({
  price,
  base_percent: percent,
  total_hours: hours,
  places,
  split_method: method,
}: Terms): Prices => {
  const cents = Math.round(price * 100);
  return { price: cents, base: /us/.test(method) ? Math.floor((cents * percent + 50) / 100) : 0, hours, places };
};

/** Compares price ÷ count of now and of what was agreed to. */
const rose = (now: number, count: number, before: number, countBefore: number): boolean =>
  count > 0 && (countBefore === 0 ? now > 0 : now * countBefore > before * count);

// What each sentence claims.
const CLAIMS: [pattern: RegExp, isTrue: (now: Terms, agreed: Terms, one: Prices, other: Prices) => boolean][] = [
  [/^An hour now costs (about )?\$/, (_, __, one, other) => rose(one.price, one.hours, other.price, other.hours)],
  [/at most/, (now, agreed) => (now.max_price_per_hour ?? 0) > (agreed.max_price_per_hour ?? 0)],
  [/^A month/, (_, __, one, other) => rose(one.price, one.places, other.price, other.places)],
  [/^The price/, (_, __, one, other) => one.price > other.price && one.base > 0],
  [/of your allowance/, (_, __, one, other) => rose(one.base, one.hours, other.base, other.hours)],
  // Rounded to whole cents, a larger part can be the same amount, and the same part a larger amount.
  [
    /by allowance/,
    (now, agreed, one, other) =>
      now.base_percent > agreed.base_percent || rose(one.base, one.price, other.base, other.price),
  ],
  [
    /by use/,
    (now, agreed, one, other) =>
      now.base_percent < agreed.base_percent ||
      rose(one.price - one.base, one.price, other.price - other.base, other.price),
  ],
  [
    /hours a month instead/,
    (now, agreed, one) =>
      now.monthly_hours > agreed.monthly_hours && (now.split_method === 'allocation' || one.base > 0),
  ],
];

it('says only what is true, and something of each part that costs more', () => {
  const aPrice = fc.integer({ min: 1, max: 3000 }).map((cents) => cents / 100);
  const terms = fc.record({
    base_percent: fc.constantFrom(0, 0, 1, 25, 50, 99, 100),
    price: aPrice,
    total_hours: fc.integer({ min: 0, max: 60 }),
    places: fc.integer({ min: 1, max: 5 }),
    monthly_hours: fc.constantFrom(10, 20),
    max_price_per_hour: aPrice,
  });
  fc.assert(
    fc.property(
      fc.constantFrom('usage', 'allocation', 'equal', 'share_of_use'),
      terms,
      terms,
      (method, left, right) => {
        const [now, agreed] = [left, right].map((each) => someTerms({ ...each, split_method: method })) as [
          Terms,
          Terms,
        ];
        const [one, other] = [pricesOf(now), pricesOf(agreed)];
        const limited = method === 'share_of_use';
        const byUse =
          method === 'usage' && rose(one.price - one.base, one.hours, other.price - other.base, other.hours);
        const allowance = rose(one.base, one.hours, other.base, other.hours);
        const whole = rose(one.price, one.hours, other.price, other.hours);
        const costsMore = {
          byUse,
          allowance: allowance || (method === 'allocation' && whole),
          limit: limited && (now.max_price_per_hour ?? 0) > (agreed.max_price_per_hour ?? 0),
          place: method === 'equal' && rose(one.price, one.places, other.price, other.places),
          hours: now.monthly_hours > agreed.monthly_hours && (method === 'allocation' || one.base > 0),
        };
        if (!Object.values(costsMore).includes(true)) return;
        const said = askText(now, agreed).split(/(?<=\.) /);
        const claimed = said.map((text) => CLAIMS.filter(([pattern]) => pattern.test(text)));
        for (const claims of claimed) {
          expect(claims).toHaveLength(1);
          expect(claims[0]?.[1](now, agreed, one, other)).toBe(true);
        }
        const says = (...patterns: RegExp[]) => said.some((text) => patterns.some((pattern) => pattern.test(text)));
        // What rounding alone made larger is said only if nothing else is.
        const isRounding = now.base_percent === agreed.base_percent && !whole;
        const found = {
          byUse: isRounding || says(/^An hour now costs (about )?\$/, /by use/),
          allowance:
            isRounding || says(/^An hour now costs (about )?\$/, /^The price/, /of your allowance/, /by allowance/),
          limit: says(/at most/),
          place: says(/^A month/),
          hours: says(/hours a month instead/),
        };
        const parts = Object.keys(costsMore) as (keyof typeof costsMore)[];
        expect(parts.filter((part) => costsMore[part] && !found[part])).toEqual([]);
      },
    ),
    { numRuns: 1000 },
  );
});
