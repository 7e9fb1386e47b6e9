import type { CostSplit } from '@hourshare/contract/costs';
import type { SplitMethod } from '@hourshare/contract/fields';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plainCostLines, type PlainCost } from '../../../testing/plain-extra-costs.ts';
import { HANG_MILLISECONDS } from '../../../testing/thorough.ts';
import { daysInMonth, monthsSince2000, splitPeriod, type MemberShare } from '../rules.ts';
import { costLines, splitCosts, type CostToSplit, type PeriodWithLimits } from './rules.ts';

const HOUR = 3600;
const [OWNER, ANA, BEN] = [3, 1, 4];

const member = (userId: number, hours: number, usedHours: number): MemberShare => ({
  userId,
  allocationHours: hours,
  usedSeconds: usedHours * HOUR,
  days: 30,
  summedHours: hours * 30,
  agreed: null,
  lowestPriceCents: null,
});

/** November: $40, ana has 20 h and used 6, ben 20 h and 14; neither is asked up to $50. */
const november = (change: Partial<PeriodWithLimits> = {}): PeriodWithLimits => ({
  month: '2026-11',
  priceCents: 4000,
  terms: { method: 'usage', basePercent: 0, ownerHours: 0, maxHourCents: null, ownerTakesPart: false, measured: true },
  ownerId: OWNER,
  ownerUsedSeconds: 0,
  totalHours: 40,
  places: 3,
  members: [member(ANA, 20, 6), member(BEN, 20, 14)],
  costLimits: [5000, 5000],
  ...change,
});

const fuel = (change: Partial<CostToSplit> = {}): CostToSplit => ({
  cents: 6000,
  split: 'usage',
  authorId: OWNER,
  payerId: ANA,
  personId: null,
  access: [
    { userId: ANA, hours: 20 },
    { userId: BEN, hours: 20 },
  ],
  answers: [],
  ...change,
});

const centsOf = (period: PeriodWithLimits, ...costs: CostToSplit[]) =>
  splitCosts(period, costs).map((parts) => parts.map(({ cents }) => cents));

describe('a cost', () => {
  it.each<[CostSplit, number[]]>([
    ['month', [3000, 900, 2100]],
    ['usage', [0, 1800, 4200]],
    ['equal', [2000, 2000, 2000]],
    ['allocation', [0, 3000, 3000]],
    ['person', [0, 0, 6000]],
  ])('is split by itself: %s', (split, cents) => {
    const personId = split === 'person' ? BEN : null;
    const limits = { costLimits: [null, null] };
    expect(centsOf(november(limits), fuel({ split, personId }))).toEqual([cents]);
  });

  it('leaves out who had no access on its date', () => {
    const cost = fuel({ access: [{ userId: BEN, hours: 20 }] });
    expect(
      splitCosts(november({ costLimits: [null, null] }), [cost])[0]?.map(({ cents, standing }) => [cents, standing]),
    ).toEqual([
      [0, 'charged'],
      [0, 'out'],
      [6000, 'charged'],
    ]);
  });

  it('by use without use is split by allowance, else it is the owner’s', () => {
    const unused = november({ members: [member(ANA, 20, 0), member(BEN, 20, 0)], costLimits: [null, null] });
    expect(centsOf(unused, fuel())).toEqual([[0, 3000, 3000]]);
    const none = [ANA, BEN].map((userId) => ({ userId, hours: 0 }));
    expect(centsOf(unused, fuel({ access: none }))).toEqual([[6000, 0, 0]]);
  });

  it('by use or allowance is split evenly where nothing is measured', () => {
    const terms = { ...november().terms, method: 'equal' as const, measured: false };
    const plain = november({ terms, members: [member(ANA, 744, 0), member(BEN, 744, 0)], costLimits: [null, null] });
    const access = [ANA, BEN].map((userId) => ({ userId, hours: 744 }));
    for (const split of ['usage', 'allocation'] as const)
      expect(centsOf(plain, fuel({ split, access }))).toEqual([[2000, 2000, 2000]]);
  });

  it('says how it was calculated', () => {
    const [, ana] = splitCosts(november(), [fuel()])[0] ?? [];
    expect(ana?.pieces).toEqual([
      { method: 'share_of_use', cents: 6000, part: 6 * HOUR, whole: 20 * HOUR, unit: 'seconds', amountCents: 1800 },
    ]);
  });

  it('is split by the base share and the rest where the month is', () => {
    const terms = { ...november().terms, basePercent: 50 };
    expect(centsOf(november({ terms, costLimits: [null, null] }), fuel({ split: 'month' }))).toEqual([
      [1500, 1950, 2550],
    ]);
  });
});

