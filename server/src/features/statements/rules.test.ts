import type { SplitMethod } from '@hourshare/contract/fields';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { daysInMonth } from '../periods/rules.ts';
import { split, splitPeriod, type MemberShare, type PeriodToSplit } from './rules.ts';
import { estimateOffer } from './estimates/rules.ts';
import { explainLines } from './explaining/rules.ts';

const OWNER = 1;
const A = 2;
const B = 3;
const HOUR = 3600;
const APRIL = '2026-04';

const member = (
  userId: number,
  allocationHours: number,
  usedHours: number,
  days = 30,
  hourDays = allocationHours * days,
): MemberShare => ({ userId, allocationHours, usedSeconds: Math.round(usedHours * HOUR), days, hourDays });

function lines(
  dollars: number,
  method: SplitMethod,
  ownerHours: number,
  members: MemberShare[],
  { basePercent = 0, month = APRIL } = {},
): number[] {
  const split = splitPeriod({
    month,
    priceCents: Math.round(dollars * 100),
    terms: { method, basePercent, ownerHours },
    ownerId: OWNER,
    members,
  });
  return split.map(({ amountCents }) => amountCents);
}

describe('the worked examples, in cents for the owner, A, and B', () => {
  it('split by use: the owner covers unused hours', () => {
    expect(lines(20, 'usage', 0, [member(A, 60, 30), member(B, 40, 0.1)])).toEqual([1398, 600, 2]);
  });
  it('split by use beyond the allowance, with hours reserved for the owner', () => {
    expect(lines(15.99, 'usage', 25, [member(A, 30, 10), member(B, 30, 35)])).toEqual([753, 188, 658]);
  });
  it('split more use than was available: never more than the price', () => {
    expect(lines(10, 'usage', 0, [member(A, 5, 8), member(B, 5, 4)])).toEqual([0, 667, 333]);
  });
  it('split by allowance', () => {
    expect(lines(10, 'allocation', 10, [member(A, 20, 3), member(B, 30, 0)])).toEqual([167, 333, 500]);
  });
  it('split evenly, where half a month counts half', () => {
    expect(lines(10, 'equal', 0, [member(A, 20, 0), member(B, 20, 0, 15)])).toEqual([400, 400, 200]);
  });
  it('split by use when a member left on day 13 of 28', () => {
    const members = [member(A, 60, 30, 28), member(B, 40, 0.1, 13)];
    expect(lines(20, 'usage', 0, members, { month: '2026-02' })).toEqual([1234, 764, 2]);
  });
  it('split by an allowance that changed', () => {
    expect(lines(10, 'allocation', 0, [member(A, 20, 0), member(B, 25, 0, 30, 9 * 10 + 21 * 25)])).toEqual([
      0, 494, 506,
    ]);
  });
  it('split by use when no one used anything', () => {
    expect(lines(9.99, 'usage', 0, [member(A, 20, 0)])).toEqual([999, 0]);
    expect(lines(9.99, 'usage', 0, [])).toEqual([999]);
  });
  it('split by use with a base share', () => {
    const members = [member(A, 20, 16), member(B, 10, 0)];
    expect(lines(12, 'usage', 10, members, { basePercent: 25 })).toEqual([615, 510, 75]);
  });
  it('split evenly, with the odd cent rotating by month', () => {
    const splitEvenly = (month: string) =>
      lines(10, 'equal', 0, [member(A, 20, 0, 31), member(B, 20, 0, 31)], { month });
    expect(splitEvenly('2026-10')).toEqual([334, 333, 333]);
    const november = [member(A, 20, 0), member(B, 20, 0)];
    expect(lines(10, 'equal', 0, november, { month: '2026-11' })).toEqual([333, 334, 333]);
    expect(lines(10, 'equal', 0, november, { month: '1999-11' })).toEqual([333, 334, 333]);
  });
  it('leave the price to the owner when nothing else can decide it', () => {
    expect(lines(10, 'allocation', 0, [])).toEqual([1000]);
    expect(lines(10, 'usage', 0, [], { basePercent: 40 })).toEqual([1000]);
  });
});

