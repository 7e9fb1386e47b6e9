import type { SessionEdit } from '@hourshare/contract/sessions';
import { describe, expect, it, vi } from 'vitest';
import { fieldTime } from '../../platform/forms/local-times.ts';
import { anExplanation, aStatement, bensLine } from '../../testing/records.ts';
import { editText } from './edit-text.ts';
import {
  byDay,
  canObject,
  changedTimes,
  isPossiblyOpen,
  openSince,
  sessionCost,
  skippedProblem,
  timeProblem,
  askText,
  endedMonth,
  takesFrom,
} from './rules.ts';

const session = { start_time: '2026-03-05T10:00:00.250Z', end_time: '2026-03-05T11:30:09.750Z' };

describe('sessions by day', () => {
  const at = (start: string, duration: number | null) => ({
    start_time: new Date(`2026-03-${start}`).toISOString(),
    duration,
    edited: null as SessionEdit | null,
  });
  const totals = (sessions: Parameters<typeof byDay>[0], isComplete = true) =>
    byDay(sessions, { isComplete }).map(({ minutes, sessions: { length } }) => [length, minutes]);

  it('are added up, by the days of the viewer', () => {
    expect(totals([at('05T23:30', 60), at('05T00:10', 30), at('04T23:50', 5)])).toEqual([
      [2, 90],
      [1, null],
    ]);
  });

  it('have no total while one runs, or more of the day may be on the next page', () => {
    expect(totals([at('05T12:00', null), at('05T10:00', 60), at('05T08:00', 60)])).toEqual([[3, null]]);
    expect(totals([at('05T12:00', 10), at('05T10:00', 60)], false)).toEqual([[2, null]]);
  });

  it('leave out what was removed', () => {
    const removed = { ...at('05T08:00', 60), edited: { kind: 'removed' } as SessionEdit };
    expect(totals([at('05T12:00', 10), at('05T10:00', 60), removed])).toEqual([[3, 70]]);
  });
});

describe('editing a session', () => {
  it('sends only changed times, as instants', () => {
    const shown = { start: { local: fieldTime(session.start_time) }, end: { local: fieldTime(session.end_time) } };
    expect(changedTimes(session, shown)).toEqual({});
    const later = { local: fieldTime('2026-03-05T10:30:00.000Z') };
    expect(changedTimes(session, { ...shown, start: later })).toEqual({ start_time: '2026-03-05T10:30:00.000Z' });
    expect(changedTimes(session, { ...shown, end: later })).toEqual({ end_time: '2026-03-05T10:30:00.000Z' });
  });

  it('keeps the clocks as they were before in an hour that comes twice, unless the other one is chosen', () => {
    vi.stubEnv('TZ', 'Europe/Berlin');
    // From the first 2:10 to the second 2:50.
    const night = { start_time: '2026-10-25T00:10:00.000Z', end_time: '2026-10-25T01:50:00.000Z' };
    const [start, end] = [{ local: '2026-10-25T02:10' }, { local: '2026-10-25T02:40' }];
    expect(changedTimes(night, { start, end })).toEqual({ end_time: '2026-10-25T01:40:00.000Z' });
    expect(changedTimes(night, { start, end: { ...end, which: 'first' } })).toEqual({
      end_time: '2026-10-25T00:40:00.000Z',
    });
    const shown = { local: '2026-10-25T02:50', which: 'first' as const };
    expect(changedTimes(night, { start, end: shown })).toEqual({ end_time: '2026-10-25T00:50:00.000Z' });
    expect(changedTimes(night, { start: { local: '2026-10-25T02:05' }, end: { ...shown, which: 'second' } })).toEqual({
      start_time: '2026-10-25T00:05:00.000Z',
    });
  });

  it('has no instant for a time in an hour that the clocks skip', () => {
    vi.stubEnv('TZ', 'Europe/Berlin');
    const night = { start_time: '2026-03-28T23:30:00.000Z', end_time: '2026-03-29T02:30:00.000Z' };
    const typed = { start: { local: '2026-03-29T02:30' }, end: { local: '2026-03-29T04:30' } };
    expect(changedTimes(night, typed)).toEqual({ start_time: null });
    expect(skippedProblem(changedTimes(night, typed))?.field).toBe('start');
  });

  it('knows what the server would refuse', () => {
    const at = (hours: number) => new Date(Date.UTC(2026, 2, 5) + hours * 3_600_000).toISOString();
    const others = [
      { id: 5, asset_name: 'Figma', start_time: at(10), end_time: at(11), duration: 60 },
      { id: 6, asset_name: 'Figma', start_time: at(12), end_time: at(13), duration: 60 },
      { id: 7, asset_name: 'Figma', start_time: at(15), end_time: null, duration: null },
    ];
    const known = { others, since: Date.parse(at(2)), now: Date.parse(at(16)) };
    const problem = (start: number, end: number) =>
      timeProblem({ id: 5, start_time: at(start), end_time: at(end) }, known);
    expect(problem(10, 12)).toBeNull();
    expect(problem(13, 15)).toBeNull();
    expect(problem(10, 17)).toEqual({ field: 'end', text: "A session can't end in the future." });
    expect(problem(10, 10)).toEqual({ field: 'end', text: 'A session must end after it starts.' });
    expect(problem(1, 3)).toEqual({ field: 'start', text: "This month is closed and can't be changed." });
    expect(problem(12.9, 14)?.text).toMatch(/^This overlaps your session from .*\.$/);
    expect(problem(14, 15.5)?.field).toBeNull();
  });

  it('is possible from the end of the last closed month', () => {
    const statements = [
      { closed: false, ends_at: '2026-04-01T00:00:00.000Z' },
      { closed: true, ends_at: '2026-03-01T00:00:00.000Z' },
      { closed: true, ends_at: '2026-02-01T00:00:00.000Z' },
    ];
    expect(openSince(statements)).toBe(Date.parse('2026-03-01T00:00:00.000Z'));
    expect(openSince([])).toBe(-Infinity);
  });

  it('is offered for the current and previous month', () => {
    const now = new Date(2026, 0, 2);
    expect(isPossiblyOpen(new Date(2025, 11, 1).toISOString(), now)).toBe(true);
    expect(isPossiblyOpen(new Date(2025, 10, 30).toISOString(), now)).toBe(false);
  });
});

