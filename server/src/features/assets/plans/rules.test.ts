import type { Cycle } from '@hourshare/contract/cycles';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  cycleStartOf,
  dearestMonthCents,
  monthCents,
  nextRenewal,
  partsOfMonth,
  spreadStart,
  type Plan,
  sumOfParts,
  type PricePart,
} from './rules.ts';

const yearly = (anchor: string): Cycle => ({ every: 1, unit: 'year', anchor });
const monthly = (anchor: string, every = 1): Cycle => ({ every, unit: 'month', anchor });
const planOf = (cycle: Cycle | null, others: Partial<Plan> = {}): Plan => ({
  cycle,
  spread: true,
  spreadFrom: null,
  trialUntil: null,
  startedOn: null,
  ...others,
});

/** Adds months to a date by counting days of the calendar, one by one. */
function slowlyLater(date: string, months: number): string {
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number);
  const target = year * 12 + month - 1 + months;
  let last = 28;
  for (const each of [29, 30, 31]) {
    const made = new Date(Date.UTC(Math.floor(target / 12), target % 12, each));
    if (made.getUTCMonth() === target % 12) last = each;
  }
  const text = (value: number, digits: number) => String(value).padStart(digits, '0');
  return `${text(Math.floor(target / 12), 4)}-${text((target % 12) + 1, 2)}-${text(Math.min(day, last), 2)}`;
}

const nextDay = (date: string) => new Date(Date.parse(date) + 86_400_000).toISOString().slice(0, 10);

/** The cost of each month of a cycle, by walking through its days, of which each costs what F grows by on it. */
function slowCosts(from: string, until: string, price: number, trialUntil: string | null): Map<string, number> {
  const days = [];
  for (let day = from; day < until; day = nextDay(day)) days.push(day);
  const costs = new Map<string, number>();
  for (const [index, day] of days.entries()) {
    const step = (n: number) => (BigInt(price) * BigInt(n)) / BigInt(days.length);
    const cost = trialUntil !== null && day <= trialUntil ? 0 : Number(step(index + 1) - step(index));
    costs.set(day.slice(0, 7), (costs.get(day.slice(0, 7)) ?? 0) + cost);
  }
  return costs;
}

