import { describe, expect, it } from 'vitest';
import { NewPaymentMethod, PaymentDetailsUpdate, takesCurrency } from './payment-methods.ts';

const saved = (kind: string, value: string) => {
  const { data } = NewPaymentMethod.safeParse({ kind, value });
  return data?.value ?? null;
};

const IBAN = 'DE89370400440532013000';
const KEY = '123e4567-e12b-12d1-a456-426655440000';

describe('a way to be paid', () => {
  it.each([
    'de89 3704 0044 0532 0130 00',
    'DE89\u00a03704\u00a00044\u00a00532\u00a00130\u00a000',
    'DE89\u202f3704\u202f0044\u202f0532\u202f0130\u202f00',
    'DE89\u20093704\u30000044\u20030532\t0130\n00',
    '\u200bDE89\u200b3704\ufeff0044\u00ad0532\u2060013000',
    'DE89-3704\u20100044\u20110532\u20130130\u221200',
    'DE89.3704.0044.0532.0130.00',
    'IBAN: DE89 3704 0044 0532 0130 00',
    '\uff24\uff25\uff18\uff19\u3000\uff13\uff17\uff10\uff14 0044 0532 0130 00',
    'DE\u0668\u0669 \u06f3\u06f7\u06f0\u06f4 0044 0532 0130 00',
    'D E 8 9 3 7 0 4 0 0 4 4 0 5 3 2 0 1 3 0 0 0',
  ])('has an IBAN in each way that it is written and copied: %j', (iban) => {
    expect(saved('iban', iban)).toBe(IBAN);
  });

  it.each([
    ['paypal', 'mira', 'mira'],
    ['paypal', ' @mira ', 'mira'],
    ['paypal', 'https://www.paypal.me/mira/', 'mira'],
    ['paypal', 'paypal.com/paypalme/mira', 'mira'],
    ['venmo', '@Mira-Lind', 'Mira-Lind'],
    ['venmo', 'https://venmo.com/u/Mira-Lind', 'Mira-Lind'],
    ['cash_app', '$mira', 'mira'],
    ['cash_app', 'https://cash.app/$mira', 'mira'],
    ['revolut', 'revolut.me/mira_1', 'mira_1'],
    ['wise', 'https://wise.com/pay/me/miral12', 'miral12'],
    ['upi', 'mira.lind@okbank', 'mira.lind@okbank'],
    ['pix', '123.456.789-09', '12345678909'],
    ['pix', '11.222.333/0001-81', '11222333000181'],
    ['pix', '+55 (11) 91234-5678', '+5511912345678'],
    ['pix', 'Mira@Example.org', 'mira@example.org'],
    ['pix', KEY.toUpperCase(), KEY],
    ['swish', '070-123 45 67', '+46701234567'],
    ['swish', '0046 70 123 45 67', '+46701234567'],
    ['swish', '123 456 78 90', '1234567890'],
    ['phone', '+49 (151) 123\u201345/67', '+491511234567'],
    ['phone', '\u0660612 345 678', '0612345678'],
    ['link', ' https://pay.example:8443/?to=mira#now\u00a0', 'https://pay.example:8443/?to=mira#now'],
    ['link', 'https://xn--bcher-kva.example/mira', 'https://xn--bcher-kva.example/mira'],
    ['link', 'https://pay.example/jos\u00e9', 'https://pay.example/jos%C3%A9'],
    // Cyrillic, with letters that look Latin.
    ['link', 'https://pay.example/\u0430nna', 'https://pay.example/%D0%B0nna'],
    [
      'link',
      'https://pay.example/{amount}?in={currency}&for={reference}',
      'https://pay.example/{amount}?in={currency}&for={reference}',
    ],
    ['note', ' Cash is fine ', 'Cash is fine'],
  ])('by %s takes %j', (kind, typed, value) => {
    expect(saved(kind, typed)).toBe(value);
  });

  it.each([
    ['iban', 'DE89370400440532013001'],
    ['iban', 'DE98370400440532013000'],
    ['iban', 'DE89'],
    ['iban', ''],
    ['iban', `${' '.repeat(100)}${IBAN}`],
    // Look-alike letters, other services, other schemes, and what would end the path.
    ['paypal', 'mir\u0430'],
    ['paypal', 'mira\u202e'],
    ['paypal', 'mira\u200b'],
    ['paypal', 'mira/5'],
    ['paypal', 'mira?x=1'],
    ['paypal', '../signin'],
    ['paypal', 'https://evil.example/mira'],
    ['paypal', 'http://paypal.me/mira'],
    ['paypal', 'https://paypal.me.evil.example/mira'],
    ['paypal', 'javascript:alert(1)'],
    ['venmo', 'mira lind'],
    ['venmo', 'mira&amount=1'],
    ['cash_app', '123'],
    ['cash_app', '$mira#'],
    ['revolut', 'mira%2f..'],
    ['wise', 'mira\n'.repeat(2)],
    ['upi', 'mira'],
    ['upi', 'mira@ok&am=1'],
    ['upi', 'mira@\u043ek'],
    ['pix', '1234567890'],
    ['pix', 'mira@example.org\u202e'],
    ['pix', 'x'.repeat(36)],
    ['swish', '+49 151 1234567'],
    ['swish', '0701234567;1'],
    ['phone', '1-800-FLOWERS'],
    ['phone', '12'],
    ['link', 'http://pay.example/mira'],
    ['link', 'javascript:alert(1)'],
    ['link', 'upi://pay?pa=mira@ok'],
    ['link', 'https://paypal.com@evil.example/'],
    ['link', 'https://{reference}.example/'],
    ['link', 'https:// pay.example'],
    ['link', 'https://p\u0430ypal.me/mira'],
    ['link', 'https://b\u00fccher.example/'],
    ['link', 'https://paypal.me\uff0f.evil.example/'],
    ['link', 'https://paypal.me\u3002evil.example/'],
    ['link', 'https://paypal.me%2f.evil.example/'],
    ['link', 'https://pay.example/\u202emira'],
    ['link', 'https://pay.example/\u200bmira'],
    ['link', 'https://pay.example/\u2066mira\u2069'],
    ['link', 'https://pay.example/\ud800'],
    ['link', `https://pay.example/${'\u00e9'.repeat(100)}`],
    ['link', `https://pay.example/${'x'.repeat(500)}`],
    ['note', 'x'.repeat(201)],
    ['note', 'two\nlines'],
    ['note', '\u202eevil'],
    ['note', ' '],
    ['bitcoin', 'mira'],
  ])('by %s refuses %j', (kind, value) => {
    expect(saved(kind, value)).toBeNull();
  });

  it('has a holder and a town only with an account', () => {
    const accepts = (method: object) => NewPaymentMethod.safeParse(method).success;
    expect(accepts({ kind: 'iban', value: IBAN, holder: 'Mira Lind', town: '8001 Zürich' })).toBe(true);
    expect(accepts({ kind: 'iban', value: IBAN, holder: 'Mira\u202e' })).toBe(false);
    expect(accepts({ kind: 'iban', value: IBAN, holder: 'x'.repeat(71) })).toBe(false);
    expect(accepts({ kind: 'paypal', value: 'mira', holder: 'Mira' })).toBe(false);
    // As answered.
    expect(accepts({ kind: 'paypal', value: 'mira', holder: null, town: null })).toBe(true);
  });

  it('is one of at most six', () => {
    const ways = (count: number) => Array.from({ length: count }, () => ({ kind: 'note', value: 'Cash' }));
    expect([6, 7].map((count) => PaymentDetailsUpdate.safeParse({ methods: ways(count) }).success)).toEqual([
      true,
      false,
    ]);
  });

  it('takes the currencies of its service', () => {
    const kinds = ['venmo', 'upi', 'pix', 'swish', 'iban'] as const;
    expect(kinds.filter((kind) => takesCurrency(kind, 'USD'))).toEqual(['venmo', 'iban']);
    expect(takesCurrency('paypal', 'EUR')).toBe(true);
    expect(takesCurrency('paypal', 'INR')).toBe(false);
  });
});
