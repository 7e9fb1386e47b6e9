import { afterEach, describe, expect, it } from 'vitest';
import { setLanguage } from '../i18n/language.ts';
import {
  dateText,
  daysInMonth,
  daysLeft,
  monthAfter,
  monthName,
  monthsBetween,
  monthShort,
  monthText,
  thisMonth,
} from './months.ts';

afterEach(() => setLanguage('en'));

describe('months', () => {
  it('have neighbors across the turn of a year', () => {
    expect(monthAfter('2026-01', -1)).toBe('2025-12');
    expect(monthAfter('2026-12', 1)).toBe('2027-01');
    expect(monthAfter('2026-03', -1)).toBe('2026-02');
  });

  it('are counted from one to another', () => {
    expect([monthsBetween('2025-12', '2026-02'), monthsBetween('2026-11', '2026-11')]).toEqual([2, 0]);
  });

  it("are written in the page's language", () => {
    const written = () => [monthText('2026-03'), monthShort('2026-03'), monthName('2026-03'), dateText('2026-03-01')];
    expect(written()).toEqual(['March 2026', 'Mar 2026', 'March', 'March 1']);
    setLanguage('fr');
    expect(written()).toEqual(['mars 2026', 'mars 2026', 'mars', '1 mars']);
  });

  it('have a number of days', () => {
    expect(['2026-01', '2026-02', '2028-02', '2026-11'].map(daysInMonth)).toEqual([31, 28, 29, 30]);
  });

  it("count the days after the viewer's today", () => {
    const left = (now: string) => daysLeft('2026-11', new Date(now));
    expect(['2026-11-01T00:00', '2026-11-22T10:00', '2026-11-30T23:59'].map(left)).toEqual([29, 8, 0]);
    // Where the asset is, another month has begun or is still running.
    expect(['2026-10-31T20:00', '2026-12-01T08:00'].map(left)).toEqual([30, 0]);
  });

  it("start at the viewer's midnight", () => {
    expect(['2026-11-30T23:59', '2026-12-01T00:00'].map((now) => thisMonth(new Date(now)))).toEqual([
      '2026-11',
      '2026-12',
    ]);
  });
});