const anchors = fc
  .date({ min: new Date('2019-01-01'), max: new Date('2033-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));
const edges = fc.constantFrom('2024-02-29', '2026-01-31', '2025-08-31', '2026-04-30', '2026-01-01', '2023-12-31');
const cycles: fc.Arbitrary<Cycle> = fc.record({
  every: fc.integer({ min: 1, max: 36 }),
  unit: fc.constantFrom('month' as const, 'year' as const),
  anchor: fc.oneof(anchors, edges),
});
const prices = fc.integer({ min: 0, max: 999_999_999 });

describe('cycles', () => {
  it('are counted from the anchor, on the last day of shorter months', () => {
    const cycle = monthly('2026-01-31');
    expect(nextRenewal(cycle, '2026-01-31')).toBe('2026-02-28');
    expect(nextRenewal(cycle, '2026-02-28')).toBe('2026-03-31');
    expect(nextRenewal(cycle, '2026-03-31')).toBe('2026-04-30');
    expect(cycleStartOf(cycle, '2026-03-30')).toBe('2026-02-28');
    expect(nextRenewal(yearly('2024-02-29'), '2025-02-28')).toBe('2026-02-28');
    expect(nextRenewal(yearly('2024-02-29'), '2027-02-28')).toBe('2028-02-29');
    expect(cycleStartOf(yearly('2026-03-14'), '2026-03-13')).toBe('2025-03-14');
  });

  it('follow each other without gaps, as adding months slowly says', () => {
    fc.assert(
      fc.property(cycles, fc.integer({ min: -40, max: 40 }), (cycle, k) => {
        const months = cycle.every * (cycle.unit === 'year' ? 12 : 1);
        if (Math.abs(months * k) > 1200) return;
        const [start, next] = [slowlyLater(cycle.anchor, months * k), slowlyLater(cycle.anchor, months * (k + 1))];
        expect(cycleStartOf(cycle, start)).toBe(start);
        expect(nextRenewal(cycle, start)).toBe(next);
        const dayBefore = new Date(Date.parse(next) - 86_400_000).toISOString().slice(0, 10);
        expect(cycleStartOf(cycle, dayBefore)).toBe(start);
      }),
    );
  });
});

describe('what a month costs', () => {
  it('is its days of the cycle, and says how much that makes so far', () => {
    const parts = partsOfMonth(planOf(yearly('2026-03-14')), '2026-11', { priceOf: () => 12_000 });
    expect(parts).toEqual([
      {
        every: 1,
        unit: 'year',
        cycle_from: '2026-03-14',
        cycle_days: 365,
        cycle_cents: 12_000,
        days: 30,
        cents: 986,
        so_far_cents: 8613,
        spread: true,
      },
    ]);
  });

  it('adds both parts in a month with a renewal, each at its own price', () => {
    const priceOf = (from: string) => (from < '2027' ? 12_000 : 24_000);
    const parts = partsOfMonth(planOf(yearly('2026-03-14')), '2027-03', { priceOf });
    expect(parts.map(({ days, cycle_cents: price }) => [days, price])).toEqual([
      [13, 12_000],
      [18, 24_000],
    ]);
    expect(parts[0]?.so_far_cents).toBe(12_000);
  });

  it('is nothing in a trial, and less in the month in which that ends', () => {
    const plan = planOf(null, { trialUntil: '2026-11-20' });
    expect(monthCents(3000, plan, '2026-10')).toBe(0);
    expect(monthCents(3000, plan, '2026-11')).toBe(1000);
    expect(monthCents(3000, plan, '2026-12')).toBe(3000);
  });

  it('is all of the price in the month of the renewal, if it is not spread', () => {
    const plan = planOf(yearly('2026-03-14'), { spread: false });
    expect(['2026-02', '2026-03', '2026-04', '2027-03'].map((month) => monthCents(12_000, plan, month))).toEqual([
      0, 12_000, 0, 12_000,
    ]);
    expect(monthCents(12_000, { ...plan, trialUntil: '2026-04-13' }, '2026-04')).toBe(
      12_000 - Math.floor((12_000 * 31) / 365),
    );
  });

  it('is nothing before the anchor of a plan that started with it', () => {
    const plan = planOf(yearly('2026-03-14'), { startedOn: '2026-03-14' });
    expect(partsOfMonth(plan, '2026-03', { priceOf: () => 12_000 }).map(({ days }) => days)).toEqual([18]);
    expect(monthCents(12_000, plan, '2026-02')).toBe(0);
  });

  it('is nothing if the plan ends in its trial, or with it', () => {
    for (const cycle of [null, yearly('2026-11-01'), yearly('2026-02-28')])
      for (const spread of [true, false]) {
        const plan = planOf(cycle, { trialUntil: '2026-11-15', spread });
        const costs = (endsOn: string) =>
          ['2026-11', '2026-12'].map((month) =>
            sumOfParts(partsOfMonth(plan, month, { priceOf: () => 12_000, endsOn })),
          );
        expect(costs('2026-11-10')).toEqual([0, 0]);
        expect(costs('2026-11-16')).toEqual([0, 0]);
        expect(costs('2026-11-17')[0]).toBeGreaterThan(0);
      }
  });

  it('leaves out cycles that would start once the plan has ended', () => {
    const march = partsOfMonth(planOf(yearly('2026-03-14')), '2027-03', {
      priceOf: () => 12_000,
      endsOn: '2027-03-14',
    });
    expect(march.map(({ days }) => days)).toEqual([13]);
    expect(partsOfMonth(planOf(yearly('2026-03-14')), '2027-04', { priceOf: () => 1, endsOn: '2027-03-14' })).toEqual(
      [],
    );
  });

  it('adds up to the price over each cycle, spread or not, as walking through its days says', () => {
    fc.assert(
      fc.property(cycles, prices, fc.option(fc.integer({ min: 0, max: 400 })), (cycle, price, trial) => {
        const until = nextRenewal(cycle, cycle.anchor);
        const trialUntil =
          trial === null ? null : new Date(Date.parse(cycle.anchor) + trial * 86_400_000).toISOString().slice(0, 10);
        const slow = slowCosts(cycle.anchor, until, price, trialUntil);
        const costsOf = (plan: Plan) =>
          [...slow.keys()].map((month) =>
            sumOfParts(
              partsOfMonth(plan, month, { priceOf: () => price }).filter(
                ({ cycle_from: from }) => from === cycle.anchor,
              ),
            ),
          );
        const spread = costsOf(planOf(cycle, { trialUntil }));
        expect(spread).toEqual([...slow.values()]);
        const total = spread.reduce((sum, each) => sum + each, 0);
        expect(trial === null ? total : price).toBe(price);
        const once = costsOf(planOf(cycle, { trialUntil, spread: false }));
        expect(once.reduce((sum, each) => sum + each, 0)).toBe(total);
        expect(once.filter((each) => each > 0).length).toBeLessThan(2);
      }),
      { numRuns: 200 },
    );
  });

  it('adds up to the price over each cycle, however often spreading it is switched on and off', () => {
    fc.assert(
      fc.property(
        cycles,
        prices,
        fc.array(fc.record({ month: fc.integer({ min: 0, max: 90 }), spread: fc.boolean() }), { maxLength: 12 }),
        (cycle, price, switches) => {
          const months = Array.from({ length: 91 }, (_, index) => slowlyLater('2020-01-01', index).slice(0, 7));
          const since = months[0] ?? '';
          let plan = planOf(cycle);
          const parts: PricePart[] = [];
          for (const [index, month] of months.entries()) {
            for (const { spread } of switches.filter((each) => each.month === index)) {
              const next = { ...plan, spread };
              plan = { ...next, spreadFrom: spreadStart(next, plan, { month, since }) };
            }
            parts.push(...partsOfMonth(plan, month, { priceOf: () => price }));
            // What was chosen last holds at the latest from the next cycle on.
            const [later] = partsOfMonth(
              plan,
              slowlyLater(nextRenewal(cycle, slowlyLater(`${month}-01`, 1)), 1).slice(0, 7),
              {
                priceOf: () => price,
              },
            );
            expect(later?.spread).toBe(plan.spread);
          }
          for (const start of new Set(parts.map((part) => part.cycle_from))) {
            const own = parts.filter((part) => part.cycle_from === start);
            const sum = (of: (part: PricePart) => number) => own.reduce((total, part) => total + of(part), 0);
            expect(new Set(own.map(({ spread }) => spread)).size).toBe(1);
            const isWhole = sum(({ days }) => days) === own[0]?.cycle_days;
            expect(isWhole ? sum(({ cents }) => cents) : price).toBe(price);
          }
        },
      ),
      { numRuns: 200 },
    );
  });

  it('never exceeds that of the dearest month', () => {
    const trials = fc.oneof(anchors, edges);
    fc.assert(
      fc.property(
        cycles,
        prices,
        fc.record({ spread: fc.boolean(), isSwitched: fc.boolean(), trialUntil: fc.option(trials) }),
        fc.integer({ min: 0, max: 155 }),
        (cycle, price, { isSwitched, ...others }, index) => {
          const month = slowlyLater('2020-01-01', index).slice(0, 7);
          const spreadFrom = isSwitched ? nextRenewal(cycle, cycle.anchor) : null;
          const plan = planOf(cycle, { ...others, spreadFrom });
          // Cycles in which nothing of the other way is left.
          if (spreadFrom !== null && month < cycle.anchor.slice(0, 7)) return;
          if (spreadFrom !== null && others.spread && month === cycle.anchor.slice(0, 7)) return;
          expect(monthCents(price, plan, month)).toBeLessThanOrEqual(dearestMonthCents(price, plan));
        },
      ),
      { numRuns: 500 },
    );
  });
});
