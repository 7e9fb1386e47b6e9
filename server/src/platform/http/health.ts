import type { FastifyInstance } from 'fastify';
import { isUsable } from '../database/migrate.ts';
import type { Database } from '../database/database.ts';

export interface Readiness {
  /** Set when the process has been told to stop, so load balancers stop sending requests. */
  draining: boolean;
  /** Whether the database's disk is full: even signing in writes. */
  isDiskFull?: () => boolean;
}

/**
 * Serves `/healthz` (the process is up) and `/readyz` (the database answers, has room, and has a schema that this
 * version works with).
 */
export function serveHealth(app: FastifyInstance, db: Database, readiness: Readiness): void {
  app.get('/healthz', { logLevel: 'silent' }, async (_request, reply) =>
    reply.header('cache-control', 'no-store').send({ status: 'ok' }),
  );
  app.get('/readyz', { logLevel: 'silent' }, async (_request, reply) => {
    void reply.header('cache-control', 'no-store');
    if (readiness.draining) return reply.code(503).send({ status: 'draining' });
    const current = await isUsable(db).catch(() => undefined);
    if (current === undefined) return reply.code(503).send({ status: 'database unavailable' });
    if (!current) return reply.code(503).send({ status: 'schema out of date' });
    if (readiness.isDiskFull?.()) return reply.code(503).send({ status: 'database disk full' });
    return reply.send({ status: 'ok' });
  });
}
