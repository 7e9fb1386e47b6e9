import { describe, expect, it } from 'vitest';
import { exampleHours, exampleMoney, exampleSplit } from './example.ts';

describe('the example on the landing page', () => {
  const { priceCents, offeredHours, usedHours, hourCents, lines, memberCents, ownerCents, usedPart } = exampleSplit();

  it('adds up to the price, to the cent', () => {
    expect(lines.reduce((sum, { cents }) => sum + cents, ownerCents)).toBe(priceCents);
    expect(memberCents + ownerCents).toBe(priceCents);
  });

  it('divides the price by used hours and gives leftover cents to the largest fractions', () => {
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
    expect([ownerCents, ...lines.map(({ cents }) => cents)].map(exampleMoney)).toEqual(['$14.51', '$6.18', '$2.30']);
    expect([exampleHours(offeredHours), exampleHours(usedHours), exampleMoney(hourCents)]).toEqual([
      '80 h',
      '29.5 h',
      '$0.29',
    ]);
    expect(Math.round(usedPart * 100)).toBe(37);
  });
});
