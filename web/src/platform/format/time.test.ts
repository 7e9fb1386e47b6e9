import { afterEach, describe, expect, it } from 'vitest';
import { setLanguage } from '../i18n/language.ts';
import { loadMessages } from '../i18n/messages.ts';
import { recordServerDate, serverNow } from '../http/server-clock.ts';
import { clockText, durationText, endText, exactDuration, momentText } from './time.ts';

describe('a running clock', () => {
  it.each([
    [0, '0:00:00'],
    [999, '0:00:00'],
    [61_000, '0:01:01'],
    [5_047_000, '1:24:07'],
    [360_000_000, '100:00:00'],
    [-2_000, '0:00:00'],
  ])('%d ms reads %s', (elapsed, text) => {
    expect(clockText(elapsed)).toBe(text);
  });

  it("uses the server's time only when the device clock is off", () => {
    recordServerDate(new Date(Date.now() + 3_600_000).toUTCString());
    expect(serverNow() - Date.now()).toBeGreaterThan(3_590_000);
    recordServerDate(new Date(Date.now() - 900).toUTCString());
    expect(Math.abs(serverNow() - Date.now())).toBeLessThan(50);
    recordServerDate('no date');
    expect(Math.abs(serverNow() - Date.now())).toBeLessThan(50);
  });
});

describe('a duration', () => {
  it.each([
    [0, '0 min'],
    [0.2, 'under 1 min'],
    [25, '25 min'],
    [59.6, '1 h'],
    [85, '1 h 25 min'],
    [120, '2 h'],
    [1_530, '25 h 30 min'],
  ])('of %d minutes reads %s', (minutes, text) => {
    expect(durationText(minutes)).toBe(text);
  });
});

describe('a formatted instant', () => {
  const now = new Date(2026, 10, 21, 12).getTime();
  const formatAt = (...when: [number, number, number, number]) => momentText(new Date(...when).toISOString(), now);

  it('distinguishes today, yesterday, this year and earlier', () => {
    expect(formatAt(2026, 10, 21, 0)).toMatch(/^today, /);
    expect(formatAt(2026, 10, 20, 23)).toMatch(/^yesterday, /);
    expect(formatAt(2026, 10, 3, 8)).not.toMatch(/2026/);
    expect(formatAt(2025, 10, 3, 8)).toMatch(/2025/);
  });

  it('omits the day of an end on the same day as the start', () => {
    const start = new Date(2026, 10, 3, 22).toISOString();
    expect(endText(start, new Date(2026, 10, 3, 23).toISOString(), now)).not.toMatch(/Nov|3,/);
    expect(endText(start, new Date(2026, 10, 4, 1).toISOString(), now)).toMatch(/4, /);
  });
});

describe('in German', () => {
  afterEach(() => setLanguage('en'));

  it('durations and days are German', async () => {
    setLanguage('de');
    await loadMessages('app');
    const now = new Date(2026, 10, 21, 12);
    expect(momentText(new Date(2026, 10, 20, 19, 12).toISOString(), now.getTime())).toBe('gestern, 19:12');
    expect([durationText(85), durationText(0.2), exactDuration(2212)]).toEqual([
      '1 h, 25 Min.',
      'unter 1 Min.',
      '36 Min., 52 s',
    ]);
  });
});
