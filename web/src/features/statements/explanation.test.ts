import type { Explanation } from '@hourshare/contract/statements';
import { afterEach, describe, expect, it } from 'vitest';
import { setLanguage } from '../../platform/i18n/language.ts';
import { loadMessages } from '../../platform/i18n/messages.ts';
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
  it("names the currency's smallest unit in the rounding", () => {
    const part = anExplanation({ price: 1000, part: 10, whole: 60, amount: 167, rounding: 'up' });
    const yen = { ...whole, currency: 'JPY' };
    expect(explanationText(yen, bensLine({ explanation: [part] }), 'self')).toMatch(
      /¥1,000 × 10 ÷ 60 = ¥167\. Rounded up by less than ¥1\.$/,
    );
  });

  it('spells out the calculation and the rounding', () => {
    expect(explainBen([{ part: 12.5, whole: 60, amount: 4.17, rounding: 'up' }])).toBe(
      'You used 12.5 h of 60 h available: $20.00 × 12.5 ÷ 60 = $4.17. Rounded up by less than $0.01.',
    );
    expect(explainBen([{ part: 10.3, whole: 60, amount: 3.43, rounding: 'down' }])).toBe(
      'You used 10.3 h of 60 h available: $20.00 × 10.3 ÷ 60 = $3.43. Rounded down by less than $0.01.',
    );
    expect(explainBen([{ part: 30, whole: 60, amount: 10 }])).toBe(
      'You used 30 h of 60 h available: $20.00 × 30 ÷ 60 = $10.00.',
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
      'You used 36 min 52 s of 1 h available: $54.99 × 2,212 s ÷ 3,600 s = $33.79. Rounded up by less than $0.01.',
    );
  });

  it('multiplies by days where available hours come out exact only so, and says why', () => {
    const ownHours = { used_seconds: 45_000, allocated_hours: 20, days: 13, hour_days: 260 };
    const part = { part: 375, whole: 1040, unit: 'hour_days' as const, amount: 7.21, rounding: 'down' as const };
    expect(explainBen([part], ownHours)).toBe(
      'You had 20 h per month on 13 of 30 days, which makes 260 hour-days. ' +
        'You used 12.5 h, which times 30 days is 375 of 1,040 hour-days available: $20.00 × 375 ÷ 1,040 = $7.21. ' +
        'Rounded down by less than $0.01.',
    );
    const seconds = { part: 66_360, whole: 3_744_000, unit: 'second_days' as const, amount: 0.35 };
    expect(explainBen([seconds], { ...ownHours, used_seconds: 2212, days: 30, hour_days: 950 }, 'owner')).toBe(
      "ben's allowance changed: 30 of 30 days make 950 hour-days. " +
        'ben used 36 min 52 s, which times 30 days is 66,360 of 3,744,000 second-days available: ' +
        '$20.00 × 66,360 ÷ 3,744,000 = $0.35.',
    );
  });

  it('says what was available to someone who came or went, even where hours are exact', () => {
    expect(explainBen([{}], { allocated_hours: 20, days: 15, hour_days: 300 })).toBe(
      'You had 20 h per month on 15 of 30 days, which makes 300 hour-days. ' +
        'You used 10 h of 40 h available: $20.00 × 10 ÷ 40 = $5.00.',
    );
  });

  it('explains overuse, no use and a free month', () => {
    const statement = { ...whole, available_seconds: 36_000 };
    const line = bensLine({
      used_seconds: 28_800,
      explanation: [anExplanation({ kind: 'overused', price: 10, part: 8, whole: 12, amount: 6.67, rounding: 'up' })],
    });
    expect(explanationText(statement, line, 'self')).toBe(
      'You used 8 h of the 12 h everyone used, more than the 10 h available: $10.00 × 8 ÷ 12 = $6.67. Rounded up by less than $0.01.',
    );
    expect(explainBen([{ kind: 'used_nothing' }], {}, 'owner')).toBe("ben had no usage, so there's no charge.");
    expect(explainBen([{ kind: 'used_nothing' }])).toBe("You had no usage, so there's no charge.");
    expect(explainBen([{ kind: 'free' }])).toBe("The price is $0.00, so there's no charge.");
  });

  it('explains what the owner covers', () => {
    const unused = { kind: 'unused' as const, amount: 15.83 };
    expect(explainMira(unused)).toBe('You cover unused hours: $15.83 of $20.00.');
    expect(explainMira(unused, 'anyone')).toBe('mira covers unused hours: $15.83 of $20.00.');
    expect(explainMira({ kind: 'all_used' })).toBe(
      'All available hours were used, so nothing is left for you to cover.',
    );
    expect(explainMira({ kind: 'nobody_used' })).toBe('No one used it, so you cover the full price.');
  });

  it('explains the base share and the rest separately', () => {
    const base = { method: 'allocation' as const, kind: 'allowance' as const, price: 3, part: 20, amount: 1.5 };
    const rest = { price: 9, part: 16, amount: 3.6 };
    const line = bensLine({ allocated_hours: 20, amount: 5.1, explanation: [base, rest].map(anExplanation) });
    expect(explanationText({ ...whole, base_percent: 25 }, line, 'self')).toBe(
      '25% of the price is split by allowance. You have an allowance of 20 h out of 40 h per month: $3.00 × 20 ÷ 40 = $1.50. ' +
        'The rest is split by use. You used 16 h of 40 h available: $9.00 × 16 ÷ 40 = $3.60. Total: $5.10.',
    );
  });
});

