import type { SecurityEventKind } from '@hourshare/contract/security-events';

export const HOUR_MILLISECONDS = 3_600_000;

/** What someone who isn't signed in, or isn't the user, can cause again and again: stored once per account and hour, with a count. */
export const countsByHour: ReadonlySet<SecurityEventKind> = new Set<SecurityEventKind>([
  'sign_in_failed',
  'sign_in_blocked',
  'second_step_failed',
  'passkey_refused',
  'password_check_failed',
  'password_check_blocked',
  'password_reset_requested',
]);
