import type { ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';

const waiting = new WeakMap<ServerResponse, (() => void)[]>();

/**
 * Calls back once a response has been sent or its client is gone, in the order of the calls. They share one listener,
 * because Node.js warns about more than ten, of which a file that is sent needs most.
 */
export function whenClosed({ raw }: FastifyReply, callback: () => void): void {
  const others = waiting.get(raw);
  if (others) {
    others.push(callback);
    return;
  }
  const callbacks = [callback];
  waiting.set(raw, callbacks);
  raw.once('close', () => {
    for (const each of callbacks) each();
  });
}
