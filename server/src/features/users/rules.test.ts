import type { NewPaymentMethod, PaymentKind, PaymentMethod } from '@hourshare/contract/payment-methods';
import { describe, expect, it } from 'vitest';
import { toPaymentDetails, updatedMethods } from './rules.ts';

const by = (kind: PaymentKind, value: string, holder: string | null = null): PaymentMethod => ({
  kind,
  value,
  holder,
  town: null,
});
const paypal = by('paypal', 'mira');
const first = by('iban', 'DE89370400440532013000', 'Mira Lind');
const second = by('iban', 'DE02120300000000202051');

it('the fields of payment details are the first of their kind', () => {
  const methods = [paypal, first, second, by('note', 'Cash')];
  expect(toPaymentDetails(methods)).toEqual({ iban: first.value, link: null, text: 'Cash', methods });
  expect(toPaymentDetails([])).toEqual({ iban: null, link: null, text: null, methods: [] });
});

describe('an update of payment details', () => {
  const known = [paypal, first, second];

  it('changes, adds, or removes the first of a kind', () => {
    const link = 'https://pay.example/mira';
    const all = [paypal, second, second, by('link', link), by('note', 'Cash')];
    expect(updatedMethods(known, { iban: second.value, link, text: 'Cash' })).toEqual(all);
    expect(updatedMethods(known, { iban: null, link: null })).toEqual([paypal, second]);
  });

  it('leaves what it has no field for, and an account that is the same', () => {
    expect(updatedMethods(known, {})).toEqual(known);
    expect(updatedMethods(known, { iban: first.value })).toEqual(known);
  });

  it('replaces the whole list first', () => {
    expect(updatedMethods(known, { methods: [{ kind: 'note', value: 'Cash' }] })).toEqual([by('note', 'Cash')]);
    const next: NewPaymentMethod[] = [
      { kind: 'iban', value: first.value },
      { kind: 'paypal', value: 'mira' },
    ];
    expect(updatedMethods(known, { methods: next, iban: null, text: 'Cash' })).toEqual([paypal, by('note', 'Cash')]);
  });
});
