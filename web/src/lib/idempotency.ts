import { randomId } from './random-id.ts';

/** How long a repeated attempt counts as the same wish. Short: later, the same words are a new wish. */
const SAME_WISH_MS = 60_000;

const unanswered = new Map<string, { key: string; at: number }>();

// When an answer is lost, the server may have done the work. Sending the same form again with the same key makes the
// server repeat its answer instead of creating the thing twice.
export function idempotencyKeyFor(call: string, body: string): string {
  const known = unanswered.get(call + body);
  return known && Date.now() - known.at < SAME_WISH_MS ? known.key : randomId();
}

export function rememberUnanswered(call: string, body: string, key: string): void {
  unanswered.set(call + body, { key, at: Date.now() });
}

export function forgetUnanswered(call: string, body: string): void {
  unanswered.delete(call + body);
}
