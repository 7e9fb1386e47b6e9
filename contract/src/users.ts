import { z } from 'zod';
import { Id, Instant, line } from './fields.ts';
import { EMAIL_MAX_LENGTH, LANGUAGES, USERNAME_MAX_LENGTH, USERNAME_MIN_LENGTH } from './limits.ts';
import { PaymentDetails } from './payment-methods.ts';
import { issue } from './sentences.ts';

/** ASCII only, because look-alike letters of other scripts would let one user pose as another. */
export const Username = z
  .string({ error: issue('username_required') })
  .min(1, { error: issue('username_required'), abort: true })
  .regex(
    new RegExp(`^[A-Za-z0-9._-]{${USERNAME_MIN_LENGTH},${USERNAME_MAX_LENGTH}}$`),
    issue('username_rule', { min: USERNAME_MIN_LENGTH, max: USERNAME_MAX_LENGTH }),
  );

export const Email = line({ required: issue('email_required'), characters: issue('email_characters') })
  .trim()
  .min(1, { error: issue('email_required'), abort: true })
  .max(EMAIL_MAX_LENGTH, issue('email_too_long', { max: EMAIL_MAX_LENGTH }))
  .pipe(z.email(issue('email_invalid')));

export const TimeZone = z
  .string({ error: 'Time zone must be text' })
  .regex(/^[A-Za-z0-9_+/-]{1,64}$/, issue('time_zone_unknown'));

export const Language = z.enum(LANGUAGES, `Language must be one of ${LANGUAGES.join(', ')}`);
export type Language = z.infer<typeof Language>;

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
    /** How others can pay the user. They see it only while they owe. */
    payment_details: PaymentDetails,
    /** The new or first address, until the link sent to it is used; null if none waits for that. */
    email_change: z.object({ email: z.string(), expires_at: Instant }).nullable(),
    /** Whether the user has used a link sent to the address: one that confirms it, while signed in, or one to set a password. */
    email_confirmed: z.boolean(),
    /** Whether signing in takes a code, too. */
    two_step: z.boolean(),
    /** Whether a command has made it an account of an administrator. */
    administrator: z.boolean(),
  })
  .meta({ id: 'User' });
export type User = z.infer<typeof User>;