it('editText describes an edited or removed session', () => {
  const edit = { at: 'noon', start_time: 'nine', end_time: 'ten', open_until: null, objection_until: null };
  const same = (instant: string) => instant;
  expect(editText({ kind: 'corrected', ...edit }, same)).toBe('Edited noon. Originally nine–ten.');
  expect(editText({ kind: 'removed', ...edit }, same)).toBe('Removed noon.');
  expect(editText({ kind: 'restored', ...edit }, same)).toBe('Recorded times restored noon.');
});

it('an owner can object once to each edit that changed something, in time', () => {
  const times = { start_time: '10', end_time: '11' };
  const edit = {
    kind: 'corrected',
    at: '2026-11-02',
    start_time: '10',
    end_time: '12',
    open_until: '2026-12-04',
    objection_until: '2026-12-03',
  } as const;
  const objection = {
    status: 'withdrawn',
    objected_at: '2026-11-03',
    username: 'mira',
    messages: [],
  } as const;
  const of = (change: object, made: object | null = null) =>
    canObject({ ...edit, ...change }, times, made && { ...objection, messages: [], ...made });
  expect(of({})).toBe(true);
  expect(of({ kind: 'removed', end_time: '11' })).toBe(true);
  expect(of({ at: '2026-11-04' }, {})).toBe(true);
  expect(canObject(null, times, null)).toBe(false);
  expect(of({ objection_until: null })).toBe(false);
  expect(of({ end_time: '11' })).toBe(false);
  expect(of({ kind: 'restored' })).toBe(false);
  expect(of({}, {})).toBe(false);
  expect(of({ at: '2026-11-03' }, {})).toBe(false);
  expect(of({ at: '2026-11-04' }, { status: 'open' })).toBe(false);
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
    expect(sessionCost({ ...split({ price: 1_500 }), currency: 'JPY' }, hour)).toBe(38);
  });

  it('is unknown where use does not divide the price', () => {
    expect(sessionCost(split({ method: 'equal', kind: 'even', unit: 'places', whole: 2 }), hour)).toBeNull();
    expect(sessionCost(split({ kind: 'free', whole: 0 }), hour)).toBeNull();
  });

  it('is unknown below one cent and outside the month', () => {
    const second = { ...hour, end_time: '2026-11-21T10:00:01.000Z' };
    expect(sessionCost(split({}), second)).toBeNull();
    expect(sessionCost(split({}), { ...hour, start_time: '2026-10-31T23:30:00.000Z' })).toBeNull();
    expect(sessionCost({ ...split({}), ended: true }, hour)).toBeNull();
  });
});

describe('an edit of an ended month', () => {
  const at = (day: number) => `2026-10-${String(day).padStart(2, '0')}T12:00:00.000Z`;
  const times = (start: number, end: number) => ({ start_time: at(start), end_time: at(end) });
  const statement = (change: object) => ({
    ended: true,
    closed: false,
    ends_at: at(20),
    owner: 'mira',
    split_method: 'usage' as const,
    ...change,
  });
  const running = statement({ ended: false, ends_at: at(30) });
  const closed = statement({ closed: true, ends_at: at(10) });

  it('has to be accepted if it takes time out of that month', () => {
    const month = endedMonth([running, statement({}), closed])!;
    expect(month).toEqual({ since: Date.parse(at(10)), until: Date.parse(at(20)), owner: 'mira', byAll: false });
    expect(takesFrom(month, times(12, 14), times(12, 13))).toBe(true);
    expect(takesFrom(month, times(12, 14), times(22, 24))).toBe(true);
    expect(takesFrom(month, times(12, 14), null)).toBe(true);
    expect(takesFrom(month, times(12, 14), times(11, 14))).toBe(false);
    expect(takesFrom(month, times(18, 24), times(18, 22))).toBe(false);
    expect(takesFrom(month, times(18, 24), times(19, 24))).toBe(true);
    expect(takesFrom(month, times(20, 24), null)).toBe(false);
    expect(takesFrom(month, times(22, 24), times(12, 14))).toBe(false);
  });

  it('says who has to accept it', () => {
    expect(endedMonth([running, closed])).toBeNull();
    expect(askText(endedMonth([statement({})])!)).toBe('The month has ended, so mira has to accept this.');
    const byAll = endedMonth([statement({ split_method: 'share_of_use' })])!;
    expect(askText(byAll)).toBe('The month has ended, so everyone whose charge it raises has to accept this.');
  });
});
