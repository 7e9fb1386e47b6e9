import { z } from 'zod';
import { type EndpointTable } from './calls.ts';
import { Id, Instant, listOf, PageQuery } from './fields.ts';
import { SECURITY_EVENT_DAYS } from './limits.ts';

/** What happened to an account's security. docs/security/events.csv says what each means. */
export const SecurityEventKind = z.enum([
  'account_created',
  'account_deleted',
  'account_disabled',
  'account_enabled',
  'signed_in',
  'sign_in_failed',
  'sign_in_blocked',
  'second_step_failed',
  'recovery_code_used',
  'passkey_used',
  'passkey_refused',
  'password_check_failed',
  'password_check_blocked',
  'two_step_on',
  'two_step_off',
  'recovery_codes_made',
  'passkey_added',
  'passkey_removed',
  'provider_connected',
  'provider_disconnected',
  'password_changed',
  'password_removed',
  'password_reset_requested',
  'password_reset',
  'email_change_requested',
  'email_changed',
  'sign_ins_ended',
  'refresh_token_reused',
  'access_token_created',
  'access_tokens_revoked',
  'notice_target_added',
  'notice_target_removed',
  'calendar_address_made',
  'calendar_address_removed',
  'data_exported',
  'handover_offered',
  'handover_accepted',
  'manager_named',
  'manager_removed',
  'registration_changed',
  'administrator_named',
  'administrator_removed',
  'admin_command',
]);
export type SecurityEventKind = z.infer<typeof SecurityEventKind>;

/** The kinds that are about an account that still exists, and that its user can read. */
export const AccountEventKind = SecurityEventKind.exclude(['account_deleted', 'registration_changed']);
export type AccountEventKind = z.infer<typeof AccountEventKind>;

/** What an administrator can do in the app, as the commands are named. */
export const AdminAction = z.enum([
  'registration',
  'invite',
  'test-mail',
  'backup',
  'disable',
  'enable',
  'reset-password',
]);
export type AdminAction = z.infer<typeof AdminAction>;

export const SecurityEvent = z
  .object({
    id: Id,
    event: AccountEventKind,
    /** Why sign-ins or access tokens ended, what someone signed in with, or what an administrator did; null for other events. */
    detail: z
      .enum([
        ...AdminAction.options,
        'sign_out',
        'password_change',
        'password_reset',
        'password_removed',
        'passkey_removed',
        'ended_by_user',
        'too_many',
        'disabled',
        'password',
        'passkey',
        'provider',
      ])
      .nullable(),
    /** How many attempts, sign-ins, or access tokens it is about. */
    count: z.int(),
    /** Who did it: the user, another account, the administrator, or someone who wasn't signed in. */
    actor: z.enum(['user', 'other', 'administrator', 'unknown']),
    /** The other account; null if there is none, or if it was deleted. */
    actor_name: z.string().nullable(),
    /** The browser and system, if known: Firefox, Windows. */
    browser: z.string().nullable(),
    system: z.string().nullable(),
    /** The sign-in that was used or made, which may have ended. */
    sign_in_id: Id.nullable(),
    at: Instant,
    /** When the last of several attempts was made; otherwise the same as `at`. */
    last_at: Instant,
  })
  .meta({ id: 'SecurityEvent' });
export type SecurityEvent = z.infer<typeof SecurityEvent>;

const SecurityEventList = listOf(SecurityEvent).meta({ id: 'SecurityEventList' });

export const securityEventEndpoints = {
  'GET /api/me/security-events/': {
    summary: `List the security events of the account in the last ${SECURITY_EVENT_DAYS} days, newest first`,
    query: PageQuery,
    answers: { 200: SecurityEventList },
  },
} as const satisfies EndpointTable;
