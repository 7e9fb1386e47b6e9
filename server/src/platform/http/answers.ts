import { errorCatalog, type ErrorAnswer } from '@hourshare/contract/errors';
import type { FastifyReply } from 'fastify';
import type { Failure } from '../result.ts';

/** Sends a failure. The only place that turns one into a response. */
export function sendFailure(reply: FastifyReply, failure: Failure): FastifyReply {
  reply.server.reportRefusal?.(reply.request, failure);
  const entry = errorCatalog[failure.code];
  const body: ErrorAnswer = { error: failure.message ?? entry.message, code: failure.code };
  if (failure.fields) body.fields = failure.fields;
  // The only error of which the log has more, under this id.
  if (failure.code === 'internal') body.request_id = reply.request.id;
  if (failure.retryAfterSeconds !== undefined) void reply.header('retry-after', String(failure.retryAfterSeconds));
  if (entry.status === 401) void reply.header('www-authenticate', 'Bearer');
  return reply.code(entry.status).header('cache-control', 'no-store').send(body);
}
