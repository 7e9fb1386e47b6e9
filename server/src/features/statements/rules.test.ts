import type { SplitMethod } from '@hourshare/contract/fields';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { randomRuns } from '../../testing/thorough.ts';
import { DEFAULT_TERMS } from '../periods/rules.ts';
import { explainLines } from './explaining/rules.ts';
import { split, splitPeriod, type MemberShare, type PeriodToSplit } from './rules.ts';

// Properties of each split and its explanation; examples.test.ts has the amounts.

const OWNER = 1;
const A = 2;
const B = 3;
const HOUR = 3600;
const APRIL = '2026-04';

const member = (userId: number, allocationHours: number, usedHours: number, days = 30): MemberShare => ({
  userId,
  allocationHours,
  usedSeconds: Math.round(usedHours * HOUR),
  days,
  summedHours: allocationHours * days,
  agreed: null,
  lowestPriceCents: null,
});

/** Returns April at $10.00, in which all members had access at once. */
const monthOf = (method: SplitMethod, members: MemberShare[], changes: Partial<PeriodToSplit> = {}): PeriodToSplit => ({
  month: APRIL,
  priceCents: 1000,
  terms: { ...DEFAULT_TERMS, method },
  ownerId: OWNER,
  ownerUsedSeconds: 0,
  totalHours: members.reduce((sum, { allocationHours }) => sum + allocationHours, 0),
  places: members.length + 1,
  members,
  ...changes,
});

const anyTerms = fc
  .record({
    method: fc.constantFrom<SplitMethod>('usage', 'usage', 'allocation', 'equal', 'share_of_use'),
    basePercent: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 100 })),
    ownerHours: fc.constantFrom(0, 0, 10, 744),
    maxHourCents: fc.integer({ min: 0, max: 2000 }),
    ownerTakesPart: fc.boolean(),
  })
  .map(({ maxHourCents, ...terms }) => ({
    ...DEFAULT_TERMS,
    ...terms,
    maxHourCents: terms.method === 'share_of_use' ? maxHourCents : null,
  }));

const anyAgreement = fc.option(
  fc.record({
    method: fc.constantFrom<SplitMethod>('usage', 'allocation', 'equal', 'share_of_use'),
    basePercent: fc.constantFrom(0, 25),
    priceCents: fc.integer({ min: 0, max: 20_000 }),
    totalHours: fc.integer({ min: 0, max: 1000 }),
    places: fc.integer({ min: 1, max: 9 }),
    monthlyHours: fc.integer({ min: 1, max: 744 }),
    maxHourCents: fc.constantFrom(0, 50, 500),
    plan: fc.constant(null),
    extraCostCents: fc.constant(0),
  }),
);

/** Any month, also with more use and days than its fullest moment has, and with less agreed to than it costs. */
const anyPeriod = (priceCents: fc.Arbitrary<number>): fc.Arbitrary<PeriodToSplit> =>
  fc.record({
    month: fc.constantFrom('1999-12', '2026-02', '2026-04', '2026-07', '2028-02'),
    priceCents,
    terms: anyTerms,
    ownerId: fc.constant(500),
    ownerUsedSeconds: fc.constantFrom(0, 0, 7000, 90 * HOUR),
    totalHours: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 200 }), fc.integer({ min: 1, max: 8000 })),
    places: fc.integer({ min: 1, max: 13 }),
    members: fc.uniqueArray(
      fc.record({
        userId: fc.integer({ min: 1, max: 999 }).filter((id) => id !== 500),
        allocationHours: fc.integer({ min: 1, max: 744 }),
        usedSeconds: fc.oneof(
          fc.constant(0),
          fc.integer({ min: 0, max: 200 }).map((hours) => hours * 900),
          fc.integer({ min: 0, max: 31 * 24 * HOUR }),
        ),
        days: fc.integer({ min: 1, max: 28 }),
        summedHours: fc.integer({ min: 0, max: 744 * 28 }),
        agreed: anyAgreement,
        lowestPriceCents: fc.option(fc.integer({ min: 0, max: 3000 })),
      }),
      { selector: ({ userId }) => userId, maxLength: 12 },
    ),
  });
