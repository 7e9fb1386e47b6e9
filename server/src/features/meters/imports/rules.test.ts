import fc from 'fast-check';
import { expect, it } from 'vitest';
import { randomRuns } from '../../../testing/thorough.ts';
import { planRows, type Barred, type Row } from './rules.ts';

/** Not whole seconds. */
const STEP = 300;
const steps = (min: number, max: number) => fc.integer({ min, max }).map((count) => count * STEP);
const row = fc
  .record({
    name: fc.constantFrom('Ben', 'Zoe'),
    from: steps(0, 1000),
    length: steps(1, 200),
    known: fc.boolean(),
  })
  .map(({ length, ...rest }): Row => ({ ...rest, to: rest.from + length }));
const barred = fc
  .record({
    from: steps(-50, 1000),
    length: steps(0, 200),
    reason: fc.constantFrom('month_closed', 'no_access', 'other_session'),
  })
  .map(({ from, length, reason }): Barred => ({ from, to: from + length, reason }));

it('says of every part of every row what becomes of it, once', () => {
  fc.assert(
    fc.property(
      fc.array(row, { maxLength: 25 }),
      fc.array(barred, { maxLength: 5 }),
      steps(0, 30),
      fc.option(fc.integer({ min: 0, max: 180 }).map((seconds) => seconds * 1000)),
      (rows, spans, minMs, left) => {
        const { counted, parts } = planRows(rows, {
          now: 2000 * STEP,
          minMs,
          limitAt: () => 90 * STEP,
          barred: spans,
          budgets: left === null ? null : [{ from: -Infinity, to: Infinity, leftMs: left }],
          waitsFor: null,
        });
        for (const name of ['Ben', 'Zoe']) {
          const ofName = rows.filter((each) => each.name === name);
          const ofParts = parts.get(name) ?? [];
          const sum = (numbers: number[]) => numbers.reduce((all, each) => all + each, 0);
          expect(sum(ofParts.map(({ ms }) => ms))).toBe(sum(ofName.map(({ from, to }) => to - from)));
          expect(sum(ofParts.map((part) => part.rows))).toBe(ofName.length);
        }
        const credited = [...parts.values()]
          .flat()
          .flatMap(({ result, ms }) => (result === 'counted' || result === 'known' ? ms : []));
        expect(credited.reduce((all, ms) => all + ms, 0)).toBe(
          counted.reduce((all, { from, to }) => all + to - from, 0),
        );
      },
    ),
    { numRuns: randomRuns(300) },
  );
});
