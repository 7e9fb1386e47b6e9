import { z } from 'zod';
import { name } from './fields.ts';
import { asciiFigures } from './figures.ts';
import {
  PAYMENT_HOLDER_MAX_LENGTH,
  PAYMENT_LINK_MAX_LENGTH,
  PAYMENT_METHODS_MAX,
  PAYMENT_TEXT_MAX_LENGTH,
  PAYMENT_TOWN_MAX_LENGTH,
} from './limits.ts';
import { issue } from './sentences.ts';

/** What can be done to pay someone: by which service, or in which other way. */
export const PAYMENT_KINDS = [
  'iban',
  'paypal',
  'venmo',
  'cash_app',
  'revolut',
  'wise',
  'upi',
  'pix',
  'swish',
  'phone',
  'link',
  'note',
] as const;
export type PaymentKind = (typeof PAYMENT_KINDS)[number];

/** The currencies that a service sends; the others take any. */
const CURRENCIES: Partial<Record<PaymentKind, string>> = {
  paypal: 'AUD BRL CAD CHF CZK DKK EUR GBP HKD ILS JPY MXN MYR NOK NZD PHP PLN SEK SGD THB USD',
  venmo: 'USD',
  cash_app: 'USD',
  revolut: 'AED AUD CAD CHF CZK DKK EUR GBP HKD HUF ILS JPY MXN NOK NZD PLN QAR RON SAR SEK SGD THB TRY USD ZAR',
  wise: 'AUD BRL CAD CHF CZK DKK EUR GBP HKD HUF IDR ILS INR JPY MXN MYR NOK NZD PHP PLN RON SEK SGD THB TRY USD ZAR',
  upi: 'INR',
  pix: 'BRL',
  swish: 'SEK',
};

/** Returns whether an amount in a currency can be paid in this way. */
export const takesCurrency = (kind: PaymentKind, currency: string): boolean =>
  CURRENCIES[kind]?.split(' ').includes(currency) ?? true;

/** Long enough for an IBAN with a space after each character. */
const TYPED_MAX_LENGTH = 100;

/** Text in ASCII, which has no look-alike letters, as `clean` leaves it. */
const ascii = (error: string, shape: RegExp, clean: (typed: string) => string) =>
  z
    .string({ error })
    .max(TYPED_MAX_LENGTH, error)
    .overwrite((typed) => clean(typed).trim())
    .regex(shape, { error, abort: true });

/** A name at a service, also typed with a sign before it, or as the address of its page. */
const nameAt = (page: string, shape: RegExp) =>
  ascii(issue('payment_name_invalid'), shape, (typed) =>
    typed
      .trim()
      .replace(new RegExp(`^(?:https://)?(?:www\\.)?${page}`, 'i'), '')
      .replace(/^[@$]/, '')
      .replace(/\/$/, ''),
  );

/** Returns whether the check digits of an IBAN without spaces are right: ISO 13616, modulo 97. */
function hasIbanChecksum(iban: string): boolean {
  const digits = `${iban.slice(4)}${iban.slice(0, 4)}`.replace(/[A-Z]/g, (letter) => String(parseInt(letter, 36)));
  return BigInt(digits) % 97n === 1n;
}

/** Stored in capitals, without spaces and other signs between them, or the word before it on an invoice. */
const Iban = ascii(issue('iban_invalid'), /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/, (typed) =>
  asciiFigures(typed)
    .replace(/[\s\p{P}]/gu, '')
    .toUpperCase()
    .replace(/^IBAN/, ''),
).refine(hasIbanChecksum, issue('iban_invalid'));

/** '0049 (151) 123-45' → "+4915112345" */
const digitsOf = (typed: string) =>
  asciiFigures(typed)
    .replace(/[\s().\-/]/g, '')
    .replace(/^00/, '+');

const UUID = String.raw`[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}`;
const EMAIL = String.raw`[a-z0-9._+-]{1,64}@[a-z0-9-]+(?:\.[a-z0-9-]+)+`;
/** A CPF, a CNPJ, a phone number, an email address, or a random key. */
const PixKey = ascii(
  issue('pix_key_invalid'),
  new RegExp(String.raw`^(?=.{11,77}$)(?:\d{11}|\d{14}|\+55\d{10,11}|${EMAIL}|${UUID})$`),
  (typed) => {
    const text = typed.trim().toLowerCase();
    return /[a-z@]/.test(text) ? text : digitsOf(text);
  },
);

/**
 * Reads as what it leads to: without a user and password, which could pass for the host, the host in ASCII, and what follows it
 * percent-encoded. A host with other letters is written as "xn--".
 */