describe('explaining a split by allowance', () => {
  const method = 'allocation' as const;
  const allowance = { method, kind: 'allowance' as const, price: 10 };

  it('divides by the allowances of all members', () => {
    expect(explainBen([{ ...allowance, part: 20, amount: 5 }], { allocated_hours: 20 })).toBe(
      'You have an allowance of 20 h out of 40 h per month: $10.00 × 20 ÷ 40 = $5.00.',
    );
    expect(explainMira({ ...allowance, amount: 2.5 }, 'owner', { allocated_hours: 10 })).toBe(
      '10 h out of 40 h per month are reserved for you: $10.00 × 10 ÷ 40 = $2.50.',
    );
    expect(explainMira({ method, kind: 'no_own_hours' })).toBe("No hours are reserved for you, so there's no charge.");
  });

  it('prorates a partial month in hours, or in hour-days if hours are not round', () => {
    const days = { ...allowance, kind: 'allowance_days' as const, amount: 2.5 };
    expect(explainBen([days], { allocated_hours: 20, days: 15 }, 'owner')).toBe(
      'ben had 20 h per month on 15 of 30 days, which counts as 10 h of 40 h: $10.00 × 10 ÷ 40 = $2.50.',
    );
    const changed = { ...days, kind: 'allowance_changed' as const };
    expect(explainBen([changed], { allocated_hours: 5, days: 30 })).toBe(
      'Your allowance changed: 30 of 30 days count as 10 h of 40 h per month: $10.00 × 10 ÷ 40 = $2.50.',
    );
    expect(explainBen([{ ...changed, part: 260, whole: 1040, unit: 'hour_days' as const }], { days: 13 })).toBe(
      'Your allowance changed: 13 of 30 days count as 260 of 1,040 hour-days: $10.00 × 260 ÷ 1,040 = $2.50.',
    );
    const uneven = { ...days, part: 260, whole: 1040, unit: 'hour_days' as const };
    expect(explainBen([uneven], { allocated_hours: 20, days: 13 }, 'owner')).toBe(
      'ben had 20 h per month on 13 of 30 days, which counts as 260 of 1,040 hour-days: $10.00 × 260 ÷ 1,040 = $2.50.',
    );
  });
});

describe('explaining an even split', () => {
  const method = 'equal' as const;

  it('divides by people if everyone had access all month', () => {
    const even = { method, kind: 'even' as const, price: 10, part: 1, whole: 3, unit: 'people' as const };
    expect(explainBen([{ ...even, amount: 3.34, rounding: 'up' }])).toBe(
      'Split evenly among 3 people: $10.00 ÷ 3 = $3.34. Rounded up by less than $0.01.',
    );
    expect(explainMira({ method, kind: 'alone' })).toBe('No one else has access, so you cover the full price.');
  });

  it('divides by days if someone had access for part of the month', () => {
    const days = { method, kind: 'days' as const, price: 10, whole: 75, unit: 'days' as const };
    expect(explainBen([{ ...days, part: 15, amount: 2 }])).toBe(
      'You had access for 15 of 75 member-days: $10.00 × 15 ÷ 75 = $2.00.',
    );
    expect(explainMira({ ...days, part: 30, amount: 4 })).toBe(
      'You had access for 30 of 75 member-days: $10.00 × 30 ÷ 75 = $4.00.',
    );
  });
});

describe('explaining in another language', () => {
  afterEach(() => setLanguage('en'));

  it('translates the sentences and formats the figures', async () => {
    setLanguage('de');
    await loadMessages('app');
    const even = {
      method: 'equal' as const,
      kind: 'even' as const,
      price: 10,
      part: 1,
      whole: 3,
      unit: 'people' as const,
    };
    expect(explainBen([{ ...even, amount: 3.34, rounding: 'up' }]).replaceAll('\u00a0', ' ')).toBe(
      'Gleichmäßig auf 3 Personen verteilt: 10,00 $ ÷ 3 = 3,34 $. Um weniger als 0,01 $ aufgerundet.',
    );
  });
});
