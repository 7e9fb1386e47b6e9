import { describe, expect, it } from 'vitest';
import { daysInMonth, daysLeft, monthAfter, monthName, monthText } from './months.ts';

describe('months', () => {
  it('have neighbors across the turn of a year', () => {
    expect(monthAfter('2026-01', -1)).toBe('2025-12');
    expect(monthAfter('2026-12', 1)).toBe('2027-01');
    expect(monthAfter('2026-03', -1)).toBe('2026-02');
  });

  it('are formatted in the given locale', () => {
    expect(monthText('2026-11', 'en-US')).toBe('November 2026');
    expect(monthText('2026-11', 'de-DE')).toBe('November 2026');
    expect(monthText('2026-03', 'fr-FR')).toBe('mars 2026');
  });

  it('have a name without the year and a number of days', () => {
    expect([monthName('2026-11', 'en-US'), monthName('2026-03', 'fr-FR')]).toEqual(['November', 'mars']);
    expect(['2026-01', '2026-02', '2028-02', '2026-11'].map(daysInMonth)).toEqual([31, 28, 29, 30]);
  });

  it('count the days after today', () => {
    expect(['2026-11-22T10:00:00Z', '2026-11-30T23:59:59Z'].map((now) => daysLeft(new Date(now)))).toEqual([8, 0]);
  });
});
