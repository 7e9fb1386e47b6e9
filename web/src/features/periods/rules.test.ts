import { describe, expect, it } from 'vitest';
import { monthsToPrice } from './rules.ts';

describe('monthsToPrice', () => {
  it('returns open months up to a year ahead', () => {
    const months = monthsToPrice([
      { month: '2026-11', ended: false, closed: false },
      { month: '2026-10', ended: true, closed: false },
      { month: '2026-09', ended: true, closed: true },
    ]);
    expect([months[0], months[12], months[13], months.length]).toEqual(['2026-11', '2027-11', '2026-10', 14]);
  });
});
