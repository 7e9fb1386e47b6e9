import { describe, expect, it } from 'vitest';
import { aLine, aStatement, bensLine } from '../../testing/records.ts';
import { leadText } from './lead-text.ts';

describe('what a month comes to for its owner', () => {
  const cost = {
    id: 7,
    version: 1,
    date: '2026-11-12',
    text: 'Fuel',
    amount: 60,
    split: 'usage' as const,
    status: 'counted' as const,
    paid_by: 'ana',
    person: null,
    author: 'ana',
  };
  const lead = (amounts: number[], change = {}) =>
    leadText(
      aStatement({
        ended: true,
        price: 20,
        lines: [aLine(), ...amounts.map((amount) => bensLine({ amount }))],
        ...change,
      }),
    );

  it('is what others owe, or all of the price', () => {
    expect(lead([5, 2.5])).toBe('2 people owe you $7.50 of $20.00.');
    expect(lead([5], { ended: false })).toBe('1 person owes you $5.00 of $20.00 so far.');
    expect(lead([0])).toBe('You cover all of $20.00.');
    expect(lead([5], { unbilled: true })).toBe("This month isn't billed, so there's no charge.");
  });

  it('is what is owed to others, too, and includes costs that count', () => {
    expect(lead([-36], { costs: [cost] })).toBe('You owe 1 person $36.00.');
    expect(lead([-36, 56], { costs: [cost, { ...cost, amount: 5, status: 'proposed' }] })).toBe(
      '1 person owes you $56.00 of $80.00. You owe 1 person $36.00.',
    );
    expect(lead([], { costs: [cost] })).toBe('You cover all of $80.00.');
  });
});
