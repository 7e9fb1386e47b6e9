import { errorStatus, type ErrorAnswer } from '@hourshare/contract/errors';
import { english, type Sentence } from '@hourshare/contract/sentences';
import type { FastifyReply } from 'fastify';
import type { Failure } from '../result.ts';

const codeOf = (said: Sentence) => ('english' in said ? { code: 'english_only' as const } : said);

/** Returns a failure as the body of a response. */
export function errorBody({ code, sentence, fields }: Failure): ErrorAnswer {
  const { code: detail, ...values } = codeOf(sentence);
  const body: ErrorAnswer = { error: english(sentence), code, ...(detail !== code && { detail }), ...values };
  if (!fields) return body;
  const mapped = <To>(to: (said: Sentence) => To) =>
    Object.fromEntries(Object.entries(fields).map(([field, all]) => [field, all.map(to)]));
  return { ...body, fields: mapped(english), field_codes: mapped(codeOf) };
}

/** Sends a failure. The only place that turns one into a response. */
export function sendFailure(reply: FastifyReply, failure: Failure): FastifyReply {
  reply.server.reportRefusal?.(reply.request, failure);
  const status = errorStatus[failure.code];
  const body = errorBody(failure);
  // The only error of which the log has more, under this id.
  if (failure.code === 'internal') body.request_id = reply.request.id;
  if (failure.retryAfterSeconds !== undefined) void reply.header('retry-after', String(failure.retryAfterSeconds));
  if (status === 401) void reply.header('www-authenticate', 'Bearer');
  return reply.code(status).header('cache-control', 'no-store').send(body);
}
