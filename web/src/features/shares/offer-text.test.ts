import { describe, expect, it } from 'vitest';
import { someTerms } from '../../testing/records.ts';
import { offerText, startToPropose } from './offer-text.ts';

describe('an offer', () => {
  it.each([
    [{}, '20 h a month. All of it costs you $10.00.'],
    [{ split_method: 'share_of_use' as const }, '20 h a month. All of it costs you at most $10.00.'],
    [
      { extra_cost_limit: 50 },
      '20 h a month. All of it costs you $10.00. Extra costs of up to $50.00 a month count without asking you.',
    ],
  ])('says what all of it costs: %j', (change, text) => {
    expect(offerText({ measured: true, terms: someTerms(change), cost_of_all: 10 })).toBe(text);
  });

  it('says what a place costs if use is not measured', () => {
    const terms = someTerms({ split_method: 'equal', monthly_hours: 744 });
    expect(offerText({ measured: false, terms, cost_of_all: 5.33 })).toBe('You pay $5.33 a month.');
  });
});

describe('a start with the next month', () => {
  it.each([
    ['2026-11-23T23:59:59Z', 'UTC', null],
    ['2026-11-24T00:00:00Z', 'UTC', '2026-12-01'],
    ['2026-11-24T00:00:00Z', 'America/New_York', null],
    ['2026-12-31T12:00:00Z', 'UTC', '2027-01-01'],
    ['2026-12-31T12:00:00Z', 'Pacific/Kiritimati', null],
    ['2026-02-22T00:00:00Z', 'UTC', '2026-03-01'],
  ])('is proposed in the last seven days of a month: %s in %s', (now, timeZone, day) => {
    expect(startToPropose({ time_zone: timeZone }, Date.parse(now))).toBe(day);
  });
});
