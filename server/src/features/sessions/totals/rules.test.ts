import fc from 'fast-check';
import { expect, it } from 'vitest';
import { randomRuns } from '../../../testing/thorough.ts';
import { capDays, coveredSeconds } from './rules.ts';

const day = fc.record({
  day: fc.integer({ min: 1, max: 28 }).map((date) => `2026-03-${String(date).padStart(2, '0')}`),
  told: fc.integer({ min: 0, max: 86_400 }),
  covered: fc.integer({ min: 0, max: 86_400 }),
  refused: fc.boolean(),
});
const days = fc.uniqueArray(day, { selector: (each) => each.day, maxLength: 12 });

it('what counts of days is what was told beyond what sessions have, as far as the month has it, whatever their order', () => {
  fc.assert(
    fc.property(days, fc.integer({ min: -10, max: 200_000 }), fc.boolean(), (told, left, unlimited) => {
      const budget = unlimited ? null : new Map([['2026-03', left]]);
      const counted = capDays(told, budget);
      expect(capDays(told.toReversed(), budget)).toEqual(counted);
      const beyond = (each: (typeof told)[number]) => (each.refused ? 0 : Math.max(0, each.told - each.covered));
      const wanted = told.reduce((sum, each) => sum + beyond(each), 0);
      const sum = [...counted.values()].reduce((one, other) => one + other, 0);
      expect(sum).toBe(unlimited ? wanted : Math.min(wanted, Math.max(0, left)));
      for (const each of told) {
        const seconds = counted.get(each.day) ?? -1;
        expect(seconds).toBeGreaterThanOrEqual(0);
        expect(seconds).toBeLessThanOrEqual(beyond(each));
      }
    }),
    { numRuns: randomRuns(200) },
  );
});

it('months have budgets of their own', () => {
  const told = ['2026-03-31', '2026-04-01'].map((each) => ({ day: each, told: 100, covered: 0, refused: false }));
  expect([...capDays(told, new Map([['2026-03', 30]]))]).toEqual([
    ['2026-03-31', 30],
    ['2026-04-01', 0],
  ]);
});

it('what sessions have of a day is each of its seconds once', () => {
  const span = fc.record({ from: fc.integer({ min: 0, max: 60 }), length: fc.integer({ min: 0, max: 30 }) });
  fc.assert(
    fc.property(fc.array(span, { maxLength: 6 }), (each) => {
      const spans = each.map(({ from, length }) => ({ from: from * 1000, to: (from + length) * 1000 }));
      const seconds = Array.from({ length: 40 }, (_, index) => 10 + index);
      const covered = seconds.filter((at) => spans.some(({ from, to }) => from <= at * 1000 && to > at * 1000));
      expect(coveredSeconds(spans, { from: 10_000, to: 50_000 })).toBe(covered.length);
    }),
    { numRuns: randomRuns(200) },
  );
  expect(coveredSeconds([{ from: 0, to: Infinity }], { from: 500, to: 2_001 })).toBe(2);
});