const anyPrice = fc.oneof(fc.integer({ min: 0, max: 5000 }), fc.integer({ min: 0, max: 999_999_999 }));

const sum = (numbers: number[]) => numbers.reduce((total, each) => total + each, 0);

describe('every split', () => {
  it('adds up to the price in whole, nonnegative lines, none above the price', () => {
    fc.assert(
      fc.property(anyPeriod(anyPrice), (month) => {
        const amounts = splitPeriod(month).map(({ amountCents }) => amountCents);
        expect(sum(amounts)).toBe(month.priceCents);
        for (const amount of amounts) {
          expect(Number.isSafeInteger(amount)).toBe(true);
          expect(amount).toBeGreaterThanOrEqual(0);
          expect(amount).toBeLessThanOrEqual(month.priceCents);
        }
      }),
    );
  });

  it('is within one cent of the exact amount on every line', () => {
    const weighted = fc.uniqueArray(
      fc.record({ userId: fc.integer({ min: 1, max: 99 }), weight: fc.integer({ min: 0, max: 2_678_400 }) }),
      { selector: ({ userId }) => userId, minLength: 1 },
    );
    fc.assert(
      fc.property(weighted, fc.nat(999_999_999), fc.integer(), (each, price, turn) => {
        const total = BigInt(sum(each.map(({ weight }) => weight)));
        fc.pre(total > 0n);
        const amounts = split(price, each, turn);
        for (const [index, { weight }] of each.entries()) {
          const difference = BigInt(amounts[index]?.cents ?? 0) * total - BigInt(price) * BigInt(weight);
          expect(difference > -total && difference < total).toBe(true);
        }
      }),
    );
  });

  it('by use never charges less for more use', () => {
    fc.assert(
      fc.property(
        anyPeriod(anyPrice),
        fc.nat(11),
        fc.integer({ min: 1, max: 400 * HOUR }),
        (period, number, moreSeconds) => {
          fc.pre(period.members.length > 0);
          const month = { ...period, terms: { ...period.terms, method: 'usage' as const } };
          const index = number % month.members.length;
          const members = month.members.map((each, position) =>
            position === index ? { ...each, usedSeconds: each.usedSeconds + moreSeconds } : each,
          );
          const before = splitPeriod(month)[index + 1]?.amountCents ?? Number.NaN;
          expect(splitPeriod({ ...month, members })[index + 1]?.amountCents).toBeGreaterThanOrEqual(before);
        },
      ),
    );
  });

  it('by use without a base share charges nothing for no use', () => {
    fc.assert(
      fc.property(anyPeriod(anyPrice), (period) => {
        const month = { ...period, terms: { ...period.terms, method: 'usage' as const, basePercent: 0 } };
        const paid = splitPeriod(month);
        const idleAmounts = month.members.map(({ usedSeconds }, index) =>
          usedSeconds === 0 ? paid[index + 1]?.amountCents : 0,
        );
        expect(idleAmounts).toEqual(month.members.map(() => 0));
      }),
    );
  });

  it('does not depend on the order of the members', () => {
    fc.assert(
      fc.property(anyPeriod(anyPrice), fc.array(fc.nat()), (month, keys) => {
        const shuffled = month.members
          .map((each, index) => ({ each, key: keys[index] ?? 0 }))
          .toSorted((left, right) => left.key - right.key)
          .map(({ each }) => each);
        const byUser = (lines: ReturnType<typeof splitPeriod>) =>
          new Map(lines.map(({ userId, amountCents }) => [userId, amountCents]));
        expect(byUser(splitPeriod({ ...month, members: shuffled }))).toEqual(byUser(splitPeriod(month)));
      }),
    );
  });

  it('rotates odd cents, so that over as many months as participants everyone pays the same', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 12 }), fc.nat(100_000), fc.nat(1200), (count, price, first) => {
        const participants = Array.from({ length: count }, (_, index) => ({ userId: index * 7 + 3, weight: 5 }));
        const paid = participants.map(() => 0);
        for (let turn = first; turn < first + count; turn += 1)
          for (const [index, { cents }] of split(price, participants, turn).entries())
            paid[index] = (paid[index] ?? 0) + cents;
        expect(new Set(paid)).toEqual(new Set([price]));
      }),
    );
  });
});