describe('the estimate for an offer of 20 h at $20', () => {
  const estimate = (
    method: SplitMethod,
    members: MemberShare[],
    { running = false, basePercent = 0, ownerHours = 0 } = {},
  ) => {
    // The price and terms of the month itself don't matter.
    const terms = { method: 'equal' as const, basePercent: 0, ownerHours: 700 };
    const { amountCents, usedSeconds } = estimateOffer(
      { running, month: APRIL, priceCents: 1, terms, ownerId: OWNER, members },
      { memberId: B, allocationHours: 20, priceCents: 2000, terms: { method, basePercent, ownerHours } },
    );
    return [amountCents, usedSeconds / HOUR];
  };

  it('assumes that all of the hours are used where use decides', () => {
    expect(estimate('usage', [member(A, 60, 30)])).toEqual([500, 20]);
    expect(estimate('usage', [])).toEqual([2000, 20]);
    expect(estimate('usage', [member(A, 60, 30)], { ownerHours: 80, basePercent: 50 })).toEqual([250, 20]);
  });
  it('counts the whole month by allowance and evenly, whatever is used', () => {
    expect(estimate('allocation', [member(A, 60, 30)])).toEqual([500, 0]);
    expect(estimate('equal', [member(A, 60, 30)])).toEqual([666, 0]);
    expect(estimate('equal', [member(A, 60, 30, 15)])).toEqual([800, 0]);
  });
  it('treats the current month as if everyone had access for all of it', () => {
    expect(estimate('equal', [member(A, 60, 30, 15)], { running: true })).toEqual([666, 0]);
  });
  it('counts someone who was a member in that month only once', () => {
    expect(estimate('usage', [member(A, 60, 30), member(B, 100, 90, 15)])).toEqual([500, 20]);
  });
});

const anyPeriod: fc.Arbitrary<PeriodToSplit> = fc.record({
  month: fc
    .tuple(fc.integer({ min: 1990, max: 2100 }), fc.integer({ min: 1, max: 12 }))
    .map(([year, month]) => `${year}-${String(month).padStart(2, '0')}`),
  priceCents: fc.oneof(fc.integer({ min: 0, max: 5000 }), fc.integer({ min: 0, max: 999_999_999 })),
  terms: fc.record({
    method: fc.constantFrom<SplitMethod>('usage', 'allocation', 'equal'),
    basePercent: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 100 })),
    ownerHours: fc.integer({ min: 0, max: 744 }),
  }),
  ownerId: fc.constant(500),
  members: fc.uniqueArray(
    fc.record({
      userId: fc.integer({ min: 1, max: 499 }),
      allocationHours: fc.integer({ min: 1, max: 744 }),
      usedSeconds: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 31 * 24 * HOUR })),
      days: fc.integer({ min: 1, max: 28 }),
      hourDays: fc.integer({ min: 0, max: 744 * 28 }),
    }),
    { selector: ({ userId }) => userId, maxLength: 12 },
  ),
});

const sum = (numbers: number[]) => numbers.reduce((total, each) => total + each, 0);

