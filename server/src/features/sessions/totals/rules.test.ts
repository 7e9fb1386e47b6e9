import fc from 'fast-check';
import { expect, it } from 'vitest';
import { randomRuns } from '../../../testing/thorough.ts';
import { capDays } from './rules.ts';

const day = fc.record({
  day: fc.integer({ min: 1, max: 28 }).map((date) => `2026-03-${String(date).padStart(2, '0')}`),
  told: fc.integer({ min: 0, max: 86_400 }),
  refused: fc.boolean(),
});
const days = fc.uniqueArray(day, { selector: (each) => each.day, maxLength: 12 });

it('what counts of days is what was told, as far as the month has it, whatever their order', () => {
  fc.assert(
    fc.property(days, fc.integer({ min: -10, max: 200_000 }), fc.boolean(), (told, left, unlimited) => {
      const budget = unlimited ? null : new Map([['2026-03', left]]);
      const counted = capDays(told, budget);
      expect(capDays(told.toReversed(), budget)).toEqual(counted);
      const wanted = told.filter(({ refused }) => !refused).reduce((sum, each) => sum + each.told, 0);
      const sum = [...counted.values()].reduce((one, other) => one + other, 0);
      expect(sum).toBe(unlimited ? wanted : Math.min(wanted, Math.max(0, left)));
      for (const each of told) {
        const seconds = counted.get(each.day) ?? -1;
        expect(seconds).toBeGreaterThanOrEqual(0);
        expect(seconds).toBeLessThanOrEqual(each.refused ? 0 : each.told);
      }
    }),
    { numRuns: randomRuns(200) },
  );
});

it('months have budgets of their own', () => {
  const told = ['2026-03-31', '2026-04-01'].map((each) => ({ day: each, told: 100, refused: false }));
  expect([...capDays(told, new Map([['2026-03', 30]]))]).toEqual([
    ['2026-03-31', 30],
    ['2026-04-01', 0],
  ]);
});
