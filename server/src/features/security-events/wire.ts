import type { SecurityEvent } from '@hourshare/contract/security-events';
import type { OutboxMessage } from './store.ts';

export const toSecurityEvent = ({ happened_at: at, last_at: lastAt, ...event }: OutboxMessage): SecurityEvent => ({
  ...event,
  at: at.toISOString(),
  last_at: lastAt.toISOString(),
});
