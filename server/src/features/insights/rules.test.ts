import type { Finding } from '@hourshare/contract/insights';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DEFAULT_TERMS } from '../periods/rules.ts';
import type { MemberShare, PastPeriod } from '../statements/rules.ts';
import { findInsights, toHistoryMonth, type InsightAsset } from './rules.ts';

const HOUR = 3600;
const [ANA, BEN] = [2, 3];
const films: InsightAsset = {
  id: 7,
  name: 'Films',
  currency: 'USD',
  archived: false,
  last_used_on: '2026-10-20',
  members: [ANA, BEN],
};

const days: Record<string, number> = { '2026-06': 30, '2026-07': 31, '2026-08': 31, '2026-09': 30, '2026-10': 31 };

const member = (userId: number, hours: number, usedHours: number, shared = 31): MemberShare => ({
  userId,
  allocationHours: hours,
  usedSeconds: usedHours * HOUR,
  days: shared,
  summedHours: hours * shared,
  agreed: null,
  lowestPriceCents: null,
});

/** Returns a month at $15.99, split by use. Members have access all month unless a test says otherwise. */
const pastPeriod = (month: string, members: MemberShare[], ownerHours = 0): PastPeriod => ({
  running: month === '2026-11',
  partial: false,
  month,
  priceCents: 1599,
  terms: { ...DEFAULT_TERMS, ownerHours },
  ownerId: 1,
  ownerUsedSeconds: 0,
  totalHours: members.reduce((sum, { allocationHours }) => sum + allocationHours, ownerHours),
  places: members.length + 1,
  members: members.map((each) => {
    const shared = Math.min(each.days, days[month] ?? 30);
    return { ...each, days: shared, summedHours: each.allocationHours * shared };
  }),
  names: ['mira', ...members.map(({ userId }) => (userId === ANA ? 'ana' : 'ben'))],
});

const fiveMonths = (...members: MemberShare[]) =>
  ['2026-11', '2026-10', '2026-09', '2026-08', '2026-07'].map((month) => pastPeriod(month, members));

const kindsOf = (findings: Finding[]) =>
  findings.map(({ kind, username }) => (username ? `${kind} ${username}` : kind));

describe('a month in the history', () => {
  it('rounds once: idle hours are no whole seconds', () => {
    // As in the analytics: 5 h on one day of 31 are 580.645 s. Of them, 17.645 s are idle, less than half of a hundredth of an hour.
    const ana = { ...member(ANA, 5, 0, 1), usedSeconds: 563 };
    expect(toHistoryMonth({ ...pastPeriod('2026-10', [ana]), totalHours: 5 / 31 }, 'USD')).toMatchObject({
      used_hours: 0.16,
      idle_hours: 0,
    });
  });

  it('divides the available hours and has the price of an hour of use', () => {
    // 40 h for members and 10 h kept: 12.5 h used, 27.5 h unused; $15.99 ÷ 12.5 = $1.2792.
    expect(toHistoryMonth(pastPeriod('2026-10', [member(ANA, 30, 10), member(BEN, 10, 2.5)], 10), 'USD')).toEqual({
      month: '2026-10',
      running: false,
      whole: true,
      price: 15.99,
      used_hours: 12.5,
      offered_hours: 50,
      kept_hours: 10,
      idle_hours: 27.5,
      idle_percentage: 68.8,
      price_per_used_hour: 1.28,
      members: [
        { username: 'ana', hue: ANA % 8, used_hours: 10, allocated_hours: 30, available_hours: 30 },
        { username: 'ben', hue: BEN % 8, used_hours: 2.5, allocated_hours: 10, available_hours: 10 },
      ],
    });
  });

  it('counts the hours of the fullest moment, minus use, as unused', () => {
    expect(toHistoryMonth(pastPeriod('2026-10', [member(ANA, 5, 1, 1), member(BEN, 10, 2)]), 'USD')).toMatchObject({
      offered_hours: 15,
      idle_hours: 12,
      idle_percentage: 80,
    });
  });

  it('has no price per hour without use and no unused hours when overused', () => {
    expect(toHistoryMonth(pastPeriod('2026-10', []), 'USD')).toMatchObject({
      price_per_used_hour: null,
      idle_percentage: 0,
    });
    expect(toHistoryMonth(pastPeriod('2026-10', [member(ANA, 5, 8)]), 'USD')).toMatchObject({
      offered_hours: 8,
      idle_hours: 0,
    });
  });

  it('counts every available hour once as used, kept, or unused', () => {
    const usage = fc.record({
      hours: fc.integer({ min: 1, max: 744 }),
      used: fc.integer({ min: 0, max: 744 * HOUR }),
    });
    fc.assert(
      fc.property(fc.array(usage, { maxLength: 5 }), fc.integer({ min: 0, max: 744 }), (people, kept) => {
        const members = people.map(({ hours, used }, index) => ({
          ...member(index + 2, hours, 0),
          usedSeconds: Math.min(used, hours * HOUR),
        }));
        const month = toHistoryMonth(pastPeriod('2026-10', members, kept), 'USD');
        const sum = month.used_hours + month.kept_hours + month.idle_hours;
        expect(sum).toBeCloseTo(month.offered_hours, 1);
        expect(month.idle_percentage).toBeLessThanOrEqual(100);
      }),
    );
  });
});

