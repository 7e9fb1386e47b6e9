import { describe, expect, it } from 'vitest';
import { anAsset, anEntry } from '../../testing/records.ts';
import { ownPartText as textWithSpaces } from './own-part.ts';

const film = (change: Parameters<typeof anAsset>[0] = {}) => anAsset({ subscription_cost: 20, ...change });
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

  it('counts those who are in, not those who have an offer', () => {
    const offer = { ...anEntry(2, 'ben', 70), pending: true };
    const shared = film({ owner_hours: 10, shared_with: [...anaHasTen.shared_with, offer] });
    expect(ownPartText(shared, null)).toBe('Your part if everyone uses all their hours: $10.00 a month');
    expect(ownPartText(shared, 20)).toBe('Your part if everyone uses all their hours: $10.00 → $5.00 a month');
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
    expect(
      ownPartText(film({ subscription_cost: 1000, currency: 'JPY', split_method: 'equal', ...anaHasTen }), 5),
    ).toBe('Your part: ¥500 → ¥333 a month');
  });
});
