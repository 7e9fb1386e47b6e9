import type { Finding } from '@hourshare/contract/insights';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
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

const member = (userId: number, hours: number, used: number, shared = 31): MemberShare => ({
  userId,
  allocationHours: hours,
  usedSeconds: used * HOUR,
  days: shared,
});

/** $15.99 a month, split by use; members have access all month unless a test says otherwise. */
const aMonth = (month: string, members: MemberShare[], ownerHours = 0): PastPeriod => ({
  running: month === '2026-11',
  partial: false,
  month,
  priceCents: 1599,
  terms: { method: 'usage', basePercent: 0, ownerHours },
  ownerId: 1,
  members: members.map((each) => ({ ...each, days: Math.min(each.days, days[month] ?? 30) })),
  names: ['mira', ...members.map(({ userId }) => (userId === ANA ? 'ana' : 'ben'))],
});

const all = (...members: MemberShare[]) =>
  ['2026-11', '2026-10', '2026-09', '2026-08', '2026-07'].map((month) => aMonth(month, members));

const told = (findings: Finding[]) => findings.map(({ kind, username }) => (username ? `${kind} ${username}` : kind));

describe('a month of a history', () => {
  it('says what became of the hours on offer, and what an hour of use cost', () => {
    // 40 h for members and 10 h kept: 12.5 h used, 27.5 h idle; $15.99 ÷ 12.5 = $1.2792.
    expect(toHistoryMonth(aMonth('2026-10', [member(ANA, 30, 10), member(BEN, 10, 2.5)], 10))).toEqual({
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
        { username: 'ana', used_hours: 10, allocated_hours: 30 },
        { username: 'ben', used_hours: 2.5, allocated_hours: 10 },
      ],
    });
  });

  it('has no price of an hour that nobody used, and nothing idle where more was used than offered', () => {
    expect(toHistoryMonth(aMonth('2026-10', []))).toMatchObject({
      price_per_used_hour: null,
      idle_percentage: 0,
    });
    expect(toHistoryMonth(aMonth('2026-10', [member(ANA, 5, 8)]))).toMatchObject({
      offered_hours: 8,
      idle_hours: 0,
    });
  });

  it('accounts for every hour on offer: used, kept or idle, never twice', () => {
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
        const month = toHistoryMonth(aMonth('2026-10', members, kept));
        const sum = month.used_hours + month.kept_hours + month.idle_hours;
        expect(sum).toBeCloseTo(month.offered_hours, 1);
        expect(month.idle_percentage).toBeLessThanOrEqual(100);
      }),
    );
  });
});

