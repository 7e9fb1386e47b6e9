import { expect, it } from 'vitest';
import { someNextTerms } from '../../testing/records.ts';
import { laterTexts, methodText, termsText } from './terms-text.ts';

it('names the split method, with the base share that it takes', () => {
  expect(methodText({ split_method: 'usage', base_percent: 25 })).toBe('Price per hour, 25% by allowance');
  expect(methodText({ split_method: 'equal', base_percent: 25 })).toBe('Evenly');
});

it('names reserved hours unless everyone pays the same', () => {
  const terms = someNextTerms({ split_method: 'allocation', owner_hours: 5 });
  expect(termsText(terms, 'USD')).toBe('By allowance, 5 h reserved for the owner, sessions of up to 24 h');
  expect(termsText({ ...terms, split_method: 'equal' }, 'USD')).toBe('Evenly, sessions of up to 24 h');
  // A comma separates terms, so no term has one.
  expect(termsText(someNextTerms({ owner_takes_part: true }), 'USD').split(', ')).toHaveLength(3);
});

it('names the most that an hour costs', () => {
  const terms = someNextTerms({ split_method: 'share_of_use', max_price_per_hour: 2 });
  expect(termsText(terms, 'USD')).toBe('Share of use, at most $2.00 an hour, sessions of up to 24 h');
});

it('says what later months cost and how they are split, if that changes', () => {
  expect(laterTexts({ next_terms: null, next_price: null, currency: 'USD' })).toEqual([]);
  const next_terms = someNextTerms({ max_session_hours: 8 });
  expect(laterTexts({ next_terms, next_price: { from_month: '2027-03', price: 4500 }, currency: 'JPY' })).toEqual([
    'Starting March 2027: ¥4,500 a month in total.',
    'Starting December 2026: Price per hour, sessions of up to 8 h.',
  ]);
});
