// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest';
import {
  aHistoryMonth,
  aLimitReachedFinding,
  aLowUseFinding,
  anIdleFinding,
  anUnusedFinding,
} from '../../testing/records.ts';
import { historyChart } from './chart-config.ts';
import { allowedHours, insightText, memberHours, listMembers, trendText } from './rules.ts';

describe('insightText', () => {
  it('describes an unused asset with its date and yearly cost', () => {
    expect(insightText(anUnusedFinding())).toBe(
      'No one has used Films since August 3, 2020. It costs $191.88 per year.',
    );
    expect(insightText(anUnusedFinding({ since: null }))).toBe('No one has used Films yet. It costs $191.88 per year.');
    expect(insightText(anUnusedFinding({ since: null, yearly_cost: 0 }))).toBe('No one has used Films yet.');
  });

  it('describes a member who reached their limit', () => {
    expect(insightText(aLimitReachedFinding())).toBe('ben used up their Films allowance in 2 of 3 months.');
    expect(insightText(aLimitReachedFinding({ months: 1, months_reached: 1 }))).toBe(
      'ben used up their Films allowance in 1 of 1 month.',
    );
  });

  it('describes unused hours of an asset and low use by a member', () => {
    expect(insightText(anIdleFinding())).toBe('75% of Films hours went unused over 3 months, about $180.00 per year.');
    expect(insightText(aLowUseFinding())).toBe('ben used 8% of their 120 h on Films over 3 months.');
  });
});

describe('asset history', () => {
  const ana = { username: 'ana', hue: 0, used_hours: 2, allocated_hours: 5, available_hours: 5 };
  const months = [aHistoryMonth(), aHistoryMonth({ month: '2026-11', running: true, whole: false, members: [ana] })];

  it('keeps a member’s position and color in every month', () => {
    expect(listMembers(months).map(({ username }) => username)).toEqual(['ana', 'ben']);
    expect(months.map((month) => memberHours(month, 'ana'))).toEqual([0, 2]);
    expect(months.map(allowedHours)).toEqual([40, 5]);
    const { data } = historyChart(months)((token) => token);
    expect(data.datasets.map(({ label, data: hours, backgroundColor }) => [label, hours, backgroundColor])).toEqual([
      ['ana', [0, 2], '--m1'],
      ['ben', [10, 0], '--m2'],
    ]);
  });

  it('sorts members as people do, also with numbers and capitals', () => {
    const member = (username: string) => ({ ...ana, username });
    const month = aHistoryMonth({ members: ['Member 10', 'member 2', 'ana'].map(member) });
    expect(listMembers([month]).map(({ username }) => username)).toEqual(['ana', 'member 2', 'Member 10']);
  });

  it('compares the last three whole months with the three before', () => {
    const used = (...hours: number[]) => ({
      months: [
        ...hours.map((used_hours, index) => aHistoryMonth({ month: `2026-0${index + 1}`, used_hours })),
        aHistoryMonth({ month: '2026-09', running: true, whole: false, used_hours: 99 }),
      ],
    });
    expect(trendText(used(99, 10, 10, 10, 20, 10, 15))).toBe(
      '15 h per month over the last three months, 10 h over the three before (+50%).',
    );
    expect(trendText(used(20, 20, 20, 5, 5, 5))).toContain('(-75%)');
    expect(trendText(used(0, 0, 0, 5, 5, 5))).toBe(
      '5 h per month over the last three months, 0 h over the three before.',
    );
    expect(trendText(used(5, 5, 5, 5, 5, 5))).toContain('(no change)');
    expect(trendText(used(10, 10, 20, 10, 15))).toBe('');
  });
});
