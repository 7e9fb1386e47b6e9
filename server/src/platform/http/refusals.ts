import { errorStatus, type ErrorCode } from '@hourshare/contract/errors';
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify';
import type { Failure } from '../result.ts';
import { oncePerMinuteAndSource } from '../throttle.ts';
import type { Tokens } from '../tokens.ts';
import { tokenOf } from './authentication.ts';
import { networkOf } from './networks.ts';
import type { Refusal } from './rate-limits.ts';
import { methodName, routeName } from './route-names.ts';

type RefusalEvent =
  'access_refused' | 'token_refused' | 'link_refused' | 'provider_refused' | 'limit_reached' | 'input_rejected';

/** Codes whose status doesn't tell the event; null for those whose event accounts record. */
const EVENTS: Partial<Record<ErrorCode, RefusalEvent | null>> = {
  account_disabled: null,
  mark_not_allowed: 'access_refused',
  payment_not_yours: 'access_refused',
  not_signed_in: 'token_refused',
  invalid_refresh_token: 'token_refused',
  link_invalid: 'link_refused',
  invitation_not_found: 'link_refused',
  claim_not_found: 'link_refused',
  provider_expired: 'provider_refused',
  provider_denied: 'provider_refused',
  provider_failed: 'provider_refused',
  provider_untimed: 'provider_refused',
  provider_unavailable: 'provider_refused',
  rate_limited: 'limit_reached',
  malformed_request: 'input_rejected',
  validation_failed: 'input_rejected',
  body_too_large: 'input_rejected',
  unsupported_media_type: 'input_rejected',
};

/** Reports a failure that is about to be sent, if it is worth a line in the log. */
type ReportRefusal = (request: FastifyRequest, failure: Failure | Refusal) => void;

declare module 'fastify' {
  interface FastifyInstance {
    reportRefusal?: ReportRefusal;
  }
}

function eventOf(request: FastifyRequest, failure: Failure | Refusal): RefusalEvent | null {
  if (failure.isRecorded === true || ('isFirst' in failure && !failure.isFirst)) return null;
  // No one was refused: the client disconnected before its body was complete.
  if (failure.code === 'malformed_request' && request.raw.errored) return null;
  const event = EVENTS[failure.code];
  if (event !== undefined) return event;
  const status = errorStatus[failure.code];
  return status === 403 || (status === 404 && request.caller) ? 'access_refused' : null;
}

/**
 * Has refusals written to the log as security events, at most one line a minute for each event, code, and user or network. Never
 * records what was sent. Other programs parse the lines, which docs/security.md documents. Source:
 * docs/decisions/0080-monitoring.md.
 */
export function logRefusals(
  app: FastifyInstance,
  deps: { tokens: Pick<Tokens, 'readAccess' | 'hasExpired'>; log: FastifyBaseLogger },
  isScriptToken: (token: string) => boolean,
): void {
  const write = oncePerMinuteAndSource((line: object, count) => deps.log.info({ ...line, count }, 'security event'));

  const report = (
    request: FastifyRequest,
    event: RefusalEvent,
    { code, userId, ...more }: { code: ErrorCode; userId: number | null; token?: string; limit?: string },
  ) => {
    const network = networkOf(request.ip);
    const line = {
      event,
      user_id: userId,
      network,
      request_id: request.id,
      method: methodName(request),
      route: routeName(request),
      status: errorStatus[code],
      code,
      ...more,
    };
    write(line, `${event} ${more.limit ?? more.token ?? code}`, String(userId ?? network));
  };

  const reportToken = async (request: FastifyRequest, code: ErrorCode) => {
    if (code === 'invalid_refresh_token') {
      report(request, 'token_refused', { code, userId: null, token: 'refresh' });
      return;
    }
    // Without a token, someone just isn't signed in.
    if (!/^Bearer ./i.test(request.headers.authorization ?? '')) return;
    const token = tokenOf(request) ?? '';
    if (isScriptToken(token)) {
      report(request, 'token_refused', { code, userId: null, token: 'script' });
      return;
    }
    // Clients renew an expired token once it is refused.
    if (await deps.tokens.hasExpired(token)) return;
    const owner = await deps.tokens.readAccess(token);
    report(request, 'token_refused', { code, userId: owner?.userId ?? null, token: 'bearer' });
  };

  app.decorate('reportRefusal', (request: FastifyRequest, failure: Failure | Refusal) => {
    const event = eventOf(request, failure);
    if (event === null) return;
    const { code } = failure;
    if (event === 'token_refused') void reportToken(request, code);
    else
      report(request, event, {
        code,
        userId: request.caller?.userId ?? null,
        ...('limit' in failure && { limit: failure.limit }),
      });
  });
}
