import { z } from 'zod';
import { type EndpointTable, NoContent } from './calls.ts';
import { Id, line, name } from './fields.ts';
import {
  EMAIL_MAX_LENGTH,
  INVITATION_TOKEN_MAX_LENGTH,
  LANGUAGES,
  PASSWORD_MAX_LENGTH,
  PAYMENT_LINK_MAX_LENGTH,
  PAYMENT_TEXT_MAX_LENGTH,
  USERNAME_MAX_LENGTH,
  USERNAME_MIN_LENGTH,
} from './limits.ts';
import { SENTENCES } from './sentences.ts';

/** ASCII only, because look-alike letters of other scripts would let one user pose as another. */
export const Username = z
  .string({ error: SENTENCES.usernameRequired })
  .min(1, { error: SENTENCES.usernameRequired, abort: true })
  .regex(new RegExp(`^[A-Za-z0-9._-]{${USERNAME_MIN_LENGTH},${USERNAME_MAX_LENGTH}}$`), SENTENCES.usernameRule);

export const Email = line({ required: SENTENCES.emailRequired, characters: SENTENCES.emailCharacters })
  .min(1, { error: SENTENCES.emailRequired, abort: true })
  .max(EMAIL_MAX_LENGTH, SENTENCES.emailTooLong)
  .pipe(z.email(SENTENCES.emailInvalid));

/** The server's settings decide what else a new password needs; none of them changes this bound. */
const NewPassword = z
  .string({ error: SENTENCES.passwordRequired })
  .min(1, { error: SENTENCES.passwordRequired, abort: true })
  .max(PASSWORD_MAX_LENGTH, SENTENCES.passwordTooLong);

export const TimeZone = z
  .string({ error: 'Time zone must be text' })
  .regex(/^[A-Za-z0-9_+/-]{1,64}$/, SENTENCES.timeZoneUnknown);

export const Language = z.enum(LANGUAGES, `Language must be one of ${LANGUAGES.join(', ')}`);

/** Returns whether the check digits of an IBAN without spaces are right: ISO 13616, modulo 97. */
function hasIbanChecksum(iban: string): boolean {
  const digits = `${iban.slice(4)}${iban.slice(0, 4)}`.replace(/[A-Z]/g, (letter) => String(parseInt(letter, 36)));
  return BigInt(digits) % 97n === 1n;
}

/** Stored in capitals and without spaces. */
const Iban = z
  .string({ error: SENTENCES.ibanInvalid })
  .max(50, SENTENCES.ibanInvalid)
  .overwrite((text) => text.replace(/[ -]/g, '').toUpperCase())
  .refine((iban) => /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(iban) && hasIbanChecksum(iban), SENTENCES.ibanInvalid);

