import type { FastifyInstance } from 'fastify';
import type { Readiness } from './health.ts';

/** A process that was told to stop waits for its connections: each ends with the answer that is in flight on it. */
export function endConnectionsWhileDraining(app: FastifyInstance, readiness: Readiness): void {
  app.addHook('onSend', async (_request, reply) => {
    if (readiness.draining) void reply.header('connection', 'close');
  });
}
