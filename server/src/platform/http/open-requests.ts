import type { IncomingMessage } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { fail } from '../result.ts';
import { sendFailure } from './answers.ts';
import { whenClosed } from './closing.ts';
import { networkOf, widerNetwork } from './networks.ts';
import { NETWORKS_TOGETHER } from './rate-limits.ts';

/** Clients that ignore Retry-After would otherwise repeat at once, and refusals would take the time of good answers. */
const REFUSED_AFTER_MS = 2000;

/** Each takes a connection, so any more are refused at once. */
const WAITING_MAX = 4000;

/** At 600 requests a second, the last of them waits for almost two seconds. */
const OPEN_MAX = 1000;

/** How many requests of a network may wait for the rest of their bodies. */
const UNFINISHED_MAX = 100;

/** A body that isn't held back arrives sooner. */
const QUICK_MS = 1000;

const OVERLOADED = fail('unavailable', { retryAfterSeconds: 2 });

/** Health checks must tell a busy server from a dead one, and event streams have their own limit. */
const UNLIMITED = new Set(['/healthz', '/readyz', '/metrics', '/api/events/']);

const waitForRoom = (gone: AbortSignal) => pause(REFUSED_AFTER_MS, undefined, { signal: gone }).catch(() => undefined);

const hasBody = ({ headers }: IncomingMessage) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

interface Bounds {
  openMax?: number;
  waitingMax?: number;
  unfinishedMax?: number;
  /** Resolves when a request has waited for long enough, or its client is gone. */
  wait?: (gone: AbortSignal) => Promise<unknown>;
}

/**
 * Lets requests wait while too many are open, before any work for them, and refuses them if there is still no room two
 * seconds later: what would be answered too late only takes time from what is answered in time, and memory. A request counts
 * once its body has arrived, so that slow senders take no one's place.
 */
export function limitOpenRequests(
  app: FastifyInstance,
  { openMax = OPEN_MAX, waitingMax = WAITING_MAX, unfinishedMax = UNFINISHED_MAX, wait = waitForRoom }: Bounds = {},
): void {
  const unfinished = createUnfinished(unfinishedMax);
  let open = 0;
  let waiting = 0;
  const count = (reply: FastifyReply) => {
    // A client that left while it waited has closed its response already, so a request of it would count forever.
    if (open >= openMax || reply.raw.destroyed) return sendFailure(reply, OVERLOADED);
    open += 1;
    whenClosed(reply, () => (open -= 1));
    return undefined;
  };
  app.addHook('onRequest', async (request, reply) => {
    if (UNLIMITED.has(request.routeOptions.url ?? '')) return undefined;
    if (open >= openMax && waiting < waitingMax) {
      const gone = new AbortController();
      whenClosed(reply, () => gone.abort());
      waiting += 1;
      await wait(gone.signal);
      waiting -= 1;
    }
    if (!hasBody(request.raw)) return count(reply);
    if (open >= openMax || reply.raw.destroyed) return sendFailure(reply, OVERLOADED);
    unfinished.add(request.raw, networkOf(request.ip));
    whenClosed(reply, () => unfinished.remove(request.raw));
    return undefined;
  });
  app.addHook('preValidation', async (request, reply) => {
    unfinished.remove(request.raw);
    return hasBody(request.raw) && !UNLIMITED.has(request.routeOptions.url ?? '') ? count(reply) : undefined;
  });
}

/** Keeps the requests whose bodies have not arrived, and cuts off the slowest if a network has too many. */
function createUnfinished(max: number) {
  const byNetwork = new Map<string, Map<IncomingMessage, number>>();
  const networksOf = new WeakMap<IncomingMessage, string[]>();
  const addTo = (network: string, request: IncomingMessage, most: number) => {
    const unfinished = byNetwork.get(network) ?? new Map<IncomingMessage, number>();
    byNetwork.set(network, unfinished.set(request, performance.now()));
    // The oldest first. The rest of one may have arrived without having been read yet.
    for (const [slow, since] of unfinished) {
      if (unfinished.size <= most || performance.now() - since < QUICK_MS) return;
      unfinished.delete(slow);
      if (!slow.complete) slow.destroy();
    }
  };
  return {
    add(request: IncomingMessage, network: string): void {
      const wider = widerNetwork(network);
      networksOf.set(request, wider === undefined ? [network] : [network, wider]);
      addTo(network, request, max);
      if (wider !== undefined) addTo(wider, request, max * NETWORKS_TOGETHER);
    },
    remove(request: IncomingMessage): void {
      for (const network of networksOf.get(request) ?? []) {
        const unfinished = byNetwork.get(network);
        unfinished?.delete(request);
        if (unfinished?.size === 0) byNetwork.delete(network);
      }
      networksOf.delete(request);
    },
  };
}
