import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Uptime } from '../clock.ts';
import type { Metrics } from '../metrics.ts';
import type { RequestSpan, Tracing } from '../tracing.ts';
import { whenClosed } from './closing.ts';
import { methodName, routeName } from './route-names.ts';

export interface RequestObservers {
  uptime: Uptime;
  /** Undefined if no one reads the figures. */
  metrics: Metrics | undefined;
  tracing: Tracing | undefined;
}

interface Start {
  at: number;
  labels: { method: string; route: string };
  span: RequestSpan | undefined;
}

/** Asked every few seconds by programs, so their traces would hide those of people. */
const NOT_TRACED = new Set(['/healthz', '/readyz', '/metrics']);

/** Gives every answer its request's id, and tells the log, the metrics, and the traces how each request ended. */
export function observeRequests(app: FastifyInstance, { uptime, metrics, tracing }: RequestObservers): void {
  const started = new WeakMap<FastifyRequest, Start>();

  /** Takes the status of the answer, or undefined if the client was gone before its end. */
  const end = (request: FastifyRequest, status: number | undefined) => {
    const start = started.get(request);
    if (!start) return;
    started.delete(request);
    const { at, labels, span } = start;
    const seconds = (uptime() - at) / 1000;
    const statusClass = status === undefined ? 'aborted' : `${Math.floor(status / 100)}xx`;
    metrics?.observeRequest({ ...labels, status: statusClass }, seconds);
    const log = () => request.log.debug({ ...labels, status: status ?? 'aborted', seconds }, 'request');
    if (span) span.run(log);
    else log();
    span?.end(status);
  };

  app.addHook('onRequest', (request, reply, done) => {
    const { id, headers } = request;
    void reply.header('x-request-id', id);
    // Read before the handler, which may decide that the route doesn't exist.
    const labels = { method: methodName(request), route: routeName(request) };
    const isTraced = tracing && !NOT_TRACED.has(labels.route);
    const span = isTraced ? tracing.startRequest({ id, ...labels, headers }) : undefined;
    started.set(request, { at: uptime(), labels, span });
    // Fastify's own hook for requests without an answer doesn't see those whose body has been read.
    whenClosed(reply, () => end(request, undefined));
    if (span) span.run(done);
    else done();
  });

  // Bodies arrive as events of their connection, outside of the span.
  if (tracing)
    app.addHook('preValidation', (request, _reply, done) => {
      const span = started.get(request)?.span;
      if (span) span.run(done);
      else done();
    });

  app.addHook('onResponse', (request, reply, done) => {
    end(request, reply.statusCode);
    done();
  });
}
