import type { PaymentKind, PaymentMethod } from '@hourshare/contract/payment-methods';
import { describe, expect, it } from 'vitest';
import { wayToPay } from './ways-to-pay.ts';

const by = (kind: PaymentKind, value: string, change: Partial<PaymentMethod> = {}): PaymentMethod => ({
  kind,
  value,
  holder: null,
  town: null,
  ...change,
});
const payment = { name: 'dora', amount: 12.4, currency: 'USD', reference: 'HourShare mira 2026-09 - 2026-11' };

describe('a way to pay', () => {
  it.each([
    [by('paypal', 'dora'), 'EUR', 'https://paypal.me/dora/12.40EUR'],
    [by('paypal', 'dora'), 'JPY', 'https://paypal.me/dora/12JPY'],
    [
      by('venmo', 'dora-lind'),
      'USD',
      'https://venmo.com/?txn=pay&audience=private&recipients=dora-lind&amount=12.40&note=HourShare%20mira%202026-09%20-%202026-11',
    ],
    [by('cash_app', 'dora'), 'USD', 'https://cash.app/$dora/12.40'],
    [
      by('revolut', 'dora'),
      'EUR',
      'https://revolut.me/dora?currency=EUR&amount=1240&note=HourShare%20mira%202026-09%20-%202026-11',
    ],
    [
      by('wise', 'doral12'),
      'GBP',
      'https://wise.com/pay/me/doral12?amount=12.40&currency=GBP&description=HourShare%20mira%202026-09%20-%202026-11',
    ],
    [
      by('upi', 'dora@okbank'),
      'INR',
      'upi://pay?pa=dora@okbank&pn=dora&am=12.40&cu=INR&tn=HourShare%20mira%202026-09%20-%202026-11',
    ],
    [
      by('swish', '+46701234567'),
      'SEK',
      'swish://payment?data=%7B%22version%22%3A1%2C%22payee%22%3A%7B%22value%22%3A%2246701234567%22%2C%22editable%22%3Afalse%7D%2C%22amount%22%3A%7B%22value%22%3A12.4%2C%22editable%22%3Afalse%7D%2C%22message%22%3A%7B%22value%22%3A%22HourShare%20mira%202026-09%20-%202026-11%22%2C%22editable%22%3Atrue%7D%7D',
    ],
    [
      by('link', 'https://pay.example/dora?a={amount}&c={currency}&r={reference}&x={other}'),
      'KWD',
      'https://pay.example/dora?a=12.400&c=KWD&r=HourShare%20mira%202026-09%20-%202026-11&x={other}',
    ],
  ])('by %j opens in %s %s', (method, currency, link) => {
    expect(wayToPay(method, { ...payment, currency })?.link).toBe(link);
  });

  it('puts hostile values into a link as text', () => {
    const link = by('link', 'https://pay.example/?r={reference}&a={amount}');
    expect(wayToPay(link, { ...payment, reference: '$& {amount} &a=0#' })?.link).toBe(
      'https://pay.example/?r=%24%26%20%7Bamount%7D%20%26a%3D0%23&a=12.40',
    );
  });

  it('by IBAN has a code in euros, and in francs with a Swiss IBAN and a town', () => {
    const iban = by('iban', 'DE89370400440532013000', { holder: 'Dora Lind' });
    const swiss = by('iban', 'CH9300762011623852957', { town: '8001 Zürich' });
    const code = (method: PaymentMethod, currency: string) => wayToPay(method, { ...payment, currency })?.code;
    expect(code(iban, 'EUR')?.split('\n')[5]).toBe('Dora Lind');
    // Codes have Latin letters only.
    expect(code({ ...iban, holder: '\u0645\u064a\u0631\u0627' }, 'EUR')?.split('\n')[5]).toBe('dora');
    expect(code(swiss, 'CHF')?.startsWith('SPC\n0200\n1\nCH9300762011623852957')).toBe(true);
    expect([code(iban, 'CHF'), code(iban, 'USD'), code({ ...swiss, town: 'Zürich' }, 'CHF')]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(wayToPay(iban, payment)?.copied).toBe('DE89370400440532013000');
  });

  it('by Swish, UPI, and Pix has a code', () => {
    expect(wayToPay(by('swish', '+46701234567'), { ...payment, currency: 'SEK' })?.code).toBe(
      'C46701234567;12,40;HourShare%20mira%202026-09%20-%202026-11;0',
    );
    const upi = wayToPay(by('upi', 'dora@okbank'), { ...payment, currency: 'INR' });
    expect(upi?.code).toBe(upi?.link);
    expect(wayToPay(by('pix', 'dora@example.org'), { ...payment, currency: 'BRL' })?.code).toMatch(/^000201.*6304/);
  });

  it.each([
    [by('iban', 'DE89370400440532013000'), 'EUR', { copied: 'DE89370400440532013000' }],
    [by('paypal', 'dora'), 'EUR', { copied: 'dora' }],
    [by('swish', '+46701234567'), 'SEK', { copied: '+46701234567' }],
    [by('link', 'https://pay.example/?a={amount}'), 'EUR', {}],
  ])('by %j without an amount in %s has nothing with one', (method, currency, way) => {
    expect(wayToPay(method, { ...payment, currency, amount: undefined })).toEqual(way);
  });

  it('by Pix without an amount leaves it to the payer', () => {
    const codeOf = (amount: number | undefined) =>
      wayToPay(by('pix', 'dora@example.org'), { ...payment, currency: 'BRL', amount })?.copied;
    expect(codeOf(12.4)).toContain('5303986540512.405802BR');
    expect(codeOf(undefined)).toContain('53039865802BR');
  });

  it.each([
    [by('paypal', 'dora'), 'INR'],
    [by('venmo', 'dora-lind'), 'EUR'],
    [by('swish', '+46701234567'), 'EUR'],
    [by('upi', 'dora@okbank'), 'USD'],
    [by('pix', 'dora@example.org'), 'EUR'],
  ])('by %j is none in %s', (method, currency) => {
    expect(wayToPay(method, { ...payment, currency })).toBeNull();
  });

  it.each([
    by('link', 'javascript:alert(1)'),
    by('link', 'http://pay.example/'),
    by('link', 'intent://pay#Intent;end'),
    by('link', 'https://paypal.com@evil.example/'),
    by('link', 'https://p\u0430ypal.me/dora'),
    by('link', 'https://pay.example/\u202edora'),
    by('paypal', '@evil.example/dora'),
    by('paypal', 'd\u043era'),
    by('venmo', 'dora&recipients=evil'),
    by('upi', 'dora@ok&am=1'),
    by('swish', '+46701234567;1'),
    by('phone', '+49151\u200b1234567'),
    by('note', 'Pay\u202ehere'),
    by('iban', 'DE89370400440532013001'),
    by('iban', 'DE89370400440532013000', { holder: 'Dora\u202e' }),
    by('bitcoin' as PaymentKind, 'dora'),
  ])('is refused whatever the server says: %j', (method) => {
    const currency = { venmo: 'USD', upi: 'INR', swish: 'SEK' }[method.kind as string] ?? 'EUR';
    expect(wayToPay(method, { ...payment, currency })).toBeNull();
  });
});
