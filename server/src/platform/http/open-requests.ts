import type { FastifyInstance } from 'fastify';
import { fail } from '../result.ts';
import { sendFailure } from './answers.ts';
import { whenClosed } from './closing.ts';

/** At 600 requests a second, the last of them waits for almost two seconds. */
const OPEN_MAX = 1000;

const OVERLOADED = fail('unavailable', { retryAfterSeconds: 2 });

/** Health checks must tell a busy server from a dead one, and event streams have a limit of their own. */
const UNLIMITED = new Set(['/healthz', '/readyz', '/metrics', '/api/events/']);

/**
 * Refuses requests while too many are open, before any work for them: what would be answered too late only takes time from
 * what is answered in time, and memory.
 */
export function limitOpenRequests(app: FastifyInstance, max = OPEN_MAX): void {
  let open = 0;
  app.addHook('onRequest', async (request, reply) => {
    if (UNLIMITED.has(request.routeOptions.url ?? '')) return undefined;
    if (open >= max) return sendFailure(reply, OVERLOADED);
    open += 1;
    whenClosed(reply, () => (open -= 1));
    return undefined;
  });
}
