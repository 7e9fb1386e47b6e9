import type { NoticeKind } from '@hourshare/contract/notifications';

/** How often a notice is sent to a browser whose push service fails. */
export const PUSH_ATTEMPTS = 4;
export const PUSH_WAITS = { firstSeconds: 60, factor: 4, maxSeconds: 3600 };
export const PUSHES_AT_ONCE = 4;

/** How many browsers of a user get notices; a new one replaces the oldest. */
export const SUBSCRIPTIONS_MAX = 20;

const HOUR_SECONDS = 3600;

/** What is news only for a while; the rest is kept for a browser for a day. */
const SHORT_LIVED: ReadonlySet<NoticeKind> = new Set<NoticeKind>(['session_long', 'allowance_nearly_used']);

/** What is about the security of the account, or about time that runs. */
const URGENT: ReadonlySet<NoticeKind> = new Set<NoticeKind>([
  'sign_in',
  'password_changed',
  'email_changed',
  'session_long',
  'session_limit',
  'allowance_used',
]);

/** Returns how long a push service keeps a notice, and how it treats a battery that is low. */
export const deliveryOf = (kind: NoticeKind): { ttlSeconds: number; urgency: 'normal' | 'high' } => ({
  ttlSeconds: SHORT_LIVED.has(kind) ? HOUR_SECONDS : 24 * HOUR_SECONDS,
  urgency: URGENT.has(kind) ? 'high' : 'normal',
});

/** Returns what becomes of a message whose push service answered with a status. */
export function outcomeOf(status: number): 'sent' | 'gone' | 'failed' {
  if (status >= 200 && status < 300) return 'sent';
  // Push services answer 404 or 410 once a browser has unsubscribed, and 403 if it did so with other keys of this server.
  return status === 404 || status === 410 || status === 403 ? 'gone' : 'failed';
}
