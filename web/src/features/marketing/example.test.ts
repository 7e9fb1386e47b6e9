import { describe, expect, it } from 'vitest';
import { ANA_HOURS, exampleHours, exampleMoney, exampleSplit } from './example.ts';

const sliderStops = Array.from({ length: ANA_HOURS.max * 2 + 1 }, (_, index) => index / 2);

describe('the example on the landing page', () => {
  it.each(sliderStops)('adds up to the price, to the cent, with %d hours of ana', (hours) => {
    const { priceCents, lines, memberCents, ownerCents } = exampleSplit(hours);
    expect(lines.reduce((sum, { cents }) => sum + cents, ownerCents)).toBe(priceCents);
    expect(memberCents + ownerCents).toBe(priceCents);
    expect(ownerCents).toBeGreaterThanOrEqual(0);
  });

  it('divides the price by used hours and gives leftover cents to the largest fractions', () => {
    const { priceCents, offeredHours, usedHours, lines, ownerCents } = exampleSplit();
    const ownerHours = offeredHours - usedHours;
    const exact = [...lines.map((line) => line.usedHours), ownerHours].map(
      (used) => (priceCents * used) / offeredHours,
    );
    const missing = exact.reduce((rest, cents) => rest - Math.floor(cents), priceCents);
    const byFraction = exact.map((_, index) => index).toSorted((a, b) => ((exact[b] ?? 0) % 1) - ((exact[a] ?? 0) % 1));
    const expected = exact.map((cents, index) => Math.floor(cents) + (byFraction.indexOf(index) < missing ? 1 : 0));
    expect([...lines.map(({ cents }) => cents), ownerCents]).toEqual(expected);
  });

  it('matches the figures on the page', () => {
    const { offeredHours, usedHours, hourCents, lines, ownerCents } = exampleSplit();
    expect([ownerCents, ...lines.map(({ cents }) => cents)].map(exampleMoney)).toEqual(['$14.51', '$6.18', '$2.30']);
    expect([exampleHours(offeredHours), exampleHours(usedHours), exampleMoney(hourCents)]).toEqual([
      '80 h',
      '29.5 h',
      '$0.29',
    ]);
  });
});
