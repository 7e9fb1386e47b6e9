import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { randomRuns } from '../../testing/thorough.ts';
import { capUses, cutAtLimit, mergeUses, sessionsOf, subtract, usesOf, type Conditions, type Sign } from './rules.ts';

const MINUTE = 60_000;

/** Everything in minutes. */
const conditions = (changes: Partial<Record<'now' | 'grace' | 'merge' | 'min' | 'limit', number>> = {}): Conditions => {
  const { now = 1000, grace = 10, merge = 5, min = 1, limit = 600 } = changes;
  return {
    now: now * MINUTE,
    graceMs: grace * MINUTE,
    mergeMs: merge * MINUTE,
    minMs: min * MINUTE,
    limitAt: () => limit * MINUTE,
  };
};
const start = (at: number): Sign => ({ type: 'start', at: at * MINUTE });
const beat = (at: number): Sign => ({ type: 'beat', at: at * MINUTE });
const stop = (at: number): Sign => ({ type: 'stop', at: at * MINUTE });
const whole = (at: number, until: number): Sign => ({ type: 'session', at: at * MINUTE, until: until * MINUTE });
const minutes = (uses: ReturnType<typeof usesOf>) =>
  uses.map(({ from, to }) => [from / MINUTE, to === null ? null : to / MINUTE]);

describe('signs of use', () => {
  it.each<[string, Sign[], (number | null)[][]]>([
    ['a start and a stop', [start(10), stop(40)], [[10, 40]]],
    ['a start without beats goes on', [start(900)], [[900, null]]],
    ['to the limit', [start(10)], [[10, 610]]],
    ['and a second start changes nothing', [start(10), start(100), stop(200)], [[10, 200]]],
    ['beats go on until one is missing', [start(10), beat(15), beat(24), beat(40)], [[10, 24], [40, 40]]], // prettier-ignore
    ['a late stop comes to nothing', [start(10), beat(15), stop(40)], [[10, 15]]],
    ['a stop without a start', [stop(10)], []],
    ['a beat without a start', [beat(990), beat(995)], [[990, null]]],
    ['a stop and a start at once while it runs', [start(10), stop(20), start(20), stop(30)], [[10, 20], [20, 30]]], // prettier-ignore
    ['a start and a stop at once', [start(20), stop(20)], [[20, 20]]],
    ['whole sessions', [whole(10, 20), whole(50, 60)], [[10, 20], [50, 60]]], // prettier-ignore
  ])('%s', (_, signs, expected) => {
    expect(minutes(usesOf(signs, conditions()))).toEqual(expected);
  });

  it('say whether they ended at the last sign of life', () => {
    const uses = usesOf([start(10), beat(15), start(100), stop(130)], conditions());
    expect(uses.map((use) => use.to !== null && use.silent)).toEqual([true, false]);
  });
});

it('uses count from the shortest length on', () => {
  const uses = usesOf([whole(0, 1), whole(20, 20 + 59 / 60)], conditions());
  const { counted } = sessionsOf(uses, { ...conditions(), taken: [], budgets: null });
  expect(minutes(counted)).toEqual([[0, 1]]);
});

it('short gaps are use, long ones are not', () => {
  const uses = usesOf([whole(0, 10), whole(15, 20), whole(26, 30)], conditions());
  expect(minutes(mergeUses(uses, conditions()))).toEqual([
    [0, 20],
    [26, 30],
  ]);
});

it('uses that live by beats are not joined across long gaps, also while they go on', () => {
  const uses = [...usesOf([beat(0), beat(5)], conditions({ now: 12 })), ...usesOf([beat(12)], conditions({ now: 12 }))];
  const merged = mergeUses(uses, conditions({ now: 12 }));
  expect(minutes(merged)).toEqual([
    [0, 5],
    [12, null],
  ]);
  expect(merged[0]).toMatchObject({ silent: true });
  expect(minutes(mergeUses(uses, conditions({ now: 12, merge: 7 })))).toEqual([[0, null]]);
});

it('what is taken is left out, and what goes on waits until it is free', () => {
  const uses = usesOf([start(10), beat(20), start(900)], conditions());
  const taken = [
    { from: 12 * MINUTE, to: 14 * MINUTE },
    { from: 950 * MINUTE, to: Infinity },
  ];
  expect(minutes(subtract(uses, taken))).toEqual([
    [10, 12],
    [14, 20],
    [900, 950],
  ]);
});

it('what is longer than the limit is cut', () => {
  expect(minutes(cutAtLimit(usesOf([whole(0, 130)], conditions()), conditions({ limit: 60 })))).toEqual([
    [0, 60],
    [60, 120],
    [120, 130],
  ]);
});

