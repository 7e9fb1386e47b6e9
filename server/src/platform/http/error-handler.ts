import type { ErrorCode } from '@hourshare/contract/errors';
import type { FastifyError, FastifyInstance } from 'fastify';
import { isTransient, isUnavailable } from '../database/failure.ts';
import { oncePerSecond } from '../once-per-second.ts';
import { HashingOverloaded } from '../passwords.ts';
import { fail, type Failure } from '../result.ts';
import { sendFailure } from './answers.ts';

/** What Fastify itself refuses, in the words of the catalogue. */
const refusals: Record<string, ErrorCode> = {
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
  const refusal = refusals[error.code];
  if (refusal) return fail(refusal);
  if (error instanceof HashingOverloaded) return error.failure;
  // Transient failures get here when every repetition lost too.
  if (isUnavailable(error) || isTransient(error)) return UNAVAILABLE;
  // Paths out of a folder of files: whether something is there is nobody's business.
  if (error.statusCode === 403 || error.statusCode === 404) return fail('not_found');
  // The JSON parser's syntax errors, a range or condition that a file cannot meet: the caller's fault in any case, told
  // in our words, because theirs would tell a stranger how we parse.
  if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500)
    return fail('malformed_request');
  return undefined;
}

/** One handler for everything thrown: expected refusals in the catalogue's words, the rest logged and hidden. */
export function handleErrors(app: FastifyInstance): void {
  const logUnavailable = oncePerSecond((err: FastifyError, requests) =>
    app.log.warn({ err, requests }, 'not available'),
  );
  app.setErrorHandler((error: FastifyError, request, reply) => {
    // The client went away before its body was complete. Such an error has the code of a lost database connection.
    if (request.raw.errored === error) return sendFailure(reply, fail('malformed_request'));
    const failure = failureOf(error);
    if (failure === UNAVAILABLE) logUnavailable(error);
    if (failure) return sendFailure(reply, failure);
    request.log.error({ err: error, method: request.method, route: request.routeOptions.url }, 'unexpected error');
    return sendFailure(reply, fail('internal'));
  });
}
