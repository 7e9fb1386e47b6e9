import { describe, expect, it } from 'vitest';
import { anAsset } from '../../testing/records.ts';
import { costProblem, longestSessionProblem, memberUse, nameProblem, timeZoneHint } from './rules.ts';

const member = (id: number, name: string | null, hours: number | null, used: number | null) => ({
  id,
  pending: name === null,
  shared_with_username: name,
  monthly_hours_allocated: hours,
  usage_this_month: used,
  active_session: name === null ? null : false,
});

describe("an asset's time zone", () => {
  it('says that another counts from the next month on', () => {
    expect(timeZoneHint(anAsset())).toBe(
      'Months and days are counted in this zone. A change counts from the next month on.',
    );
  });

  it('says which one counts until the next does', () => {
    const next_time_zone = { time_zone: 'Asia/Tokyo', from_month: '2026-12' };
    expect(timeZoneHint(anAsset({ time_zone: 'America/New_York', next_time_zone }))).toBe(
      'Counts from December 2026 on. Until then months and days are counted in America/New York.',
    );
  });
});

describe("an asset's fields", () => {
  it('need a name that is more than spaces', () => {
    expect(nameProblem('   ')).toBe('Name is required');
    expect(nameProblem('x'.repeat(101))).toBe('Name must be at most 100 characters long');
    expect(nameProblem('Films')).toBe(true);
  });

  it.each(['', '0', '745', '1.5', 'x'])('refuse %j as the longest session', (text) => {
    expect(longestSessionProblem(text)).toBe('Longest session must be a whole number of hours from 1 to 744');
  });

  it.each(['1', '24', '744'])('take %j as the longest session', (text) => {
    expect(longestSessionProblem(text)).toBe(true);
  });

  it.each([
    ['', 'Monthly subscription cost is required'],
    ['ten', 'Monthly subscription cost must be a number'],
    ['-1', 'Monthly subscription cost must not be negative'],
    ['9.999', 'Monthly subscription cost must have at most two decimals'],
    ['99999999', 'Monthly subscription cost must be at most 9999999.99'],
    ['0', true],
    ['22.99', true],
    ['22,99', true],
  ])('judge the cost %j', (text, problem) => {
    expect(costProblem(text)).toBe(problem);
  });
});

describe("the members' part of the hours on offer", () => {
  it('counts the hours that the owner keeps, and leaves pending entries out', () => {
    const shared_with = [member(1, 'ana', 40, 20), member(2, 'ben', 20, 8), member(3, null, null, null)];
    expect(memberUse({ shared_with, owner_hours: 20 }).map(({ name, part }) => [name, part])).toEqual([
      ['ana', 0.25],
      ['ben', 0.1],
    ]);
  });

  it('is a part of all use where more was used than was on offer', () => {
    const shared_with = [member(1, 'ana', 5, 8), member(2, 'ben', 5, 8)];
    expect(memberUse({ shared_with, owner_hours: 0 }).map(({ part }) => part)).toEqual([0.5, 0.5]);
  });

  it('is nothing rather than no number where nothing was offered or used', () => {
    expect(memberUse({ shared_with: [member(1, 'ana', null, 0)], owner_hours: 0 })[0]?.part).toBe(0);
  });
});
