import { describe, expect, it, vi } from 'vitest';
import { fieldTime, instantOf, instantsOf } from './local-times.ts';

const inZone = (zone: string) => void vi.stubEnv('TZ', zone);
const instants = (local: string) => instantsOf(local).map((instant) => new Date(instant).toISOString());

describe('a local time', () => {
  it.each([
    ['Europe/Berlin', '2026-10-25T02:50', ['2026-10-25T00:50:00.000Z', '2026-10-25T01:50:00.000Z']],
    ['America/New_York', '2026-11-01T01:00', ['2026-11-01T05:00:00.000Z', '2026-11-01T06:00:00.000Z']],
    // Half an hour.
    ['Australia/Lord_Howe', '2026-04-05T01:45', ['2026-04-04T14:45:00.000Z', '2026-04-04T15:15:00.000Z']],
    ['Europe/Berlin', '2026-10-25T03:00', ['2026-10-25T02:00:00.000Z']],
    ['Europe/Berlin', '2026-03-29T02:30', []],
    ['Europe/Berlin', '2026-03-29T03:00', ['2026-03-29T01:00:00.000Z']],
    // A whole day.
    ['Pacific/Apia', '2011-12-30T12:00', []],
    ['UTC', '2026-03-29T02:30', ['2026-03-29T02:30:00.000Z']],
    ['UTC', '2026-02-31T02:30', []],
    ['UTC', 'T', []],
  ])('in %s is at these instants: %s', (zone, local, expected) => {
    inZone(zone);
    expect(instants(local)).toEqual(expected);
  });

  it('has one instant on almost every minute of a year, and always one that shows it', () => {
    for (const zone of ['Europe/Berlin', 'America/St_Johns', 'Asia/Kathmandu']) {
      inZone(zone);
      for (let minute = 0; minute < 365 * 24 * 60; minute += 17) {
        const instant = Date.UTC(2026, 0, 1) + minute * 60_000;
        expect(instantsOf(fieldTime(instant))).toContain(instant);
      }
    }
  });

  it('that comes twice is the one with the clocks as they were, or the chosen one', () => {
    inZone('Europe/Berlin');
    const [first, second] = instantsOf('2026-10-25T02:40') as [number, number];
    const local = '2026-10-25T02:40';
    expect(instantOf(local, { near: first - 3_600_000 })).toBe(first);
    expect(instantOf(local, { near: second + 3_600_000 })).toBe(second);
    expect(instantOf(local, { near: first, which: 'second' })).toBe(second);
    expect(instantOf(local, { near: second, which: 'first' })).toBe(first);
  });
});
