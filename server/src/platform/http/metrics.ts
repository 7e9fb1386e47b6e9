import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { isUsable } from '../database/migrate.ts';
import type { Database } from '../database/database.ts';
import type { Metrics } from '../metrics.ts';
import { fail } from '../result.ts';
import { sendFailure } from './answers.ts';
import type { Readiness } from './health.ts';

// Digests have the same length, so comparing them reveals nothing about the token.
const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

const NO_ENTRY = fail('not_signed_in', {
  sentence: { english: "Send this server's METRICS_TOKEN as a bearer token." },
});

/** Serves `/metrics` for Prometheus to callers with the token. Without a METRICS_TOKEN, it answers 404 like an unknown call, never with the app's page. */
export function serveMetrics(app: FastifyInstance, metrics: Metrics, token: string | undefined): void {
  const expected = token === undefined ? undefined : digest(token);
  app.get('/metrics', { logLevel: 'error' }, async (request, reply) => {
    if (!expected) return sendFailure(reply, fail('not_found'));
    const [, sent] = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '') ?? [];
    if (sent === undefined || !timingSafeEqual(digest(sent), expected)) return sendFailure(reply, NO_ENTRY);
    return reply
      .header('cache-control', 'no-store')
      .type(metrics.contentType)
      .send(await metrics.render());
  });
}

/** Registers whether this server takes requests, and whether it has been told to stop. */
export function measureReadiness(metrics: Metrics, db: Database, readiness: Readiness): void {
  metrics.gauge(
    'hourshare_ready',
    'Whether this server takes requests, as /readyz says: 1 or 0.',
    async () => Number(!readiness.draining && (await isUsable(db)) && !readiness.isDiskFull?.()),
    0,
  );
  metrics.ownGauge('hourshare_draining', 'Whether this server has been told to stop: 1 or 0.', () =>
    Number(readiness.draining),
  );
}
