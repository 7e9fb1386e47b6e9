import { STATUS_CODES, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { errorCatalogue, type ErrorCode } from '@hourshare/contract/errors';
import { LogController, type FastifyHttpOptions, type RawServerDefault } from 'fastify';

const bodyOf = (code: ErrorCode) => JSON.stringify({ error: errorCatalogue[code].message, code });

/** What an answer carries that is written before the app has a say: it is JSON, and nothing else may be made of it. */
const bareHeaders = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

/** What Node refuses before there is a request, by its error code. */
const clientErrors: Record<string, ErrorCode> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
};

function refuseConnection(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable || socket.bytesWritten > 0) {
    socket.destroy();
    return;
  }
  const code = clientErrors[error.code ?? ''] ?? 'malformed_request';
  const { status } = errorCatalogue[code];
  const body = bodyOf(code);
  const headers = { ...bareHeaders, 'content-length': Buffer.byteLength(body), connection: 'close' };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
}

/** How the HTTP server treats what comes in, before any route sees it. */
export const serverOptions = {
  routerOptions: { ignoreTrailingSlash: true, maxParamLength: 100 },
  logController: new LogController({ disableRequestLogging: true }),
  // Slow senders are cut: headers within 10 s, the whole request within 15 s, looked at twice as often as that.
  http: { headersTimeout: 10_000, connectionsCheckingInterval: 5000 },
  requestTimeout: 15_000,
  // A busy machine may take its time to load a plugin; giving up then would only mean to start over.
  pluginTimeout: 0,
  keepAliveTimeout: 72_000,
  return503OnClosing: false,
  forceCloseConnections: 'idle',
  clientErrorHandler: refuseConnection,
  frameworkErrors: (_error, _request, reply) => {
    const response: ServerResponse = reply.raw;
    const body = bodyOf('not_found');
    response.writeHead(404, { ...bareHeaders, 'content-length': Buffer.byteLength(body) });
    response.end(body);
  },
} as const satisfies FastifyHttpOptions<RawServerDefault>;
