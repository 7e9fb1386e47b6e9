import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { randomRuns } from '../../../testing/thorough.ts';
import { addedSince, keepOne, keyOf, sumOf, type Reading, type Told } from './rules.ts';

const told = fc.record({
  from: fc.constantFrom('ana', 'ben'),
  id: fc.integer({ min: 0, max: 6 }).map(String),
  type: fc.constantFrom('add', 'add', 'replace', 'cost'),
  micros: fc.integer({ min: 0, max: 5 }).map((seconds) => seconds * 1_000_000),
  day: fc.constant('2026-03-10'),
  at: fc.integer({ min: 0, max: 5 }),
  place: fc.constant(null),
}) satisfies fc.Arbitrary<Told>;

function keepAll(events: readonly Told[]): Told[] {
  const kept = new Map<string, Told>();
  for (const event of events) {
    const known = kept.get(keyOf(event));
    kept.set(keyOf(event), known ? keepOne(known, event) : event);
  }
  return [...kept.values()];
}

const add = (id: string, seconds: number, at = 0, place: number | null = null): Told => ({
  from: 'ana',
  id,
  type: 'add',
  micros: seconds * 1e6,
  day: '2026-03-10',
  at,
  place,
});
const replace = (id: string, seconds: number, at = 0, place: number | null = null): Told => ({
  ...add(id, seconds, at, place),
  type: 'replace',
});
const seconds = (...events: Told[]) => sumOf(keepAll(events)).micros / 1_000_000;

describe('what is told of a day', () => {
  it('comes to the same in any order and with any repeats', () => {
    fc.assert(
      fc.property(
        fc
          .array(told, { maxLength: 30 })
          .chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length }))),
        ([all, shuffled]) => {
          const { micros, costMicros, lastAt } = sumOf(keepAll(all));
          expect(sumOf(keepAll([...shuffled, ...all.slice(0, 5)]))).toMatchObject({ micros, costMicros, lastAt });
        },
      ),
      { numRuns: randomRuns(500) },
    );
  });

  it('counts each id once', () => {
    expect(seconds(add('a', 60), add('b', 30), add('a', 60))).toBe(90);
    expect(seconds(add('a', 60), add('a', 40))).toBe(60);
    const [one, other] = ['2026-03-09', '2026-03-10'].map((day) => ({ ...add('a', 60), day }));
    for (const [first, second] of [
      [one, other],
      [other, one],
    ])
      expect(first && second && keepOne({ ...first, place: 0 }, { ...second, place: 1 }).day).toBe('2026-03-10');
  });

  it('is replaced by the last total that replaces, and what came after it adds to that', () => {
    expect(seconds(add('a', 60, 1), replace('b', 45, 2), add('c', 10, 3))).toBe(55);
    expect(seconds(replace('b', 45, 2), replace('c', 20, 1))).toBe(45);
    expect(seconds(replace('b', 45, 2), add('d', 5, 2))).toBe(45);
    expect(sumOf([add('a', 60, 1), replace('b', 45, 2)]).replaced).toEqual(new Set([keyOf({ from: 'ana', id: 'a' })]));
  });

  it('without instants, is replaced by what came last', () => {
    expect(seconds(replace('a', 45, 1, 0), replace('b', 20, 1, 1), add('c', 5, 1, 2))).toBe(25);
    expect(seconds(replace('a', 45, 1, 0), replace('b', 20, 2, 0), replace('a', 45, 3, 0))).toBe(20);
    expect(seconds(replace('a', 45, 1, 0), replace('a', 20, 2, 0))).toBe(20);
  });

  it('of one name replaces nothing of another', () => {
    expect(seconds(add('a', 60), { ...replace('b', 5, 9), from: 'ben' })).toBe(65);
  });
});

describe('a cumulative counter', () => {
  it('comes to all that it counted, over restarts, repeats, and late readings', () => {
    const run = fc.array(fc.integer({ min: 0, max: 1000 }), { minLength: 1, maxLength: 10 });
    fc.assert(
      fc.property(
        fc.array(run, { minLength: 1, maxLength: 5 }),
        fc.infiniteStream(fc.boolean()),
        (runs, isRepeated) => {
          let [at, sum] = [0, 0];
          let known: Reading | undefined;
          for (const steps of runs) {
            let micros = 1;
            // A counter that begins anew is lower than it was, or has another start and is known by that.
            if (known && micros + (steps[0] ?? 0) >= known.micros) known = undefined;
            for (const step of steps) {
              micros += step;
              const reading = { at: ++at, micros, startedAt: null };
              for (const each of isRepeated.next().value ? [reading, reading] : [reading]) {
                const added = addedSince(known, each, 0);
                sum += added?.micros ?? 0;
                if (added) known = each;
              }
            }
          }
          expect(sum).toBe(runs.reduce((all, steps) => all + 1 + steps.reduce((one, other) => one + other, 0), 0));
        },
      ),
      { numRuns: randomRuns(200) },
    );
  });

  it('that began long before it was heard of only says where it stands', () => {
    expect(addedSince(undefined, { at: 100, micros: 7, startedAt: 10 }, 50)).toEqual({ micros: 0, since: 100 });
    expect(addedSince(undefined, { at: 100, micros: 7, startedAt: 60 }, 50)).toEqual({ micros: 7, since: 60 });
    expect(addedSince({ at: 100, micros: 7 }, { at: 90, micros: 5, startedAt: 60 }, 50)).toBeUndefined();
  });
});
