import { STATUS_CODES, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { errorCatalogue, type ErrorCode } from '@hourshare/contract/errors';
import { LogController, type FastifyHttpOptions, type RawServerDefault } from 'fastify';

const bodyOf = (code: ErrorCode) => JSON.stringify({ error: errorCatalogue[code].message, code });

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
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}

/** How the HTTP server treats what comes in, before any route sees it. */
export const serverOptions = {
  routerOptions: { ignoreTrailingSlash: true, maxParamLength: 100 },
  logController: new LogController({ disableRequestLogging: true }),
  // Slow senders are cut: headers within 10 s, the whole request within 15 s, looked at twice as often as that.
  http: { headersTimeout: 10_000, connectionsCheckingInterval: 5000 },
  requestTimeout: 15_000,
  keepAliveTimeout: 72_000,
  return503OnClosing: false,
  forceCloseConnections: 'idle',
  clientErrorHandler: refuseConnection,
  frameworkErrors: (_error, _request, reply) => {
    const response: ServerResponse = reply.raw;
    response.writeHead(404, { 'content-type': 'application/json; charset=utf-8' });
    response.end(bodyOf('not_found'));
  },
} as const satisfies FastifyHttpOptions<RawServerDefault>;
