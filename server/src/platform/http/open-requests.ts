import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { fail } from '../result.ts';
import { sendFailure } from './answers.ts';
import { whenClosed } from './closing.ts';

/** Clients that ignore Retry-After would otherwise repeat at once, and refusals would take the time of good answers. */
const REFUSED_AFTER_MS = 2000;

/** Each takes a connection, so any more are refused at once. */
const WAITING_MAX = 4000;

/** At 600 requests a second, the last of them waits for almost two seconds. */
const OPEN_MAX = 1000;

const OVERLOADED = fail('unavailable', { retryAfterSeconds: 2 });

/** Health checks must tell a busy server from a dead one, and event streams have their own limit. */
const UNLIMITED = new Set(['/healthz', '/readyz', '/metrics', '/api/events/']);

const waitForRoom = (gone: AbortSignal) => pause(REFUSED_AFTER_MS, undefined, { signal: gone }).catch(() => undefined);

interface Bounds {
  openMax?: number;
  waitingMax?: number;
  /** Resolves when a request has waited for long enough, or its client is gone. */
  wait?: (gone: AbortSignal) => Promise<unknown>;
}

/**
 * Lets requests wait while too many are open, before any work for them, and refuses them if there is still no room two
 * seconds later: what would be answered too late only takes time from what is answered in time, and memory.
 */
export function limitOpenRequests(
  app: FastifyInstance,
  { openMax = OPEN_MAX, waitingMax = WAITING_MAX, wait = waitForRoom }: Bounds = {},
): void {
  let open = 0;
  let waiting = 0;
  app.addHook('onRequest', async (request, reply) => {
    if (UNLIMITED.has(request.routeOptions.url ?? '')) return undefined;
    if (open >= openMax && waiting < waitingMax) {
      const gone = new AbortController();
      whenClosed(reply, () => gone.abort());
      waiting += 1;
      await wait(gone.signal);
      waiting -= 1;
    }
    // A client that left while it waited has closed its response already, so a request of it would count forever.
    if (open >= openMax || reply.raw.destroyed) return sendFailure(reply, OVERLOADED);
    open += 1;
    whenClosed(reply, () => (open -= 1));
    return undefined;
  });
}
