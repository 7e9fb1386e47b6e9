import { describe, expect, it } from 'vitest';
import { anAsset } from '../../testing/records.ts';
import { memberUse, timeZoneHint } from './rules.ts';

const member = (id: number, name: string | null, hours: number | null, used: number | null) => ({
  id,
  pending: name === null,
  shared_with_username: name,
  monthly_hours_allocated: hours,
  usage_this_month: used,
  active_session: name === null ? null : false,
});

describe('timeZoneHint', () => {
  it('says that a change takes effect next month', () => {
    expect(timeZoneHint(anAsset())).toBe('Sets when days and months begin. Changes apply next month.');
  });

  it('names the current zone until a scheduled change', () => {
    const next_time_zone = { time_zone: 'Asia/Tokyo', from_month: '2026-12' };
    expect(timeZoneHint(anAsset({ time_zone: 'America/New_York', next_time_zone }))).toBe(
      'Takes effect in December 2026. Until then, America/New York applies.',
    );
  });
});

describe('memberUse', () => {
  it("includes the owner's hours and skips pending entries", () => {
    const shared_with = [member(1, 'ana', 40, 20), member(2, 'ben', 20, 8), member(3, null, null, null)];
    expect(memberUse({ shared_with, owner_hours: 20 }).map(({ name, part }) => [name, part])).toEqual([
      ['ana', 0.25],
      ['ben', 0.1],
    ]);
  });

  it('is relative to total use when it exceeds the available hours', () => {
    const shared_with = [member(1, 'ana', 5, 8), member(2, 'ben', 5, 8)];
    expect(memberUse({ shared_with, owner_hours: 0 }).map(({ part }) => part)).toEqual([0.5, 0.5]);
  });

  it('is 0, not NaN, without available or used hours', () => {
    expect(memberUse({ shared_with: [member(1, 'ana', null, 0)], owner_hours: 0 })[0]?.part).toBe(0);
  });
});
