import type { SecurityEvent } from '@hourshare/contract/security-events';
import type { StoredEvent } from './store.ts';

export const toSecurityEvent = ({ happened_at: at, last_at: lastAt, ...event }: StoredEvent): SecurityEvent => ({
  ...event,
  at: at.toISOString(),
  last_at: lastAt.toISOString(),
});