describe('findings', () => {
  it('tell since when nobody has used an asset, and what it costs a year', () => {
    const unused = all(member(ANA, 30, 0), member(BEN, 10, 0));
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
    const lately = [...unused.slice(0, 2), ...all().slice(2)];
    expect(findInsights({ ...films, last_used_on: null }, lately)).toMatchObject([{ kind: 'unused', months: 1 }]);
  });

  it('do not call unused what was used this month or in the last whole one, or what the owner keeps hours of', () => {
    const unused = all(member(ANA, 30, 0));
    expect(told(findInsights({ ...films, last_used_on: '2026-10-01' }, unused))).not.toContain('unused');
    expect(told(findInsights({ ...films, last_used_on: '2026-11-02' }, unused))).not.toContain('unused');
    const kept = unused.map(({ month, members }) => aMonth(month, [...members], 5));
    expect(told(findInsights({ ...films, last_used_on: null }, kept))).not.toContain('unused');
  });

  it('do not call unused what nobody could use for a whole month', () => {
    expect(findInsights({ ...films, last_used_on: null }, all())).toEqual([]);
    expect(findInsights({ ...films, last_used_on: null }, all(member(ANA, 30, 0, 20)))).toEqual([]);
  });

  it('tell in how many of the last months a member used all they had', () => {
    const months = all(member(ANA, 30, 30), member(BEN, 10, 5));
    expect(findInsights(films, months)).toMatchObject([
      { kind: 'limit_reached', username: 'ana', months_reached: 3, months: 3, yearly_cost: null },
    ]);
    const once = [...months.slice(0, 2), ...all(member(ANA, 30, 29), member(BEN, 10, 5)).slice(2)];
    expect(findInsights(films, once)).toEqual([]);
  });

  it('tell who uses hardly any of their hours', () => {
    // 3.2 h of 40 h in each of three months: 8 % of 120 h.
    expect(findInsights(films, all(member(ANA, 40, 30), member(BEN, 40, 3.2)))).toMatchObject([
      { kind: 'idle' },
      { kind: 'low_use', username: 'ben', percentage: 8, allocated_hours: 120, months: 3 },
    ]);
  });

  it('tell what hours cost a year that nobody used, once they are half of those on offer', () => {
    // 20 of 40 h idle: half of $15.99, twelve times.
    expect(findInsights(films, all(member(ANA, 20, 10), member(BEN, 20, 10)))).toMatchObject([
      { kind: 'idle', percentage: 50, yearly_cost: 95.94 },
    ]);
    expect(findInsights(films, all(member(ANA, 20, 10.1), member(BEN, 20, 10)))).toEqual([]);
  });

  it('count idle hours of those that members might have used, in months in which one of them had it all the time', () => {
    // 30 of 40 h of the members idle, besides 60 h that the owner keeps: $15.99 × 30 ÷ 100, twelve times.
    const kept = [...all(member(ANA, 20, 5), member(BEN, 20, 5))].map(({ month, members }) =>
      aMonth(month, [...members], 60),
    );
    expect(findInsights(films, kept)).toMatchObject([{ kind: 'idle', percentage: 75, months: 3, yearly_cost: 57.56 }]);
    expect(findInsights(films, [kept[0]!, kept[1]!, aMonth('2026-09', []), aMonth('2026-08', [])])).toMatchObject([
      { kind: 'idle', percentage: 75, months: 1, yearly_cost: 57.56 },
    ]);
  });

  it('say once that the only member uses hardly anything', () => {
    const months = all(member(ANA, 40, 1));
    expect(told(findInsights({ ...films, members: [ANA] }, months))).toEqual(['idle']);
    expect(told(findInsights(films, months))).toEqual(['idle', 'low_use ana']);
  });

  it('look at the three calendar months before the current one, whichever of them are whole', () => {
    const months = all(member(ANA, 30, 30), member(BEN, 30, 29));
    const partial = months.map((each) => ({ ...each, partial: ['2026-09', '2026-10'].includes(each.month) }));
    expect(findInsights(films, partial)).toMatchObject([{ kind: 'limit_reached', months: 1 }]);
    const long = months.map((each) => ({ ...each, partial: each.month > '2026-07' }));
    expect(findInsights(films, long)).toEqual([]);
  });

  it('tell of a member who used 19.95 % that it is less than 20 %', () => {
    const months = all(member(ANA, 40, 30), member(BEN, 40, 7.98));
    expect(told(findInsights(films, months))).toContain('low_use ben');
    expect(told(findInsights(films, all(member(ANA, 40, 30), member(BEN, 40, 8))))).not.toContain('low_use ben');
  });

  it('divide unused hours by those allotted, also where more was used in another month', () => {
    // 40 h allotted each month: 0, 0 and 80 h used, so 80 of 120 h went unused.
    const used = [0, 0, 80, 0];
    const months = ['2026-11', '2026-10', '2026-09', '2026-08'].map((month, index) =>
      aMonth(month, [member(ANA, 20, used[index] ?? 0), member(BEN, 20, 0)]),
    );
    expect(findInsights({ ...films, last_used_on: '2026-10-20' }, months)[0]).toMatchObject({
      kind: 'idle',
      percentage: 66.7,
    });
  });

  it('tell nothing before there was a whole month, of the asset or of the member', () => {
    const months = all(member(ANA, 30, 30, 20), member(BEN, 30, 29));
    expect(findInsights(films, months)).toEqual([]);
    const full = all(member(ANA, 30, 30), member(BEN, 30, 29));
    const partialUntil = (month: string) => full.map((each) => ({ ...each, partial: each.month <= month }));
    expect(told(findInsights(films, partialUntil('2026-10')))).toEqual([]);
    expect(findInsights(films, partialUntil('2026-09'))).toMatchObject([
      { kind: 'limit_reached', months: 1, months_reached: 1 },
    ]);
  });

  it('tell nothing of who has no share any more, or of what is archived', () => {
    const months = all(member(ANA, 30, 30), member(BEN, 30, 29));
    expect(findInsights({ ...films, members: [BEN] }, months)).toEqual([]);
    expect(findInsights({ ...films, archived: true }, months)).toEqual([]);
    expect(findInsights(films, months.slice(1))).toEqual([]);
  });
});
