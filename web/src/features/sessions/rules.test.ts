import { describe, expect, it } from 'vitest';
import { changedTimes, editText, fieldTime, isPossiblyOpen } from './rules.ts';

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
