import type { Explanation } from '@hourshare/contract/statements';
import { describe, expect, it } from 'vitest';
import { aLine, aStatement, bensLine, anExplanation } from '../../testing/records.ts';
import { explanationText } from './explanation.ts';
import type { Reader } from './rules.ts';

const whole = aStatement({ month: '2026-06', base_percent: 0 });

const explainBen = (
  parts: Partial<Explanation>[],
  line: Parameters<typeof bensLine>[0] = {},
  reader: Reader = 'self',
) => explanationText(whole, bensLine({ explanation: parts.map(anExplanation), ...line }), reader);

const explainMira = (part: Partial<Explanation>, reader: Reader = 'owner', line: Parameters<typeof aLine>[0] = {}) =>
  explanationText(whole, aLine({ explanation: [anExplanation(part)], ...line }), reader);

describe('explaining a split by use', () => {
  it('spells out the calculation and the rounding', () => {
    expect(explainBen([{ part: 12.5, whole: 60, amount: 4.17, rounding: 'up' }])).toBe(
      'You used 12.5 h of 60 h on offer: $20.00 × 12.5 ÷ 60 = $4.17. $0.01 of it comes from rounding.',
    );
    expect(explainBen([{ part: 10.3, whole: 60, amount: 3.43, rounding: 'down' }])).toBe(
      'You used 10.3 h of 60 h on offer: $20.00 × 10.3 ÷ 60 = $3.43. Rounded down.',
    );
    expect(explainBen([{ part: 30, whole: 60, amount: 10 }])).toBe(
      'You used 30 h of 60 h on offer: $20.00 × 30 ÷ 60 = $10.00.',
    );
  });

  it('uses seconds where rounded hours would not match the amount', () => {
    const part = {
      price: 54.99,
      part: 2212,
      whole: 3600,
      unit: 'seconds' as const,
      amount: 33.79,
      rounding: 'up' as const,
    };
    expect(explainBen([part], { used_seconds: 2212 })).toBe(
      'You used 36 min 52 s of 1 h on offer: $54.99 × 2,212 s ÷ 3,600 s = $33.79. $0.01 of it comes from rounding.',
    );
  });

  it('explains overuse, no use and a free month', () => {
    const statement = { ...whole, available_seconds: 36_000 };
    const line = bensLine({
      used_seconds: 28_800,
      explanation: [anExplanation({ kind: 'overused', price: 10, part: 8, whole: 12, amount: 6.67, rounding: 'up' })],
    });
    expect(explanationText(statement, line, 'self')).toBe(
      'You used 8 h, and everybody together 12 h of 10 h on offer: $10.00 × 8 ÷ 12 = $6.67. $0.01 of it comes from rounding.',
    );
    expect(explainBen([{ kind: 'used_nothing' }], {}, 'owner')).toBe('ben used nothing, and pays nothing.');
    expect(explainBen([{ kind: 'used_nothing' }])).toBe('You used nothing, and pay nothing.');
    expect(explainBen([{ kind: 'free' }])).toBe('The price is 0, so you pay nothing.');
  });

  it('explains what the owner covers', () => {
    const unused = { kind: 'unused' as const, amount: 15.83 };
    expect(explainMira(unused)).toBe('Hours nobody uses stay with you: $15.83 of $20.00.');
    expect(explainMira(unused, 'anyone')).toBe('Hours nobody uses stay with mira: $15.83 of $20.00.');
    expect(explainMira({ kind: 'all_used' })).toBe('Every hour on offer was used, so nothing stays with you.');
    expect(explainMira({ kind: 'nobody_used' })).toBe('Nobody has used it, so the price stays with you.');
  });

  it('explains the base share and the rest separately', () => {
    const base = { method: 'allocation' as const, kind: 'allowance' as const, price: 3, part: 20, amount: 1.5 };
    const rest = { price: 9, part: 16, amount: 3.6 };
    const line = bensLine({ allocated_hours: 20, amount: 5.1, explanation: [base, rest].map(anExplanation) });
    expect(explanationText({ ...whole, base_percent: 25 }, line, 'self')).toBe(
      '25% of the price goes by monthly hours. You have 20 h of 40 h a month: $3.00 × 20 ÷ 40 = $1.50. ' +
        'The rest goes by use. You used 16 h of 40 h on offer: $9.00 × 16 ÷ 40 = $3.60. Together $5.10.',
    );
  });
});

describe('explaining a split by allowance', () => {
  const method = 'allocation' as const;
  const allowance = { method, kind: 'allowance' as const, price: 10 };

  it('divides by the allowances of all members', () => {
    expect(explainBen([{ ...allowance, part: 20, amount: 5 }], { allocated_hours: 20 })).toBe(
      'You have 20 h of 40 h a month: $10.00 × 20 ÷ 40 = $5.00.',
    );
    expect(explainMira({ ...allowance, amount: 2.5 }, 'owner', { allocated_hours: 10 })).toBe(
      'You keep 10 h of 40 h: $10.00 × 10 ÷ 40 = $2.50.',
    );
    expect(explainMira({ method, kind: 'no_own_hours' })).toBe(
      'You keep no hours for yourself, so nothing stays with you.',
    );
  });

  it('prorates a partial month in hours, or in hour-days if hours are not round', () => {
    const days = { ...allowance, kind: 'allowance_days' as const, amount: 2.5 };
    expect(explainBen([days], { allocated_hours: 20, days: 15 }, 'owner')).toBe(
      'ben had 20 h a month on 15 of 30 days, which counts as 10 h of 40 h: $10.00 × 10 ÷ 40 = $2.50.',
    );
    const uneven = { ...days, part: 260, whole: 1040, unit: 'hour_days' as const };
    expect(explainBen([uneven], { allocated_hours: 20, days: 13 }, 'owner')).toBe(
      'ben had 20 h a month on 13 of 30 days, which counts as 260 of 1,040 hour-days: $10.00 × 260 ÷ 1,040 = $2.50.',
    );
  });
});

describe('explaining an even split', () => {
  const method = 'equal' as const;

  it('divides by people if everyone had access all month', () => {
    const even = { method, kind: 'even' as const, price: 10, part: 1, whole: 3, unit: 'people' as const };
    expect(explainBen([{ ...even, amount: 3.34, rounding: 'up' }])).toBe(
      'Split in equal parts among 3: $10.00 ÷ 3 = $3.34. $0.01 of it comes from rounding.',
    );
    expect(explainMira({ method, kind: 'alone' })).toBe('Nobody else has it, so the price stays with you.');
  });

  it('divides by days if someone had access for part of the month', () => {
    const days = { method, kind: 'days' as const, price: 10, whole: 75, unit: 'days' as const };
    expect(explainBen([{ ...days, part: 15, amount: 2 }])).toBe(
      'You had it on 15 of 30 days, everybody together on 75: $10.00 × 15 ÷ 75 = $2.00.',
    );
    expect(explainMira({ ...days, part: 30, amount: 4 })).toBe(
      'You had it on 30 of 30 days, everybody together on 75: $10.00 × 30 ÷ 75 = $4.00.',
    );
  });
});
