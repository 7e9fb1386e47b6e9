import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** What proxies send: UUIDs, nginx's 32 hexadecimal digits, and similar. */
const WELL_FORMED = /^[A-Za-z0-9_-]{8,64}$/;

/**
 * Returns a function that names requests for the log and the X-Request-Id header: as a trusted proxy named them, so that
 * its log has the same id, or else with 64 random bits. Clients can't choose it, because they could then write into the
 * log, and give one id to many requests.
 */
export function createRequestIds(
  isTrusted: ((address: string) => boolean) | undefined,
): (request: IncomingMessage) => string {
  return ({ headers, socket }) => {
    const sent = headers['x-request-id'];
    const named = typeof sent === 'string' && WELL_FORMED.test(sent) && socket.remoteAddress !== undefined;
    if (named && isTrusted?.(socket.remoteAddress)) return sent;
    // Node.js draws the bits of many UUIDs at once, and its version and variant are in the middle of each.
    const uuid = randomUUID();
    return `${uuid.slice(0, 8)}${uuid.slice(-8)}`;
  };
}