describe('a limit of extra costs', () => {
  const small = (limit: number) => november({ costLimits: [limit, limit] });

  it('leaves to the owner what is above it, without a yes', () => {
    expect(centsOf(small(1799), fuel())).toEqual([[6000, 0, 0]]);
    expect(centsOf(small(1800), fuel())).toEqual([[4200, 1800, 0]]);
  });

  it('is for the month, in the order in which costs were entered', () => {
    expect(centsOf(small(2000), fuel(), fuel({ cents: 600 }), fuel({ cents: 700 }))).toEqual([
      [4200, 1800, 0],
      [0, 180, 420],
      // 210 is more than the 20 that are left of ana's.
      [210, 0, 490],
    ]);
  });

  it('does not bind who said yes, whose yes uses up none of it', () => {
    const yes = { userId: ANA, answer: 'yes' as const, agreedCents: null };
    expect(centsOf(small(200), fuel({ answers: [yes] }), fuel({ cents: 600 }))).toEqual([
      [4200, 1800, 0],
      [420, 180, 0],
    ]);
  });

  it('does not bind who entered it: that is a yes, also to a part that grows', () => {
    expect(centsOf(small(200), fuel({ authorId: ANA }), fuel({ cents: 600 }))).toEqual([
      [4200, 1800, 0],
      [420, 180, 0],
    ]);
  });

  it('does not bind who objected either: the owner bears their part', () => {
    const no = { userId: BEN, answer: 'no' as const, agreedCents: null };
    expect(centsOf(small(5000), fuel({ answers: [no] }))).toEqual([[4200, 1800, 0]]);
  });

  it('above it, a yes is up to the part that was shown, even if the part grows because others used less', () => {
    const yes = (agreedCents: number) => fuel({ answers: [{ userId: ANA, answer: 'yes', agreedCents }] });
    expect(centsOf(small(200), yes(1800))).toEqual([[4200, 1800, 0]]);
    expect(splitCosts(small(200), [yes(300)])[0]?.[1]).toMatchObject({
      cents: 300,
      splitCents: 1800,
      standing: 'asked',
    });
    // Within the limit, no yes is needed, nor an old one in the way.
    expect(centsOf(small(1800), yes(300))).toEqual([[4200, 1800, 0]]);
  });
});

it('gives who paid a credit, also one larger than what they owe', () => {
  const period = november();
  const costs = [fuel(), fuel({ cents: 1500, split: 'equal', payerId: OWNER })];
  const lines = costLines(period, costs, splitCosts(period, costs));
  expect(lines).toEqual([
    { costCents: 500, paidCents: 1500 },
    { costCents: 2300, paidCents: 6000 },
    { costCents: 4700, paidCents: 0 },
  ]);
});

const ids = [1, 2, 4, 5] as const;
const world = fc.record({
  month: fc.constantFrom('2026-02', '2026-04', '2026-07'),
  method: fc.constantFrom<SplitMethod>('usage', 'allocation', 'equal', 'share_of_use'),
  basePercent: fc.constantFrom(0, 0, 33, 100),
  ownerHours: fc.constantFrom(0, 0, 7),
  takesPart: fc.boolean(),
  ownerSeconds: fc.constantFrom(0, 5000),
  priceCents: fc.integer({ min: 0, max: 5000 }),
  totalHours: fc.integer({ min: 0, max: 60 }),
  members: fc.uniqueArray(
    fc.record({
      userId: fc.constantFrom(...ids),
      seconds: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 100_000 })),
      hours: fc.integer({ min: 0, max: 30 }),
      days: fc.integer({ min: 1, max: 28 }),
      limit: fc.oneof(fc.constant(null), fc.constantFrom(0, 500, 3000)),
    }),
    { selector: ({ userId }) => userId, maxLength: 4 },
  ),
  costs: fc.array(
    fc.record({
      cents: fc.oneof(fc.integer({ min: 1, max: 100 }), fc.integer({ min: 1, max: 9000 }), fc.constant(999_999_999)),
      split: fc.constantFrom<CostSplit>('month', 'usage', 'equal', 'allocation', 'person'),
      author: fc.nat(4),
      payer: fc.nat(4),
      person: fc.nat(4),
      absent: fc.subarray([...ids]),
      yes: fc.subarray([...ids]),
      agreedCents: fc.oneof(fc.constant(null), fc.integer({ min: 0, max: 4000 })),
      no: fc.subarray([...ids]),
    }),
    { maxLength: 6 },
  ),
});

