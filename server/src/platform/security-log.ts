import type { FastifyBaseLogger } from 'fastify';

type SecurityEvent =
  | 'sign_in_failed'
  | 'sign_in_blocked'
  | 'second_step_failed'
  | 'two_step_on'
  | 'two_step_off'
  | 'recovery_code_used'
  | 'recovery_codes_made'
  | 'password_check_failed'
  | 'password_check_blocked'
  | 'password_changed'
  | 'password_removed'
  | 'passkey_added'
  | 'passkey_removed'
  | 'passkey_used'
  | 'passkey_refused'
  | 'email_changed'
  | 'account_deleted'
  | 'data_exported'
  | 'password_reset'
  | 'provider_connected'
  | 'provider_disconnected'
  | 'refresh_token_reused'
  | 'sign_ins_ended'
  | 'access_token_created'
  | 'access_tokens_revoked'
  | 'admin_command';

export interface SecurityEventDetails {
  /** Null when no account has the name that was tried. */
  userId: number | null;
  /** `local` for an administrator's command. */
  network: string;
  /** Why sign-ins or access tokens ended, and how many. */
  reason?:
    | 'sign_out'
    | 'password_change'
    | 'password_reset'
    | 'password_removed'
    | 'passkey_removed'
    | 'ended_by_user'
    | 'too_many'
    | 'disabled';
  count?: number;
  /** Which command the administrator ran, and its exit code. */
  command?: string;
  code?: number;
}

/**
 * Writes one line per security event, never with what was typed, because people type passwords into the wrong field.
 * Other programs parse the format, which docs/security.md documents.
 */
export function logSecurityEvent(
  log: FastifyBaseLogger,
  event: SecurityEvent,
  { userId, ...details }: SecurityEventDetails,
): void {
  log.info({ event, user_id: userId, ...details }, 'security event');
}
