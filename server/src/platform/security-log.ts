import type { FastifyBaseLogger } from 'fastify';

type SecurityEvent =
  | 'sign_in_failed'
  | 'sign_in_blocked'
  | 'password_check_failed'
  | 'password_check_blocked'
  | 'password_changed'
  | 'email_changed'
  | 'refresh_token_reused'
  | 'sign_ins_ended';

export interface SecurityEventDetails {
  /** Null when no account has the name that was tried. */
  userId: number | null;
  network: string;
  /** Why sign-ins ended, and how many. */
  reason?: 'sign_out' | 'password_change' | 'too_many';
  count?: number;
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