describe('every split', () => {
  it('adds up to the price in whole, nonnegative lines, none above the price', () => {
    fc.assert(
      fc.property(anyPeriod, (month) => {
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
      fc.property(anyPeriod, fc.nat(11), fc.integer({ min: 1, max: 400 * HOUR }), (period, number, moreSeconds) => {
        fc.pre(period.members.length > 0);
        const month = { ...period, terms: { ...period.terms, method: 'usage' as const } };
        const index = number % month.members.length;
        const members = month.members.map((each, position) =>
          position === index ? { ...each, usedSeconds: each.usedSeconds + moreSeconds } : each,
        );
        const before = splitPeriod(month)[index + 1]?.amountCents ?? Number.NaN;
        expect(splitPeriod({ ...month, members })[index + 1]?.amountCents).toBeGreaterThanOrEqual(before);
      }),
    );
  });

  it('by use without a base share charges nothing for no use', () => {
    fc.assert(
      fc.property(anyPeriod, (period) => {
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
      fc.property(anyPeriod, fc.array(fc.nat()), (month, keys) => {
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
  const periodWithPrice = (cents: fc.Arbitrary<number>): fc.Arbitrary<PeriodToSplit> =>
    fc
      .record({
        month: fc.constantFrom('2026-02', '2026-04', '2026-07', '2028-02'),
        priceCents: cents,
        method: fc.constantFrom('usage' as const, 'usage' as const, 'allocation' as const, 'equal' as const),
        basePercent: fc.constantFrom(0, 0, 25, 33, 100),
        ownerHours: fc.constantFrom(0, 0, 10, 744),
        members: fc.array(
          fc.record({
            allocationHours: fc.integer({ min: 1, max: 744 }),
            usedSeconds: fc.oneof(
              fc.constant(0),
              fc.integer({ min: 0, max: 200 }).map((hours) => hours * 900),
              fc.integer({ min: 0, max: 2_678_400 }),
            ),
            days: fc.integer({ min: 1, max: 28 }),
            allMonth: fc.boolean(),
            changed: fc.option(fc.integer({ min: 1, max: 744 }), { nil: undefined }),
          }),
          { maxLength: 5 },
        ),
      })
      .map(({ month, priceCents, method, basePercent, ownerHours, members }) => ({
        month,
        priceCents,
        terms: { method, basePercent, ownerHours },
        ownerId: OWNER,
        members: members.map(({ allMonth, changed, ...each }, index) => {
          const days = allMonth ? daysInMonth(month) : each.days;
          // The first half of the days with another allowance, for some.
          const earlier = changed === undefined ? 0 : Math.floor(days / 2);
          const hourDays = (changed ?? 0) * earlier + each.allocationHours * (days - earlier);
          return { ...each, userId: index + 2, days, hourDays };
        }),
      }));

  /** Returns a displayed figure, which has at most two decimals, in hundredths. */
  const hundredths = (figure: number): bigint => {
    const [whole = '0', decimals = ''] = String(figure).split('.');
    expect(decimals.length).toBeLessThanOrEqual(2);
    return BigInt(whole) * 100n + BigInt(decimals.padEnd(2, '0'));
  };

  it.each([
    ['everyday', fc.integer({ min: 0, max: 10_000 })],
    ['expensive', fc.integer({ min: 0, max: 999_999_999 })],
  ])('can be recalculated by hand on 3,000 %s statements, and its rounding direction is right', (_, cents) => {
    fc.assert(
      fc.property(periodWithPrice(cents), (period) => {
        const amounts = splitPeriod(period);
        for (const [index, parts] of explainLines(period, amounts).entries()) {
          expect(parts.reduce((sum, { amountCents }) => sum + amountCents, 0)).toBe(amounts[index]?.amountCents);
          for (const { kind, priceCents, amountCents, part, whole, rounding } of parts) {
            const exact = BigInt(priceCents) * hundredths(part);
            const charged = BigInt(amountCents) * hundredths(whole);
            const difference = charged - exact;
            const isWithinOneCent = difference > -hundredths(whole) && difference < hundredths(whole);
            // With nothing to divide by, the owner covers everything or the price is zero.
            const isUndivided =
              whole === 0 &&
              [0, priceCents].includes(amountCents) &&
              ['free', 'nobody_used', 'nobody_has_hours', 'alone', 'no_own_hours'].includes(kind);
            expect(isWithinOneCent || isUndivided).toBe(true);
            expect(rounding).toBe(difference === 0n ? null : difference > 0n ? 'up' : 'down');
          }
        }
      }),
      { numRuns: 3000 },
    );
  });

  it('uses seconds where hours are too coarse: a little use is not shown as none', () => {
    const period: PeriodToSplit = {
      month: APRIL,
      priceCents: 5499,
      terms: { method: 'usage', basePercent: 0, ownerHours: 0 },
      ownerId: OWNER,
      members: [{ userId: A, allocationHours: 1, usedSeconds: 2212, days: 30, hourDays: 30 }],
    };
    expect(explainLines(period, splitPeriod(period))[1]).toEqual([
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
    ]);
    const shortUse = {
      ...period,
      priceCents: 99_999,
      members: [{ userId: A, allocationHours: 1, usedSeconds: 5, days: 30, hourDays: 30 }],
    };
    expect(explainLines(shortUse, splitPeriod(shortUse))[1]).toMatchObject([{ kind: 'used', part: 5, whole: 3600 }]);
  });

  it('covers overuse, members who joined or left, and a price of zero', () => {
    const month = (method: SplitMethod, members: MemberShare[], priceCents = 1000): PeriodToSplit => ({
      month: APRIL,
      priceCents,
      terms: { method, basePercent: 0, ownerHours: 0 },
      ownerId: OWNER,
      members,
    });
    const briefly = (usedSeconds: number): PeriodToSplit => ({
      ...month('usage', [{ ...member(A, 4, 0, 1), usedSeconds, hourDays: 4 }]),
      month: '2026-03',
    });
    const explainFirst = (period: PeriodToSplit) => explainLines(period, splitPeriod(period)).map(([part]) => part);
    expect(explainFirst(month('usage', [member(A, 5, 8), member(B, 5, 4)]))).toMatchObject([
      { kind: 'all_used', amountCents: 0 },
      { kind: 'overused', part: 8, whole: 12 },
      { kind: 'overused', part: 4, whole: 12 },
    ]);
    // 4 hour-days in a month of 31 days are 464.5 s, shown as 7 min 45 s.
    const [, asShown] = explainFirst(briefly(465));
    expect(asShown).toMatchObject({
      kind: 'used',
      part: 465,
      whole: 465,
      unit: 'seconds',
      amountCents: 1000,
      rounding: null,
    });
    expect(explainFirst(briefly(466))[1]).toMatchObject({ kind: 'overused', part: 466, whole: 466, unit: 'seconds' });
    expect(explainFirst(month('equal', [member(A, 5, 0), member(B, 5, 0, 15)]))).toMatchObject([
      { kind: 'days', part: 30, whole: 75, unit: 'days' },
      { kind: 'days', part: 30, whole: 75 },
      { kind: 'days', part: 15, whole: 75 },
    ]);
    // Two half months make one whole month, and yet three people pay.
    expect(explainFirst(month('equal', [member(A, 5, 0, 15), member(B, 5, 0, 15)]))).toMatchObject([
      { kind: 'days', part: 30, whole: 60 },
      { kind: 'days', part: 15, whole: 60 },
      { kind: 'days', part: 15, whole: 60 },
    ]);
    expect(explainFirst(month('usage', [member(A, 5, 1)], 0))).toMatchObject([{ kind: 'free' }, { kind: 'free' }]);
  });
});
