import { SplitMethod } from '@hourshare/contract/fields';
import { toMinor } from '@hourshare/contract/money';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anAsset, anEntry } from '../../testing/records.ts';
import { firstParts, ownPartText as textWithSpaces } from './own-part.ts';

const film = (change: Parameters<typeof anAsset>[0] = {}) => anAsset({ price_per_month: 20, ...change });
/** The amounts stay on one line. */
const ownPartText = (...of: Parameters<typeof textWithSpaces>) => textWithSpaces(...of).replaceAll('\u00a0', ' ');
const anaHasTen = { shared_with: [anEntry(1, 'ana', 10)] };

describe("the owner's part of a price", () => {
  it('is all of it until hours are typed for the first member', () => {
    expect(ownPartText(film(), null)).toBe('Your part: $20.00 a month');
    expect(ownPartText(film({ owner_hours: 10 }), 10)).toBe(
      'Your part if everyone uses all their hours: $20.00 → $10.00 a month',
    );
    // Hours that nobody reserved for the owner are all the others'.
    expect(ownPartText(film(), 10)).toBe('Your part if everyone uses all their hours: $20.00 → $0.00 a month');
  });

  it('counts those who have an offer like those who are in', () => {
    const offer = { ...anEntry(2, 'ben', 10), pending: true };
    const shared = film({ owner_hours: 10, shared_with: [...anaHasTen.shared_with, offer] });
    expect(ownPartText(shared, null)).toBe('Your part if everyone uses all their hours: $6.67 a month');
    expect(ownPartText(shared, 10)).toBe('Your part if everyone uses all their hours: $6.67 → $5.00 a month');
  });

  it('is said once where it stays the same', () => {
    const shared = film({ owner_hours: 0, ...anaHasTen });
    expect(ownPartText(shared, 10)).toBe('Your part if everyone uses all their hours: $0.00 a month');
  });

  it('is no figure of its own while the highest price of an hour already counts offers', () => {
    const offers = [1, 2, 3].map((id) => ({ ...anEntry(id, `user${id}`, 40), pending: true }));
    const plan = film({
      price_per_month: 100,
      split_method: 'share_of_use',
      owner_takes_part: true,
      max_price_per_hour: 0.63,
      shared_with: offers,
    });
    expect(ownPartText(plan, 40)).toBe('Your part if everyone uses it equally: $25.00 → $20.00 a month');
  });

  it('counts the hours that are then reserved for an owner who uses it, too', () => {
    expect(ownPartText(film({ owner_takes_part: true }), 10)).toBe(
      'Your part if everyone uses all their hours: $20.00 → $10.00 a month',
    );
    expect(ownPartText(film({ owner_takes_part: true, owner_hours: 30 }), 10)).toMatch(/→ \$15\.00/);
    // Once someone is in, the reserved hours stay.
    expect(ownPartText(film({ owner_takes_part: true, owner_hours: 10, ...anaHasTen }), 20)).toMatch(/→ \$5\.00/);
  });

  it('is certain where use decides nothing', () => {
    const evenly = film({ split_method: 'equal', measured: false, ...anaHasTen });
    expect(ownPartText(evenly, 0)).toBe('Your part: $10.00 → $6.67 a month');
    expect(ownPartText(film({ split_method: 'allocation', owner_hours: 10, ...anaHasTen }), 20)).toBe(
      'Your part: $10.00 → $5.00 a month',
    );
  });

  it('is as large as the others’ by share of use, and more where an hour costs at most so much', () => {
    const ours = film({ split_method: 'share_of_use', owner_takes_part: true });
    expect(ownPartText(ours, 10)).toBe('Your part if everyone uses it equally: $20.00 → $10.00 a month');
    expect(ownPartText({ ...ours, max_price_per_hour: 0.5, max_price_chosen: true }, 10)).toMatch(/→ \$15\.00/);
    expect(ownPartText({ ...ours, base_percent: 50, owner_hours: 30 }, 10)).toMatch(/→ \$12\.50/);
    expect(ownPartText({ ...ours, owner_takes_part: false }, 10)).toBe(
      'Your part if everyone uses all their hours: $20.00 → $0.00 a month',
    );
  });

  it('is in the smallest unit of the currency', () => {
    expect(ownPartText(film({ price_per_month: 1000, currency: 'JPY', split_method: 'equal', ...anaHasTen }), 5)).toBe(
      'Your part: ¥500 → ¥333 a month',
    );
  });
});

describe('the parts of a new asset', () => {
  const terms = fc.record({
    price_per_month: fc.integer({ min: 1, max: 1_000_000 }).map((cents) => cents / 100),
    currency: fc.constant('USD'),
    split_method: fc.constantFrom(...SplitMethod.options),
    base_percent: fc.integer({ min: 0, max: 100 }),
    owner_takes_part: fc.boolean(),
  });
  const allowances = fc.array(fc.integer({ min: 1, max: 744 }), { minLength: 1, maxLength: 12 });

  it('add up to the price, and no one gets anything for it', () => {
    fc.assert(
      fc.property(terms, allowances, (asset, hours) => {
        const { own, members } = firstParts(asset, hours);
        const cents = [own, ...members].map((amount) => toMinor(amount, 'USD'));
        expect(cents.reduce((sum, each) => sum + each, 0)).toBe(toMinor(asset.price_per_month, 'USD'));
        expect(Math.min(...cents)).toBeGreaterThanOrEqual(0);
      }),
    );
  });

  it('give the odd cents to those with the largest fractions', () => {
    const film = { currency: 'USD', split_method: 'usage', base_percent: 0, owner_takes_part: false } as const;
    expect(firstParts({ ...film, price_per_month: 5 }, [10, 10, 10])).toEqual({
      own: 0,
      members: [1.67, 1.67, 1.66],
    });
    const equal = { ...film, split_method: 'equal', price_per_month: 10 } as const;
    expect(firstParts(equal, [10, 10])).toEqual({ own: 3.34, members: [3.33, 3.33] });
  });
});