describe('the explanation of each amount', () => {
  it.each([
    ['everyday', fc.integer({ min: 0, max: 10_000 })],
    ['expensive', fc.integer({ min: 0, max: 999_999_999 })],
  ])('can be recalculated by hand on %s statements, and its rounding direction is right', (_, cents) => {
    fc.assert(
      fc.property(anyPeriod(cents), (period) => {
        const lines = splitPeriod(period);
        const amounts = lines.map(({ amountCents }) => amountCents);
        const [ofOwner, ...ofMembers] = explainLines(period, lines);
        // The owner's is what the others don't pay.
        expect(ofOwner).toMatchObject([{ kind: 'rest', priceCents: period.priceCents, amountCents: amounts[0] }]);
        for (const [index, parts] of ofMembers.entries()) {
          expect(sum(parts.map(({ amountCents }) => amountCents))).toBe(amounts[index + 1]);
          for (const { priceCents, amountCents, part, whole, rounding } of parts) {
            const exact = BigInt(priceCents) * BigInt(part);
            const difference = BigInt(amountCents) * BigInt(whole) - exact;
            // With nothing to divide by, the owner covers everything.
            const isUndivided = whole === 0 && amountCents === 0;
            expect(amountCents).toBeGreaterThanOrEqual(0);
            expect(isUndivided || (difference > -BigInt(whole) && difference < BigInt(whole))).toBe(true);
            expect(rounding).toBe(whole === 0 || difference === 0n ? null : difference > 0n ? 'up' : 'down');
          }
        }
      }),
      { numRuns: randomRuns(3000) },
    );
  });

  const explainMembers = (period: PeriodToSplit) => explainLines(period, splitPeriod(period)).slice(1);

  it('has the sentence and the figures that fit the case', () => {
    const [a, b] = [member(A, 5, 8), member(B, 5, 4)];
    expect(explainMembers(monthOf('usage', [member(A, 1, 2212 / HOUR)], { priceCents: 5499 }))).toEqual([
      [
        {
          method: 'usage',
          kind: 'used',
          priceCents: 5499,
          amountCents: 3379,
          part: 2212,
          whole: 3600,
          unit: 'seconds',
          rounding: 'up',
        },
      ],
    ]);
    const cases: [PeriodToSplit, object[][]][] = [
      [monthOf('usage', [a, b]), [[{ kind: 'overused', part: 8 * HOUR, whole: 12 * HOUR }], [{ kind: 'overused' }]]],
      [monthOf('usage', [member(A, 5, 0)]), [[{ kind: 'used_nothing', amountCents: 0 }]]],
      [monthOf('usage', [a], { priceCents: 0 }), [[{ kind: 'free' }]]],
      [monthOf('allocation', [a]), [[{ kind: 'allowance', part: 5, whole: 5, unit: 'hours' }]]],
      [monthOf('allocation', [member(A, 5, 0, 3)]), [[{ kind: 'by_day', part: 15, whole: 150, unit: 'allowances' }]]],
      [
        monthOf('equal', [a, member(B, 5, 0, 15)]),
        [[{ kind: 'even', part: 1, whole: 3, unit: 'places' }], [{ kind: 'days', part: 15, whole: 90, unit: 'days' }]],
      ],
      [
        monthOf('share_of_use', [a, b], { ownerUsedSeconds: 9 * HOUR }),
        [[{ kind: 'share', part: 8 * HOUR, whole: 12 * HOUR }], [{ kind: 'share' }]],
      ],
      [
        monthOf('share_of_use', [a], { terms: { ...DEFAULT_TERMS, method: 'share_of_use', maxHourCents: 50 } }),
        [[{ kind: 'capped', priceCents: 50, part: 8 * HOUR, whole: HOUR, amountCents: 400 }]],
      ],
      [
        monthOf('usage', [{ ...member(A, 20, 10), lowestPriceCents: 600 }]),
        [[{ kind: 'lowest', priceCents: 600, amountCents: 300 }]],
      ],
      [
        monthOf('usage', [member(A, 20, 10)], { terms: { ...DEFAULT_TERMS, basePercent: 25 } }),
        [
          [
            { method: 'allocation', kind: 'allowance', priceCents: 250, amountCents: 250 },
            { method: 'usage', kind: 'used', priceCents: 750, amountCents: 375 },
          ],
        ],
      ],
    ];
    for (const [period, expected] of cases) expect(explainMembers(period)).toMatchObject(expected);
  });

  it('says what was agreed to, where that is less', () => {
    const agreed = { ...DEFAULT_TERMS, priceCents: 500, totalHours: 20, places: 2, monthlyHours: 20, plan: null };
    const byPlace = { ...agreed, method: 'equal' as const };
    for (const [terms, figures] of [
      [agreed, { part: 10 * HOUR, whole: 20 * HOUR, unit: 'seconds', amountCents: 250 }],
      [byPlace, { part: 30, whole: 60, unit: 'days', amountCents: 250 }],
    ] as const)
      expect(explainMembers(monthOf('usage', [{ ...member(A, 20, 10), agreed: terms }]))).toMatchObject([
        [{ kind: 'agreed', method: terms.method, priceCents: 500, rounding: null, ...figures }],
      ]);
  });

  it('says both parts of what was agreed to with a base share', () => {
    // $12, base share 25%, 40 h: the example of docs/how-costs-are-split.md, before it became twice as expensive.
    const now = { ...DEFAULT_TERMS, basePercent: 25 };
    const agreed = { ...now, priceCents: 1200, totalHours: 40, places: 3, monthlyHours: 20, plan: null };
    const explainA = (usedHours: number, changes: Partial<PeriodToSplit> = {}, terms: object = {}) =>
      explainMembers(
        monthOf('usage', [{ ...member(A, 20, usedHours), agreed: { ...agreed, ...terms } }], {
          priceCents: 2400,
          totalHours: 40,
          terms: now,
          ...changes,
        }),
      )[0];
    const ofBase = { kind: 'agreed', method: 'allocation', part: 600, whole: 1200, unit: 'allowances' };
    const base = { ...ofBase, priceCents: 300, amountCents: 150, rounding: null };
    const used = { kind: 'agreed', method: 'usage', part: 16 * HOUR, whole: 40 * HOUR, priceCents: 900 };
    expect(explainA(16)).toMatchObject([base, { ...used, amountCents: 360, rounding: null }]);
    expect(explainA(0)).toMatchObject([base, { kind: 'used_nothing', amountCents: 0 }]);
    // What applies now has no base share.
    expect(explainA(16, { terms: { ...DEFAULT_TERMS, method: 'equal' } })).toMatchObject([base, used]);
    // All of it is the base share.
    expect(explainA(16, {}, { basePercent: 100 })).toMatchObject([{ ...ofBase, priceCents: 1200, amountCents: 600 }]);
    // By share of use, an hour has its own price.
    expect(explainA(16, {}, { method: 'share_of_use', maxHourCents: 10 })).toMatchObject([
      base,
      { kind: 'agreed', method: 'share_of_use', part: 16 * HOUR, whole: HOUR, priceCents: 10, amountCents: 160 },
    ]);
    // $3.33 and $0.2775, which the total rounds up.
    expect(explainA(5, {}, { basePercent: 75, priceCents: 888 })).toMatchObject([
      { ...ofBase, priceCents: 666, amountCents: 333 },
      { amountCents: 28, rounding: 'up' },
    ]);
    const [owner, limitedA] = splitPeriod(
      monthOf('usage', [{ ...member(A, 20, 16), agreed }], { priceCents: 2400, totalHours: 40, terms: now }),
    );
    expect(limitedA).toMatchObject({ amountCents: 510, baseCents: 150, oddCents: 0 });
    expect(owner).toMatchObject({ amountCents: 1890, baseCents: 450, oddCents: 0 });
  });
});