const PaymentLink = name({ required: issue('payment_link_invalid'), characters: issue('payment_text_characters') })
  .regex(/^https:\/\/[a-z0-9._-]+(?::\d+)?(?:[/?#]\S*)?$/i, { error: issue('payment_link_invalid'), abort: true })
  .overwrite((link) => link.replace(/[^\x21-\x7e]+/g, encodeURIComponent))
  .max(PAYMENT_LINK_MAX_LENGTH, issue('payment_link_too_long', { max: PAYMENT_LINK_MAX_LENGTH }))
  .pipe(z.url({ protocol: /^https$/, error: issue('payment_link_invalid') }));

const textUpTo = (max: number) =>
  name({ required: issue('payment_text_characters'), characters: issue('payment_text_characters') }).max(
    max,
    issue('payment_text_too_long', { max }),
  );

/** What banks also ask for: whose account it is, and where they live, with a postal code before it in Switzerland. */
const account = {
  holder: textUpTo(PAYMENT_HOLDER_MAX_LENGTH).nullish(),
  town: textUpTo(PAYMENT_TOWN_MAX_LENGTH).nullish(),
};
const noAccount = { holder: z.null().optional(), town: z.null().optional() };

const method = <Kind extends PaymentKind, Value extends z.ZodType<string>>(kind: Kind, value: Value) =>
  z.strictObject({ kind: z.literal(kind), value, ...noAccount });

const NOTE = textUpTo(PAYMENT_TEXT_MAX_LENGTH);

/** A way to be paid, as someone enters it. */
export const NewPaymentMethod = z
  .discriminatedUnion(
    'kind',
    [
      method('iban', Iban).extend(account),
      method('paypal', nameAt('paypal\\.(?:me|com/paypalme)/', /^[A-Za-z0-9]{1,20}$/)),
      method('venmo', nameAt('venmo\\.com/(?:u/)?', /^[A-Za-z0-9_-]{5,30}$/)),
      method('cash_app', nameAt('cash\\.app/', /^(?=.*[A-Za-z])[A-Za-z0-9_]{1,20}$/)),
      method('revolut', nameAt('revolut\\.me/', /^[A-Za-z0-9_.-]{3,30}$/)),
      method('wise', nameAt('wise\\.com/pay/me/', /^[A-Za-z0-9]{3,40}$/)),
      method(
        'upi',
        ascii(issue('upi_id_invalid'), /^[A-Za-z0-9][A-Za-z0-9._-]{1,63}@[A-Za-z][A-Za-z0-9]{1,30}$/, (typed) => typed),
      ),
      method('pix', PixKey).extend(account),
      method(
        'swish',
        ascii(issue('phone_invalid'), /^(?:\+46\d{7,10}|123\d{7})$/, (typed) => digitsOf(typed).replace(/^0/, '+46')),
      ),
      method('phone', ascii(issue('phone_invalid'), /^\+?\d{5,15}$/, digitsOf)),
      method('link', PaymentLink),
      method('note', NOTE),
    ],
    { error: `kind must be one of ${PAYMENT_KINDS.join(', ')}` },
  )
  .meta({ id: 'NewPaymentMethod' });
export type NewPaymentMethod = z.infer<typeof NewPaymentMethod>;

/** A way to pay someone. `value` is an account, a name, a number, a key, a text, or a link, which may contain `{amount}`, `{currency}`, and `{reference}`. */
export const PaymentMethod = z
  .object({
    kind: z.enum(PAYMENT_KINDS),
    value: z.string(),
    /** Whose account it is, and where they live; null unless given with an IBAN or a Pix key. */
    holder: z.string().nullable(),
    town: z.string().nullable(),
  })
  .meta({ id: 'PaymentMethod' });
export type PaymentMethod = z.infer<typeof PaymentMethod>;

/** How to pay someone. Others see it only while they owe that person. */
export const PaymentDetails = z
  .object({
    /** The values of the first IBAN, link, and note of `methods`. */
    iban: z.string().nullable(),
    link: z.string().nullable(),
    text: z.string().nullable(),
    /** The best first. */
    methods: z.array(PaymentMethod),
  })
  .meta({ id: 'PaymentDetails' });
export type PaymentDetails = z.infer<typeof PaymentDetails>;

/**
 * `methods` replaces all ways to be paid. `iban`, `link`, and `text` then change, add, or, if null, remove the first of their kind.
 * Fields that are left out stay.
 */
export const PaymentDetailsUpdate = z
  .strictObject({
    iban: Iban.nullish(),
    link: PaymentLink.nullish(),
    text: NOTE.nullish(),
    methods: z
      .array(NewPaymentMethod, 'methods must be a list')
      .max(PAYMENT_METHODS_MAX, issue('payment_methods_full', { max: PAYMENT_METHODS_MAX }))
      .optional(),
  })
  .meta({ id: 'PaymentDetailsUpdate' });
export type PaymentDetailsUpdate = z.infer<typeof PaymentDetailsUpdate>;
