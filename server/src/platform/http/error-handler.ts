import type { ErrorCode } from '@hourshare/contract/errors';
import type { FastifyError, FastifyInstance } from 'fastify';
import { isTransient, isUnavailable } from '../database/failure.ts';
import { oncePerSecond } from '../throttle.ts';
import { HashingOverloaded } from '../passwords.ts';
import { fail, type Failure } from '../result.ts';
import { sendFailure } from './answers.ts';

/** What Fastify itself rejects, as codes of the catalog. */
const fastifyErrors: Record<string, ErrorCode> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'body_too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'malformed_request',
  FST_ERR_CTP_INVALID_JSON_BODY: 'malformed_request',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'malformed_request',
  FST_ERR_BAD_URL: 'not_found',
  FST_ERR_MAX_PARAM_LENGTH: 'not_found',
};

const UNAVAILABLE = fail('unavailable', { retryAfterSeconds: 2 });

function failureOf(error: FastifyError): Failure | undefined {
  const refusal = fastifyErrors[error.code];
  if (refusal) return fail(refusal);
  if (error instanceof HashingOverloaded) return error.failure;
  // Transient failures only get here when every retry failed too.
  if (isUnavailable(error) || isTransient(error)) return UNAVAILABLE;
  // Paths that leave a folder of files get the same answer as missing ones, so they reveal nothing.
  if (error.statusCode === 403 || error.statusCode === 404) return fail('not_found');
  // JSON syntax errors and ranges or conditions that a file can't meet are the caller's fault. The parser's own
  // messages would reveal how requests are parsed.
  if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500)
    return fail('malformed_request');
  return undefined;
}

/** Handles everything thrown: expected rejections get the catalog's message, everything else is logged and hidden. */
export function handleErrors(app: FastifyInstance): void {
  const logUnavailable = oncePerSecond((err: FastifyError, requests) =>
    app.log.warn({ err, requests }, 'not available'),
  );
  app.setErrorHandler((error: FastifyError, request, reply) => {
    // The client disconnected before its body was complete. The error has the same code as a lost database
    // connection.
    if (request.raw.errored === error) return sendFailure(reply, fail('malformed_request'));
    // Fastify closes the connection of a body that is too long. That resets it while the client still sends, and then the
    // client may never see the answer. Node.js discards the rest instead, for as long as a request may take.
    if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') reply.removeHeader('connection');
    const failure = failureOf(error);
    if (failure === UNAVAILABLE) logUnavailable(error);
    if (failure) return sendFailure(reply, failure);
    request.log.error({ err: error, method: request.method, route: request.routeOptions.url }, 'unexpected error');
    return sendFailure(reply, fail('internal'));
  });
}