it(
  'adds up to the price, the costs, and what was paid, as the slow model does, in 10,000 random months',
  { timeout: HANG_MILLISECONDS },
  () => {
    fc.assert(
      fc.property(world, (given) => {
        const { month, method, basePercent, takesPart, ownerHours } = given;
        const days = daysInMonth(month);
        const period: PeriodWithLimits = {
          month,
          priceCents: given.priceCents,
          terms: { method, basePercent, ownerHours, maxHourCents: null, ownerTakesPart: takesPart, measured: true },
          ownerId: OWNER,
          ownerUsedSeconds: takesPart ? given.ownerSeconds : 0,
          totalHours: given.totalHours,
          places: given.members.length + 1,
          members: given.members.map((each) => ({
            userId: each.userId,
            allocationHours: each.hours,
            usedSeconds: each.seconds,
            days: each.days,
            summedHours: each.hours * each.days,
            agreed: null,
            lowestPriceCents: null,
          })),
          costLimits: given.members.map(({ limit }) => limit),
        };
        const people = [OWNER, ...given.members.map(({ userId }) => userId)];
        const costs = given.costs.map((cost): CostToSplit => ({
          cents: cost.cents,
          split: cost.split,
          authorId: people[cost.author % people.length] ?? OWNER,
          payerId: people[cost.payer % people.length] ?? OWNER,
          personId: cost.split === 'person' ? (people[cost.person % people.length] ?? OWNER) : null,
          access: [
            ...given.members.flatMap(({ userId, hours }) => (cost.absent.includes(userId) ? [] : [{ userId, hours }])),
            // Left before the month in which it counts.
            ...(cost.absent.length > 1 ? [{ userId: 999, hours: 20 }] : []),
          ],
          answers: given.members.flatMap(({ userId }): CostToSplit['answers'] =>
            cost.no.includes(userId)
              ? [{ userId, answer: 'no' as const, agreedCents: null }]
              : cost.yes.includes(userId)
                ? [{ userId, answer: 'yes' as const, agreedCents: cost.agreedCents }]
                : [],
          ),
        }));
        const parts = splitCosts(period, costs);
        const lines = costLines(period, costs, parts);
        // Together the costs, whose credits are their sum: what is owed is the price and nothing else.
        const owed = splitPeriod(period).reduce((sum, line, index) => {
          const { costCents, paidCents } = lines[index] ?? { costCents: 0, paidCents: 0 };
          return sum + line.amountCents + costCents - paidCents;
        }, 0);
        expect(owed).toBe(period.priceCents);
        for (const [index, cost] of costs.entries()) {
          expect(parts[index]?.reduce((sum, { cents }) => sum + cents, 0)).toBe(cost.cents);
          for (const part of parts[index] ?? []) expect(part.cents).toBeGreaterThanOrEqual(0);
        }
        // Without an answer, no member bears more than their limit.
        given.members.forEach(({ userId, limit }, index) => {
          const unasked = costs.reduce(
            (sum, { answers, authorId }, each) =>
              userId === authorId || answers.some((answer) => answer.userId === userId)
                ? sum
                : sum + (parts[each]?.[index + 1]?.cents ?? 0),
            0,
          );
          expect(unasked).toBeLessThanOrEqual(limit ?? unasked);
        });
        const plain = costs.map((cost): PlainCost => ({
          ...cost,
          hoursOnDate: new Map(cost.access.map(({ userId, hours }) => [userId, hours])),
          answers: new Map(
            cost.answers.map(({ userId, answer, agreedCents }) => [
              userId,
              answer === 'no' ? 'no' : (agreedCents ?? Infinity),
            ]),
          ),
        }));
        expect(lines).toEqual(
          plainCostLines(
            {
              method,
              basePercent,
              monthDays: days,
              turn: monthsSince2000(month),
              totalHours: given.totalHours,
              places: period.places,
              reservedHours: ownerHours,
              ownerTakesPart: takesPart,
              people: [
                { userId: OWNER, seconds: given.ownerSeconds, summedHours: 0, days: 0, limit: null },
                ...given.members.map((each) => ({ ...each, summedHours: each.hours * each.days })),
              ],
            },
            plain,
          ),
        );
      }),
      { numRuns: 10_000 },
    );
  },
);
