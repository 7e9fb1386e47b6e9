import { z } from 'zod';
import { type EndpointTable, NoContent, READABLE } from './calls.ts';
import { name } from './fields.ts';
import { asciiFigures } from './figures.ts';
import { PAYMENT_LINK_MAX_LENGTH, PAYMENT_TEXT_MAX_LENGTH } from './limits.ts';
import { issue } from './sentences.ts';
import { CurrentPassword } from './sign-ins.ts';
import { Email, Language, TimeZone, User } from './users.ts';

/** With a space after each character. */
const IBAN_TYPED_MAX_LENGTH = 100;

/** Returns whether the check digits of an IBAN without spaces are right: ISO 13616, modulo 97. */
function hasIbanChecksum(iban: string): boolean {
  const digits = `${iban.slice(4)}${iban.slice(0, 4)}`.replace(/[A-Z]/g, (letter) => String(parseInt(letter, 36)));
  return BigInt(digits) % 97n === 1n;
}

/** Stored in capitals, without spaces and other signs between them, or the word before it on an invoice. */
const Iban = z
  .string({ error: issue('iban_invalid') })
  .max(IBAN_TYPED_MAX_LENGTH, issue('iban_invalid'))
  .overwrite((text) =>
    asciiFigures(text)
      .replace(/[\s\p{P}]/gu, '')
      .toUpperCase()
      .replace(/^IBAN/, ''),
  )
  .refine((iban) => /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(iban) && hasIbanChecksum(iban), issue('iban_invalid'));

/**
 * Reads as what it leads to: without a user and password, which could pass for the host, the host in ASCII, and what follows it
 * percent-encoded. A host with other letters is written as "xn--".
 */
const PaymentLink = name({ required: issue('payment_link_invalid'), characters: issue('payment_text_characters') })
  .regex(/^https:\/\/[a-z0-9._-]+(?::\d+)?(?:[/?#]\S*)?$/i, { error: issue('payment_link_invalid'), abort: true })
  .overwrite((link) => link.replace(/[^\x21-\x7e]+/g, encodeURIComponent))
  .max(PAYMENT_LINK_MAX_LENGTH, issue('payment_link_too_long', { max: PAYMENT_LINK_MAX_LENGTH }))
  .pipe(z.url({ protocol: /^https$/, error: issue('payment_link_invalid') }));

const PaymentText = name({
  required: issue('payment_text_characters'),
  characters: issue('payment_text_characters'),
}).max(PAYMENT_TEXT_MAX_LENGTH, issue('payment_text_too_long', { max: PAYMENT_TEXT_MAX_LENGTH }));

/** Fields that are left out stay; null removes one. */
export const PaymentDetailsUpdate = z
  .strictObject({ iban: Iban.nullish(), link: PaymentLink.nullish(), text: PaymentText.nullish() })
  .meta({ id: 'PaymentDetailsUpdate' });
export type PaymentDetailsUpdate = z.infer<typeof PaymentDetailsUpdate>;

export const UpdateMeRequest = z
  .strictObject({
    email: Email.optional(),
    /** Required to change the email address, unless the account has no password or a passkey was just used. */
    current_password: z
      .string({ error: issue('current_password_required') })
      .min(1, issue('current_password_required'))
      .optional(),
    time_zone: TimeZone.optional(),
    /** Null: each browser decides. */
    language: Language.nullish(),
    email_notifications: z.boolean('Email notifications must be true or false').optional(),
    usage_reminders: z.boolean('Usage reminders must be true or false').optional(),
    payment_details: PaymentDetailsUpdate.optional(),
  })
  .meta({ id: 'UpdateMeRequest' });
export type UpdateMeRequest = z.infer<typeof UpdateMeRequest>;

export const DeleteAccountRequest = z
  .strictObject({
    current_password: CurrentPassword,
    /** Whether others still see the username, rather than "Deleted user" and a number. If so, no one else can register it. */
    keep_name: z.boolean('keep_name must be true or false'),
  })
  .meta({ id: 'DeleteAccountRequest' });
export type DeleteAccountRequest = z.infer<typeof DeleteAccountRequest>;

export const accountEndpoints = {
  'GET /api/me/': { scripts: READABLE, summary: 'Get the signed-in user', answers: { 200: User } },
  'PATCH /api/me/': {
    summary:
      'Change the email address (requires the current password, a recent check if two-step sign-in is on, and, if the server sends email, a confirmation), time zone, language, email notifications, or payment details',
    body: UpdateMeRequest,
    answers: { 200: User },
  },
  'DELETE /api/me/': {
    summary:
      'Delete the account: its assets as if each were deleted, its access to others, and all personal data; what was billed stays with the others',
    body: DeleteAccountRequest,
    answers: { 204: NoContent },
  },
} as const satisfies EndpointTable;