/** Without a user and password, which could pass for the host. */
const PaymentLink = z
  .string({ error: SENTENCES.paymentLinkInvalid })
  .trim()
  .max(PAYMENT_LINK_MAX_LENGTH, SENTENCES.paymentLinkTooLong)
  .regex(/^https:\/\/[^/?#\\@\s]+(?:[/?#]\S*)?$/i, SENTENCES.paymentLinkInvalid)
  .pipe(z.url({ protocol: /^https$/, error: SENTENCES.paymentLinkInvalid }));

const PaymentText = name({
  required: SENTENCES.paymentTextCharacters,
  characters: SENTENCES.paymentTextCharacters,
}).max(PAYMENT_TEXT_MAX_LENGTH, SENTENCES.paymentTextTooLong);

/** Fields that are left out stay; null removes one. */
export const PaymentDetailsUpdate = z
  .strictObject({ iban: Iban.nullish(), link: PaymentLink.nullish(), text: PaymentText.nullish() })
  .meta({ id: 'PaymentDetailsUpdate' });
export type PaymentDetailsUpdate = z.infer<typeof PaymentDetailsUpdate>;

/** How to pay someone. Others see it only while they owe that person. */
export const PaymentDetails = z
  .object({ iban: z.string().nullable(), link: z.string().nullable(), text: z.string().nullable() })
  .meta({ id: 'PaymentDetails' });
export type PaymentDetails = z.infer<typeof PaymentDetails>;

export const User = z
  .object({
    id: Id,
    username: z.string(),
    email: z.string(),
    time_zone: z.string(),
    /** Null until one is chosen. */
    language: Language.nullable(),
    email_notifications: z.boolean(),
    usage_reminders: z.boolean(),
    payment_details: PaymentDetails,
  })
  .meta({ id: 'User' });
export type User = z.infer<typeof User>;

/** Any text is the token of some invitation, though most likely of none that is open. */
export const InvitationToken = z.string('The invitation must be text').max(INVITATION_TOKEN_MAX_LENGTH);

/** The answer of someone who joins to what was recorded in their name. */
export const claimAnswer = {
  /**
   * `accept`: sessions, unpaid charges, and what the open months cost are theirs. `object`: all that stays with the owner, and
   * only what they use from now on is theirs.
   */
  charges: z.enum(['accept', 'object'], 'charges must be accept or object'),
  /** The version of what they have read, which must still be the current one; not checked without it. */
  version: z.string('version must be text').max(INVITATION_TOKEN_MAX_LENGTH).optional(),
};

const SeenValue = z.union([z.string(), z.number(), z.null()]);

export const RegisterRequest = z
  .strictObject({
    username: Username,
    email: Email,
    password: NewPassword,
    time_zone: TimeZone.optional(),
    language: Language.optional(),
    /** The token of an invitation, which is accepted along with it. */
    invitation: InvitationToken.optional(),
    /** What the invitation said when it was shown, by field; without an account if it says something else now. */
    seen: z.record(z.string(), z.union([SeenValue, z.record(z.string(), SeenValue)])).optional(),
    /** The link to claim what was recorded in the user's name, which is claimed along with it. */
    claim: z.strictObject({ token: InvitationToken, ...claimAnswer }).optional(),
  })
  .meta({ id: 'RegisterRequest' });
export type RegisterRequest = z.infer<typeof RegisterRequest>;

// Accepts any username and password, so that impossible ones get the same answer as wrong ones.
export const LoginRequest = z
  .strictObject({
    username: z.string({ error: SENTENCES.usernameRequired }).trim().min(1, SENTENCES.usernameRequired),
    password: z.string({ error: SENTENCES.passwordRequired }).min(1, SENTENCES.passwordRequired),
  })
  .meta({ id: 'LoginRequest' });
export type LoginRequest = z.infer<typeof LoginRequest>;

export const UpdateMeRequest = z
  .strictObject({
    email: Email.optional(),
    /** Required when the email address changes. */
    current_password: z
      .string({ error: SENTENCES.currentPasswordRequired })
      .min(1, SENTENCES.currentPasswordRequired)
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

export const ChangePasswordRequest = z
  .strictObject({
    current_password: z.string({ error: SENTENCES.currentPasswordRequired }).min(1, SENTENCES.currentPasswordRequired),
    new_password: NewPassword,
  })
  .meta({ id: 'ChangePasswordRequest' });
export type ChangePasswordRequest = z.infer<typeof ChangePasswordRequest>;

export const SignedIn = z.object({ access: z.string(), refresh: z.string(), user: User }).meta({ id: 'SignedIn' });
export type SignedIn = z.infer<typeof SignedIn>;

export const RefreshRequest = z
  .strictObject({ refresh: z.string({ error: 'refresh is required' }).min(1, 'refresh is required').max(512) })
  .meta({ id: 'RefreshRequest' });

export const TokenPair = z.object({ access: z.string(), refresh: z.string() }).meta({ id: 'TokenPair' });
export type TokenPair = z.infer<typeof TokenPair>;

export const LogoutRequest = z
  .strictObject({ refresh_token: z.string().max(512).nullish() })
  .meta({ id: 'LogoutRequest' });

export const accountEndpoints = {
  'POST /api/register/': {
    summary: 'Create an account and sign in',
    public: true,
    body: RegisterRequest,
    answers: { 201: SignedIn },
  },
  'POST /api/login/': {
    summary: 'Sign in',
    public: true,
    body: LoginRequest,
    answers: { 200: SignedIn },
  },
  'POST /api/token/refresh/': {
    summary: 'Exchange a refresh token for a new token pair',
    public: true,
    body: RefreshRequest,
    answers: { 200: TokenPair },
  },
  'POST /api/logout/': {
    summary: 'End the sign-in of a refresh token',
    public: true,
    body: LogoutRequest,
    answers: { 204: NoContent },
  },
  'GET /api/me/': { summary: 'The signed-in user', answers: { 200: User } },
  'PATCH /api/me/': {
    summary:
      'Change the email address (requires the current password), time zone, language, email notifications, or payment details',
    body: UpdateMeRequest,
    answers: { 200: User },
  },
  'POST /api/me/password/': {
    summary: 'Change the password and end all other sign-ins',
    body: ChangePasswordRequest,
    answers: { 204: NoContent },
  },
} as const satisfies EndpointTable;
