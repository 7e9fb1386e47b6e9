import { z } from 'zod';
import { type EndpointTable, NoContent, READABLE } from './calls.ts';
import { PaymentDetailsUpdate } from './payment-methods.ts';
import { issue } from './sentences.ts';
import { CurrentPassword } from './sign-ins.ts';
import { Email, Language, TimeZone, User } from './users.ts';

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