describe('insights', () => {
  it('report since when an asset has been unused, and its cost per year', () => {
    const unused = fiveMonths(member(ANA, 30, 0), member(BEN, 10, 0));
    expect(findInsights({ ...films, last_used_on: '2026-08-03' }, unused)).toEqual([
      {
        kind: 'unused',
        asset_id: 7,
        asset_name: 'Films',
        currency: 'USD',
        months: 3,
        username: null,
        since: '2026-08-03',
        months_reached: null,
        percentage: null,
        allocated_hours: null,
        yearly_cost: 191.88,
      },
    ]);
    expect(findInsights({ ...films, last_used_on: null }, unused)).toMatchObject([{ kind: 'unused', since: null }]);
    const recentlyUnused = [...unused.slice(0, 2), ...fiveMonths().slice(2)];
    expect(findInsights({ ...films, last_used_on: null }, recentlyUnused)).toMatchObject([
      { kind: 'unused', months: 1 },
    ]);
  });

  it('do not report an asset as unused if it was used since the last whole month or the owner reserves hours', () => {
    const unused = fiveMonths(member(ANA, 30, 0));
    expect(kindsOf(findInsights({ ...films, last_used_on: '2026-10-01' }, unused))).not.toContain('unused');
    expect(kindsOf(findInsights({ ...films, last_used_on: '2026-11-02' }, unused))).not.toContain('unused');
    const kept = unused.map(({ month, members }) => pastPeriod(month, [...members], 5));
    expect(kindsOf(findInsights({ ...films, last_used_on: null }, kept))).not.toContain('unused');
  });

  it('do not report an asset as unused if no one had access for a whole month', () => {
    expect(findInsights({ ...films, last_used_on: null }, fiveMonths())).toEqual([]);
    expect(findInsights({ ...films, last_used_on: null }, fiveMonths(member(ANA, 30, 0, 20)))).toEqual([]);
  });

  it('report in how many recent months a member used up their allowance', () => {
    const months = fiveMonths(member(ANA, 30, 30), member(BEN, 10, 5));
    expect(findInsights(films, months)).toMatchObject([
      { kind: 'limit_reached', username: 'ana', months_reached: 3, months: 3, yearly_cost: null },
    ]);
    const reachedOnce = [...months.slice(0, 2), ...fiveMonths(member(ANA, 30, 29), member(BEN, 10, 5)).slice(2)];
    expect(findInsights(films, reachedOnce)).toEqual([]);
  });

  it('report members who use little of their allowance', () => {
    // 3.2 h of 40 h in each of three months is 8% of 120 h.
    expect(findInsights(films, fiveMonths(member(ANA, 40, 30), member(BEN, 40, 3.2)))).toMatchObject([
      { kind: 'idle' },
      { kind: 'low_use', username: 'ben', percentage: 8, allocated_hours: 120, months: 3 },
    ]);
  });

  it('report the yearly cost of unused hours from half of the available hours', () => {
    // 20 of 40 h are unused: half of $15.99, twelve times.
    expect(findInsights(films, fiveMonths(member(ANA, 20, 10), member(BEN, 20, 10)))).toMatchObject([
      { kind: 'idle', percentage: 50, yearly_cost: 95.94 },
    ]);
    expect(findInsights(films, fiveMonths(member(ANA, 20, 10.1), member(BEN, 20, 10)))).toEqual([]);
  });

  it('count unused hours of allowances only, in months that a member had access throughout', () => {
    // 30 of the members' 40 h are unused, besides 60 h that the owner keeps: $15.99 × 30 ÷ 100, twelve times.
    const kept = [...fiveMonths(member(ANA, 20, 5), member(BEN, 20, 5))].map(({ month, members }) =>
      pastPeriod(month, [...members], 60),
    );
    expect(findInsights(films, kept)).toMatchObject([{ kind: 'idle', percentage: 75, months: 3, yearly_cost: 57.56 }]);
    expect(
      findInsights(films, [kept[0]!, kept[1]!, pastPeriod('2026-09', []), pastPeriod('2026-08', [])]),
    ).toMatchObject([{ kind: 'idle', percentage: 75, months: 1, yearly_cost: 57.56 }]);
  });

  it('report low use of the only member once', () => {
    const months = fiveMonths(member(ANA, 40, 1));
    expect(kindsOf(findInsights({ ...films, members: [ANA] }, months))).toEqual(['idle']);
    expect(kindsOf(findInsights(films, months))).toEqual(['idle', 'low_use ana']);
  });

  it('cover the whole months among the three before the current one', () => {
    const months = fiveMonths(member(ANA, 30, 30), member(BEN, 30, 29));
    const partial = months.map((each) => ({ ...each, partial: ['2026-09', '2026-10'].includes(each.month) }));
    expect(findInsights(films, partial)).toMatchObject([{ kind: 'limit_reached', months: 1 }]);
    const noneWhole = months.map((each) => ({ ...each, partial: each.month > '2026-07' }));
    expect(findInsights(films, noneWhole)).toEqual([]);
  });

  it('treat use of 19.95% as less than 20%', () => {
    const months = fiveMonths(member(ANA, 40, 30), member(BEN, 40, 7.98));
    expect(kindsOf(findInsights(films, months))).toContain('low_use ben');
    expect(kindsOf(findInsights(films, fiveMonths(member(ANA, 40, 30), member(BEN, 40, 8))))).not.toContain(
      'low_use ben',
    );
  });

  it('divide unused hours by allowances, even if another month was overused', () => {
    // Of 40 h each month, 0, 0, and 80 h were used, so 80 of 120 h went unused.
    const used = [0, 0, 80, 0];
    const months = ['2026-11', '2026-10', '2026-09', '2026-08'].map((month, index) =>
      pastPeriod(month, [member(ANA, 20, used[index] ?? 0), member(BEN, 20, 0)]),
    );
    expect(findInsights({ ...films, last_used_on: '2026-10-20' }, months)[0]).toMatchObject({
      kind: 'idle',
      percentage: 66.7,
    });
  });

  it('need a whole month of the asset and of the member', () => {
    const months = fiveMonths(member(ANA, 30, 30, 20), member(BEN, 30, 29));
    expect(findInsights(films, months)).toEqual([]);
    const full = fiveMonths(member(ANA, 30, 30), member(BEN, 30, 29));
    const partialUntil = (month: string) => full.map((each) => ({ ...each, partial: each.month <= month }));
    expect(kindsOf(findInsights(films, partialUntil('2026-10')))).toEqual([]);
    expect(findInsights(films, partialUntil('2026-09'))).toMatchObject([
      { kind: 'limit_reached', months: 1, months_reached: 1 },
    ]);
  });

  it('leave out former members and archived assets', () => {
    const months = fiveMonths(member(ANA, 30, 30), member(BEN, 30, 29));
    expect(findInsights({ ...films, members: [BEN] }, months)).toEqual([]);
    expect(findInsights({ ...films, archived: true }, months)).toEqual([]);
    expect(findInsights(films, months.slice(1))).toEqual([]);
  });
});