it('what goes on ends when nothing is left of the month', () => {
  const uses = usesOf([whole(0, 30), start(990)], conditions());
  const budget = { from: 0, to: 5000 * MINUTE, leftMs: 45 * MINUTE };
  const { counted, spentAt } = capUses(uses, [budget], 1000 * MINUTE);
  expect(minutes(counted)).toEqual([
    [0, 30],
    [990, null],
  ]);
  expect(counted[1]).toMatchObject({ until: 1005 * MINUTE });
  expect(spentAt).toBe(1005 * MINUTE);
  expect(minutes(capUses(uses, [{ ...budget, leftMs: 20 * MINUTE }], 1000 * MINUTE).counted)).toEqual([[0, 20]]);
});

it('what counts of a month takes no more of it than is billed, in whole seconds', () => {
  const uses = [
    { from: 900, to: 1_800_100, silent: false },
    { from: 3_600_900, to: 7_000_000, silent: false },
  ];
  const budget = { from: 0, to: 9_000_000, leftMs: 3_600_000 };
  const [first, second] = capUses(uses, [budget], 9_000_000).counted;
  expect(first).toMatchObject({ from: 900, to: 1_800_100 });
  expect(second).toMatchObject({ from: 3_600_900, to: 5_400_000 });
  expect(capUses([{ from: 900, to: null, until: 9_000_000, last: null }], [budget], 1000).spentAt).toBe(3_600_000);
});

describe('the sessions of any signs', () => {
  const STEP = 300;
  /** In steps that aren't whole seconds. */
  const steps = (min: number, max: number) => fc.integer({ min, max }).map((count) => count * STEP);
  const sign = fc.oneof(
    fc.record({ type: fc.constantFrom('start', 'beat', 'stop'), at: steps(0, 3000) }),
    fc
      .tuple(steps(0, 3000), steps(1, 400))
      .map(([at, length]) => ({ type: 'session' as const, at, until: at + length })),
  ) as fc.Arbitrary<Sign>;
  const span = fc.tuple(steps(0, 3000), steps(0, 300)).map(([from, length]) => ({ from, to: from + length }));
  const set = fc.record({
    signs: fc.array(sign, { maxLength: 30 }),
    taken: fc.array(span, { maxLength: 5 }),
    graceMs: steps(1, 200),
    mergeMs: steps(0, 100),
    minMs: steps(0, 50),
    limit: steps(200, 1000),
    left: fc.option(fc.integer({ min: 0, max: 600 }).map((seconds) => seconds * 1000)),
  });
  type Given = typeof set extends fc.Arbitrary<infer T> ? T : never;
  const sessions = ({ signs, taken, limit, left, ...rest }: Given, now = 3500 * STEP) => {
    const given = { ...rest, now, limitAt: () => limit };
    const budgets = left === null ? null : [{ from: -Infinity, to: Infinity, leftMs: left }];
    return sessionsOf(mergeUses(usesOf(signs, given), given), { ...given, taken, budgets }).counted;
  };

  it('depend on the set alone, not on order or repeats', () => {
    fc.assert(
      fc.property(set, fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })), (each, random) => {
        const shuffled = [...each.signs, ...each.signs.slice(0, 3)]
          .map((one) => ({ one, place: random.next().value }))
          .toSorted((a, b) => a.place - b.place)
          .map(({ one }) => one);
        expect(sessions({ ...each, signs: shuffled })).toEqual(sessions(each));
      }),
      { numRuns: randomRuns(200) },
    );
  });

  it('that have ended stay as they are while nothing more is told', () => {
    const isEnded = ({ to }: ReturnType<typeof usesOf>[number]) => to !== null;
    fc.assert(
      fc.property(set, steps(0, 3000), (each, now) => {
        const signs = each.signs.filter((sign) => (sign.type === 'session' ? sign.until : sign.at) <= now);
        const taken = each.taken.filter(({ to }) => to <= now);
        const ended = sessions({ ...each, signs, taken }, now).filter(isEnded);
        expect(sessions({ ...each, signs, taken }, 9000 * STEP)).toEqual(expect.arrayContaining(ended));
      }),
      { numRuns: randomRuns(200) },
    );
  });

  it('neither overlap each other nor what is taken, are long enough, and fit into what is left', () => {
    fc.assert(
      fc.property(set, (each) => {
        const counted = sessions(each);
        let before = -Infinity;
        let sum = 0;
        for (const use of counted) {
          expect(use.from).toBeGreaterThanOrEqual(before);
          const to = use.to ?? 3500 * STEP;
          before = use.to ?? Infinity;
          sum += Math.floor(to / 1000) - Math.floor(use.from / 1000);
          for (const span of each.taken)
            expect(span.from < span.to && span.from < to && span.to > use.from).toBe(false);
        }
        expect(sum * 1000).toBeLessThanOrEqual(each.left ?? Infinity);
      }),
      { numRuns: randomRuns(200) },
    );
  });
});
