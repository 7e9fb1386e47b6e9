import { CreateAssetRequest, UpdateAssetRequest } from '@hourshare/contract/assets';
import { SubscriptionCost } from '@hourshare/contract/fields';
import { UpdateShareRequest } from '@hourshare/contract/shares';
import { afterEach, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { priceIn, readMoney, readNumber, requestResolver, showFieldErrors } from './request-form.ts';
import { ApiError } from '../http/errors.ts';
import { setLanguage } from '../i18n/language.ts';
import { loadMessages } from '../i18n/messages.ts';

afterEach(() => setLanguage('en'));

/** Validates one field. Returns its error message, or its value in the request. */
async function validateField(
  schema: z.ZodType<Record<string, unknown>>,
  field: string,
  read: (text: string) => unknown,
  text: string,
) {
  const resolve = requestResolver(schema, (typed: Record<string, string>) => ({
    ...typed,
    [field]: read(typed[field] ?? ''),
  }));
  const { errors, values } = await resolve({ name: 'Films', [field]: text }, undefined, {
    fields: {},
    names: [field],
    shouldUseNativeValidation: false,
  });
  return errors[field]?.message ?? values[field];
}

const readDollars = (text: string) => readMoney(text, 'USD');

describe('form validation', () => {
  it('answers in the language of the page', async () => {
    setLanguage('de');
    await loadMessages('app');
    expect(await validateField(CreateAssetRequest, 'subscription_cost', readDollars, '')).toBe(
      'Monatliche Abokosten sind erforderlich',
    );
    const shown: unknown[] = [];
    const error = new ApiError(400, {
      fields: { name: ['Name is required'] },
      field_codes: { name: [{ code: 'name_required' }] },
    });
    const form = { setError: (...told: unknown[]) => shown.push(told) };
    expect(showFieldErrors(form, error, ['name', 'description'])).toBe(true);
    expect(shown).toEqual([['name', { type: 'server', message: 'Name ist erforderlich' }, { shouldFocus: true }]]);
  });

  it.each([
    ['', 'Monthly subscription cost is required'],
    ['ten', 'Monthly subscription cost must be a number'],
    ['-1', "Monthly subscription cost can't be negative"],
    ['9.999', 'Monthly subscription cost must have at most two decimals'],
    ['1.000', 'Monthly subscription cost must have at most two decimals'],
    ['1,000', 'Monthly subscription cost must have at most two decimals'],
    ['99999999', 'Monthly subscription cost must be at most 9,999,999.99'],
    ['0', 0],
    ['22.99', 22.99],
    [' 22,99 ', 22.99],
    ['$22.99', 22.99],
    ['22,99\u00a0$', 22.99],
    ['USD 1,234.50', 1234.5],
    ['1.234,50', 1234.5],
    ['1\u202f234,50', 1234.5],
    ["1'234.50", 1234.5],
    ['1,234,567', 1234567],
    ['\u200e22.99\u200b', 22.99],
    ['\u0661\u066c\u0662\u0663\u0664\u066b\u0665\u0660', 1234.5],
    ['\uff12\uff12\uff0e\uff19\uff19', 22.99],
    ['1,23,4.50', 'Monthly subscription cost must be a number'],
    ['\u221222.99', "Monthly subscription cost can't be negative"],
  ])('validates the cost %j by the contract', async (text, expected) => {
    expect(await validateField(CreateAssetRequest, 'subscription_cost', readDollars, text)).toBe(expected);
  });

  it.each([
    ['1500', 'JPY', 1500],
    ['1.500', 'JPY', "Monthly subscription cost can't have decimals"],
    ['15.5', 'JPY', "Monthly subscription cost can't have decimals"],
    ['1.500', 'KWD', 1.5],
    ['1,234', 'KWD', 1.234],
    ['1.2345', 'KWD', 'Monthly subscription cost must have at most three decimals'],
  ])('validates the cost %j by the decimals of %s', async (text, currency, expected) => {
    const schema = UpdateAssetRequest.extend({ subscription_cost: SubscriptionCost }).superRefine(priceIn(currency));
    const read = (typed: string) => readMoney(typed, currency);
    expect(await validateField(schema, 'subscription_cost', read, text)).toBe(expected);
  });

  it.each(['', '0', '745', '1.5', 'x'])('rejects %j as a session limit', async (text) => {
    expect(await validateField(UpdateAssetRequest, 'max_session_hours', readNumber, text)).toBe(
      'Session limit must be a whole number of hours from 1 to 744',
    );
  });

  it.each(['1', '24', '744'])('accepts %j as a session limit', async (text) => {
    expect(await validateField(UpdateAssetRequest, 'max_session_hours', readNumber, text)).toBe(Number(text));
  });

  it.each(['', '0', '745', '1.5', '-3', 'x', '1e2'])('rejects %j as monthly hours', async (text) => {
    expect(await validateField(UpdateShareRequest, 'monthly_hours_allocated', readNumber, text)).toBe(
      'Monthly hours must be a whole number from 1 to 744',
    );
  });
});

it.each([
  ['٢٢٫٩٩', 22.99],
  ['٢٠', 20],
  ['۲۰', 20],
  ['२०', 20],
  ['１２．５', 12.5],
  ['22,99', 22.99],
])('reads %s as %d', (text, value) => {
  expect(readNumber(text)).toBe(value);
});
