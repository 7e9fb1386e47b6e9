import { describe, expect, it } from 'vitest';
import { anAsset, anEntry, aShare, someTerms } from '../../testing/records.ts';
import { hasPlans, memberUse, offeredNames, timeZoneHint } from './rules.ts';

const member = (id: number, name: string | null, hours: number | null, used: number | null) => ({
  ...anEntry(id, name, hours),
  usage_this_month: used,
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
    expect(memberUse({ shared_with, total_hours: 80 })).toEqual({
      members: [
        { id: 1, name: 'ana', hue: 1, hours: 20, activeSince: null },
        { id: 2, name: 'ben', hue: 2, hours: 8, activeSince: null },
      ],
      available: 80,
    });
  });

  it('skips offers that no one has accepted, which have a name and hours', () => {
    const shared_with = [member(1, 'ana', 40, 20), { ...member(2, 'ben', 700, 0), pending: true }];
    expect(memberUse({ shared_with, total_hours: 40 })).toEqual({
      members: [{ id: 1, name: 'ana', hue: 1, hours: 20, activeSince: null }],
      available: 40,
    });
    expect(offeredNames({ shared_with })).toEqual(['ben']);
  });

  it('has no hours where none are known', () => {
    expect(memberUse({ shared_with: [member(1, 'ana', null, null)], total_hours: 0 })).toEqual({
      members: [{ id: 1, name: 'ana', hue: 1, hours: 0, activeSince: null }],
      available: 0,
    });
  });
});

it('there may be renewals with a cycle, a trial, or an end, own or shared', () => {
  const cycle = { every: 1, unit: 'year' as const, anchor: '2026-03-14' };
  expect(hasPlans([anAsset()], [aShare()])).toBe(false);
  for (const change of [{ cycle }, { trial_until: '2026-12-01' }, { ends_on: '2026-12-01' }])
    expect(hasPlans([anAsset(), anAsset(change)], [])).toBe(true);
  const plan = { price: 120, cycle, spread: true, spread_from: null, trial_until: null, started_on: null };
  for (const change of [{ terms: someTerms({ plan }) }, { ends_on: '2026-12-01' }])
    expect(hasPlans([], [aShare(change)])).toBe(true);
});
