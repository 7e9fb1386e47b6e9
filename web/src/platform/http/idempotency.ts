import { onSignInChange } from '../auth/sign-in.ts';
import { randomId } from './random-id.ts';

/** How long an identical request counts as a retry. Later, it is a new one. */
const RETRY_WINDOW_MS = 60_000;

const unanswered = new Map<string, { key: string; at: number }>();
// They have what a user typed.
onSignInChange((signIn) => {
  if (signIn === null) unanswered.clear();
});

// When a response is lost, the server may have done the work. Retrying with the same key returns the first response
// instead of creating a duplicate.
export function idempotencyKeyFor(call: string, body: string): string {
  const known = unanswered.get(call + body);
  return known && Date.now() - known.at < RETRY_WINDOW_MS ? known.key : randomId();
}

export function rememberUnanswered(call: string, body: string, key: string): void {
  unanswered.set(call + body, { key, at: Date.now() });
}

export function forgetUnanswered(call: string, body: string): void {
  unanswered.delete(call + body);
}
