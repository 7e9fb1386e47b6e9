import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nextDay } from './rules.ts';

describe('a cost that comes again', () => {
  it.each([
    ['2026-01-31', 1, '2026-01-31', '2026-02-28'],
    ['2026-01-31', 1, '2026-02-28', '2026-03-31'],
    ['2024-02-29', 12, '2024-02-29', '2025-02-28'],
    ['2024-02-29', 12, '2027-12-31', '2028-02-29'],
    ['2026-11-12', 3, '2026-11-12', '2027-02-12'],
  ])('from %s every %i months, after %s, comes on %s', (from, every, after, next) => {
    expect(nextDay({ from, every, until: null }, after)).toBe(next);
  });

  it('ends with the last day', () => {
    const repetition = { from: '2026-11-12', every: 1, until: '2026-12-12' };
    expect(nextDay(repetition, '2026-11-12')).toBe('2026-12-12');
    expect(nextDay(repetition, '2026-12-12')).toBeNull();
  });

  it('comes once in each of its months, also after missed ones', () => {
    const day = fc.date({ min: new Date('2020-01-01'), max: new Date('2030-12-31'), noInvalidDate: true });
    fc.assert(
      fc.property(day, fc.integer({ min: 1, max: 36 }), fc.integer({ min: 1, max: 20 }), (start, every, count) => {
        const from = start.toISOString().slice(0, 10);
        let last = from;
        for (let k = 1; k <= count; k++) {
          const next = nextDay({ from, every, until: null }, last) ?? '';
          const months = (text: string) => Number(text.slice(0, 4)) * 12 + Number(text.slice(5, 7));
          expect(months(next) - months(from)).toBe(k * every);
          expect(Number(next.slice(8))).toBeLessThanOrEqual(Number(from.slice(8)));
          last = next;
        }
      }),
    );
  });
});
