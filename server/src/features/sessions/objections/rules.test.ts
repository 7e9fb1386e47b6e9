import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Interval } from '../rules.ts';
import { sessionsToRestore, type EditedSession } from './rules.ts';

const at = (hour: number) => new Date(Date.UTC(2026, 1, 1, hour));
const stretch = (from: number, to: number): Interval => ({ startedAt: at(from), endedAt: at(to) });
const areDisjoint = (stretches: Interval[]) =>
  stretches.every((one, index) =>
    stretches.slice(index + 1).every((other) => one.startedAt >= other.endedAt || one.endedAt <= other.startedAt),
  );

/** Sessions recorded one after another, then edited or removed one by one, never over another's current times. */
const edited = fc
  .record({
    recorded: fc.array(fc.tuple(fc.nat(3), fc.integer({ min: 1, max: 6 })), { minLength: 1, maxLength: 8 }),
    edits: fc.array(fc.tuple(fc.nat(7), fc.nat(60), fc.integer({ min: 0, max: 12 })), { maxLength: 20 }),
  })
  .map(({ recorded, edits }) => {
    let hour = 0;
    const sessions = recorded.map(([gap, length], id): EditedSession => {
      const times = stretch(hour + gap, hour + gap + length);
      hour += gap + length;
      return { id, recorded: times, current: times };
    });
    for (const [id, from, length] of edits) {
      const session = sessions[id];
      if (!session?.current) continue;
      const current = length === 0 ? null : stretch(from, from + length);
      const others = sessions.flatMap((each) => (each === session || !each.current ? [] : [each.current]));
      if (!current || areDisjoint([current, ...others.filter((other) => !areDisjoint([current, other]))]))
        session.current = current;
    }
    return sessions;
  });

it('restored sessions never overlap others, whichever are objected to, in any order', () => {
  fc.assert(
    fc.property(edited, fc.infiniteStream(fc.nat(7)), (sessions, ids) => {
      expect(areDisjoint(sessions.flatMap(({ current }) => current ?? []))).toBe(true);
      const current = new Map(sessions.map(({ id, current: times }) => [id, times]));
      for (const objected of [...ids.take(4)].filter((id) => id < sessions.length)) {
        const now = sessions.map((each) => ({ ...each, current: current.get(each.id) ?? null }));
        const restored = new Map(sessionsToRestore(now, objected, at(0))?.map(({ id, times }) => [id, times]));
        expect(restored.has(objected)).toBe(true);
        expect([...restored.values()]).toEqual(
          sessions.filter(({ id }) => restored.has(id)).map(({ recorded }) => recorded),
        );
        for (const [id, times] of restored) current.set(id, times);
        expect(areDisjoint([...current.values()].flatMap((times) => times ?? []))).toBe(true);
        // No more than needed: each was objected to, or its edited times overlap recorded times of another one.
        for (const each of now) {
          const { current: times } = each;
          if (each.id === objected || !restored.has(each.id)) continue;
          const others = now.filter(({ id }) => id !== each.id && restored.has(id));
          expect(times && others.some(({ recorded }) => !areDisjoint([times, recorded]))).toBe(true);
        }
      }
    }),
  );
});

describe('with a closed month', () => {
  const one = { id: 1, recorded: stretch(10, 20), current: null };

  it('restores nothing if another session could only give way with times of that month', () => {
    const other = { id: 2, recorded: stretch(2, 3), current: stretch(12, 13) };
    expect(sessionsToRestore([one, other], 1, at(2))).toEqual([
      { id: 1, times: one.recorded, kept: null },
      { id: 2, times: other.recorded, kept: null },
    ]);
    expect(sessionsToRestore([one, other], 1, at(5))).toBeUndefined();
  });

  it('restores what is in open months, and keeps what is in closed ones', () => {
    const times = (recorded: Interval, current: Interval | null) =>
      sessionsToRestore([{ id: 1, recorded, current }], 1, at(5))?.map(({ times: counted, kept }) => ({
        times: counted,
        kept,
      }));
    expect(times(stretch(10, 20), stretch(1, 2))).toEqual([{ times: stretch(10, 20), kept: stretch(1, 2) }]);
    expect(times(stretch(3, 9), stretch(3, 6))).toEqual([{ times: stretch(3, 9), kept: null }]);
    expect(times(stretch(3, 9), stretch(4, 6))).toEqual([{ times: stretch(5, 9), kept: stretch(4, 5) }]);
    expect(times(stretch(3, 5), stretch(3, 6))).toEqual([{ times: stretch(3, 5), kept: null }]);
    expect(times(stretch(2, 5), stretch(3, 6))).toEqual([{ times: stretch(3, 5), kept: null }]);
    expect(times(stretch(3, 9), null)).toEqual([{ times: stretch(5, 9), kept: null }]);
  });
});

it('has sessions whose start was added late give way to what was recorded before', () => {
  const ended = { id: 1, recorded: stretch(9, 13), current: stretch(9, 10) };
  const late = (id: number, from: number, to: number) => ({
    id,
    recorded: stretch(from, to),
    current: stretch(from, to),
  });
  expect(sessionsToRestore([ended, late(2, 11, 12), late(3, 12, 15)], 1, at(0))).toEqual([
    { id: 1, times: stretch(9, 13), kept: null },
    { id: 2, times: null, kept: null },
    { id: 3, times: stretch(13, 15), kept: null },
  ]);
});
