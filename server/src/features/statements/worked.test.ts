import type { SplitMethod } from '@hourshare/contract/fields';
import { describe, expect, it } from 'vitest';
import type { AgreedTerms } from '../assets/terms/rules.ts';
import { DEFAULT_TERMS } from '../periods/rules.ts';
import { splitPeriod, type MemberShare, type PeriodToSplit } from './rules.ts';

const HOUR = 3600;
const [OWNER, ANA, BEN] = [1, 2, 3];

interface Member {
  id?: number;
  /** Whole hours a month. */
  hours: number;
  /** Hours. */
  used?: number;
  /** The allowance of each day, summed; by default of all 30 days. */
  summed?: number;
  days?: number;
  agreed?: Partial<AgreedTerms> | null;
  lowest?: number;
}

interface Month {
  price: number;
  method: SplitMethod;
  members: Member[];
  reserved?: number;
  base?: number;
  cap?: number;
  ownerUsed?: number;
  /** The hours and members of the fullest moment, by default of all members. */
  hours?: number;
  places?: number;
}

function linesOf({ price, method, members, reserved = 0, base = 0, cap, ownerUsed = 0, ...fullest }: Month): number[] {
  const totalHours = fullest.hours ?? members.reduce((sum, { hours }) => sum + hours, reserved);
  const places = fullest.places ?? members.length + 1;
  const terms = {
    ...DEFAULT_TERMS,
    method,
    basePercent: base,
    ownerHours: reserved,
    maxHourCents: cap ?? null,
    ownerTakesPart: ownerUsed > 0,
  };
  const toMember = (
    { id, hours, used = 0, summed, days = 30, agreed, lowest }: Member,
    index: number,
  ): MemberShare => ({
    userId: id ?? [ANA, BEN][index] ?? 0,
    allocationHours: hours,
    usedSeconds: used * HOUR,
    days,
    summedHours: summed ?? hours * days,
    lowestPriceCents: lowest ?? null,
    agreed:
      agreed === null
        ? null
        : {
            method,
            basePercent: base,
            priceCents: price,
            totalHours,
            places,
            monthlyHours: hours,
            maxHourCents: cap ?? null,
            ...agreed,
          },
  });
  const period: PeriodToSplit = {
    month: '2026-04',
    priceCents: price,
    terms,
    ownerId: OWNER,
    ownerUsedSeconds: ownerUsed * HOUR,
    totalHours,
    places,
    members: members.map(toMember),
  };
  return splitPeriod(period).map(({ amountCents }) => amountCents);
}

describe('the worked examples of docs/how-costs-are-split.md: the owner, then members', () => {
  it.each<[string, Month, number[]]>([
    [
      'by use',
      {
        price: 2000,
        method: 'usage',
        members: [
          { hours: 60, used: 30 },
          { hours: 40, used: 0.1 },
        ],
      },
      [1398, 600, 2],
    ],
    [
      'with reserved hours',
      {
        price: 1599,
        method: 'usage',
        reserved: 25,
        members: [
          { hours: 30, used: 10 },
          { hours: 30, used: 35 },
        ],
      },
      [753, 188, 658],
    ],
    [
      'beyond the hours',
      {
        price: 1000,
        method: 'usage',
        members: [
          { hours: 5, used: 8 },
          { hours: 5, used: 4 },
        ],
      },
      [0, 667, 333],
    ],
    ['removed early', { price: 2000, method: 'usage', members: [{ hours: 20, used: 5, days: 3 }] }, [1500, 500]],
    ['joined late', { price: 2000, method: 'usage', members: [{ hours: 20, used: 1, days: 3 }] }, [1900, 100]],
    ['joined late, used 3', { price: 2000, method: 'usage', members: [{ hours: 20, used: 3, days: 3 }] }, [1700, 300]],
    [
      'one left on the first',
      {
        price: 2000,
        method: 'usage',
        members: [
          { hours: 20, used: 10 },
          { hours: 20, days: 1 },
        ],
      },
      [1500, 500, 0],
    ],
    [
      'the month after, at what was agreed to',
      { price: 2000, method: 'usage', members: [{ hours: 20, used: 10, agreed: { totalHours: 40 } }] },
      [1500, 500],
    ],
    [
      'a raised price that was not agreed to',
      { price: 200_000, method: 'usage', members: [{ hours: 20, used: 10, agreed: { priceCents: 2000 } }] },
      [199_000, 1000],
    ],
    [
      'one after the other',
      {
        price: 2000,
        method: 'usage',
        hours: 60,
        members: [
          { hours: 60, used: 1, days: 2 },
          { hours: 60, used: 10, days: 29 },
        ],
      },
      [1634, 33, 333],
    ],
    [
      'by allowance',
      { price: 1000, method: 'allocation', reserved: 10, members: [{ hours: 20 }, { hours: 30 }] },
      [167, 333, 500],
    ],
    [
      'by allowance, joined late',
      { price: 2000, method: 'allocation', members: [{ hours: 20, days: 3 }] },
      [1800, 200],
    ],
    [
      'by allowance, removed on the first',
      { price: 3000, method: 'allocation', members: [{ hours: 20 }, { hours: 20, days: 1 }] },
      [1450, 1500, 50],
    ],
    [
      'by allowance, raised with a yes',
      { price: 1000, method: 'allocation', members: [{ hours: 20 }, { hours: 25, summed: 9 * 10 + 21 * 25 }] },
      [100, 444, 456],
    ],
    ['evenly', { price: 1000, method: 'equal', members: [{ hours: 1 }, { hours: 1, days: 15 }] }, [500, 333, 167]],
    [
      'with a base share',
      { price: 1200, method: 'usage', base: 25, reserved: 10, members: [{ hours: 20, used: 16 }, { hours: 10 }] },
      [615, 510, 75],
    ],
    [
      'by share of use',
      {
        price: 1599,
        method: 'share_of_use',
        cap: 100,
        ownerUsed: 20,
        members: [
          { hours: 30, used: 12.5 },
          { hours: 30, used: 17.5 },
        ],
      },
      [639, 400, 560],
    ],
    [
      'by share of use, at most so much an hour',
      { price: 1599, method: 'share_of_use', cap: 100, members: [{ hours: 30, used: 1 }] },
      [1499, 100],
    ],
  ])('%s', (_case, month, lines) => {
    expect(linesOf(month)).toEqual(lines);
  });
});

describe('what was agreed to', () => {
  it('holds whatever the method has become', () => {
    const agreed: Partial<AgreedTerms> = { method: 'usage', priceCents: 1000, totalHours: 20 };
    expect(linesOf({ price: 1000, method: 'equal', members: [{ hours: 20, used: 2, agreed }] })).toEqual([900, 100]);
  });
  it('holds a price that was lowered and raised again in the month', () => {
    expect(linesOf({ price: 2000, method: 'usage', members: [{ hours: 20, used: 10, lowest: 1000 }] })).toEqual([
      1500, 500,
    ]);
  });
  it('limits nothing on a server that asks for no consent', () => {
    expect(linesOf({ price: 200_000, method: 'usage', members: [{ hours: 20, used: 10, agreed: null }] })).toEqual([
      100_000, 100_000,
    ]);
  });
  it('leaves everything to the owner if there are no hours', () => {
    expect(linesOf({ price: 1000, method: 'usage', hours: 0, members: [{ hours: 20, used: 2 }] })).toEqual([1000, 0]);
  });
});
