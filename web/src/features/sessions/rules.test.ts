import { describe, expect, it } from 'vitest';
import { anExplanation, aStatement, bensLine } from '../../testing/records.ts';
import { changedTimes, editText, fieldTime, isPossiblyOpen, sessionCost } from './rules.ts';

const session = { start_time: '2026-03-05T10:00:00.250Z', end_time: '2026-03-05T11:30:09.750Z' };

describe('editing a session', () => {
  it('sends only changed times, as instants', () => {
    const shown = { start: fieldTime(session.start_time), end: fieldTime(session.end_time) };
    expect(changedTimes(session, shown)).toEqual({});
    const later = fieldTime('2026-03-05T10:30:00.000Z');
    expect(changedTimes(session, { ...shown, start: later })).toEqual({ start_time: '2026-03-05T10:30:00.000Z' });
    expect(changedTimes(session, { ...shown, end: later })).toEqual({ end_time: '2026-03-05T10:30:00.000Z' });
  });

  it('is offered for the current and previous month', () => {
    const now = new Date(2026, 0, 2);
    expect(isPossiblyOpen(new Date(2025, 11, 1).toISOString(), now)).toBe(true);
    expect(isPossiblyOpen(new Date(2025, 10, 30).toISOString(), now)).toBe(false);
  });
});

it('editText describes an edited or removed session', () => {
  const edit = { at: 'noon', start_time: 'nine', end_time: 'ten' };
  const same = (instant: string) => instant;
  expect(editText({ kind: 'corrected', ...edit }, same)).toBe('Edited noon. Originally nine–ten.');
  expect(editText({ kind: 'removed', ...edit }, same)).toBe('Removed noon.');
});

describe('the cost of a session', () => {
  const hour = { start_time: '2026-11-21T10:00:00.000Z', end_time: '2026-11-21T11:00:00.000Z' };
  const split = (...explanation: Parameters<typeof anExplanation>[0][]) =>
    aStatement({ lines: [bensLine({ explanation: explanation.map((part) => anExplanation(part)) })] });

  it("is the price times its time divided by the month's hours", () => {
    // $20.00 × 1 h ÷ 40 h
    expect(sessionCost(split({}), hour)).toBe(0.5);
    expect(sessionCost(split({ unit: 'seconds', whole: 144_000 }), hour)).toBe(0.5);
    // Unused so far: the rate is the same.
    expect(sessionCost(split({ kind: 'used_nothing', part: 0, amount: 0 }), hour)).toBe(0.5);
  });

  it('leaves out the base share, which use does not change', () => {
    expect(sessionCost(split({ method: 'allocation', kind: 'allowance', price: 10 }, { price: 10 }), hour)).toBe(0.25);
  });

  it('rounds to the smallest unit of the currency', () => {
    expect(sessionCost({ ...split({ price: 1_490 }), currency: 'JPY' }, hour)).toBe(37);
  });

  it('is unknown where use does not divide the price', () => {
    expect(sessionCost(split({ method: 'equal', kind: 'even', unit: 'people', whole: 2 }), hour)).toBeNull();
    expect(sessionCost(split({ kind: 'free', whole: 0 }), hour)).toBeNull();
  });

  it('is unknown below one cent and outside the month', () => {
    const second = { ...hour, end_time: '2026-11-21T10:00:01.000Z' };
    expect(sessionCost(split({}), second)).toBeNull();
    expect(sessionCost(split({}), { ...hour, start_time: '2026-10-31T23:30:00.000Z' })).toBeNull();
    expect(sessionCost({ ...split({}), ended: true }, hour)).toBeNull();
  });
});
