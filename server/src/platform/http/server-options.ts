import { STATUS_CODES, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { errorStatus, type ErrorCode } from '@hourshare/contract/errors';
import { LogController, type FastifyHttpOptions, type FastifyInstance, type RawServerDefault } from 'fastify';
import { fail } from '../result.ts';
import { errorBody, sendFailure } from './answers.ts';

/** A response written without the app, which never saw the request or can't handle it. */
interface BareAnswer {
  status: number;
  headers: Record<string, string | number>;
  body: string;
}

/** What Node rejects before there is a request, by its error code. */
const clientErrors: Record<string, ErrorCode> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'body_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
};

function refuseConnection(error: Error & { code?: string }, socket: Socket, bare: (code: ErrorCode) => BareAnswer) {
  // A client that doesn't speak TLS couldn't read an answer.
  const isHandshake = /^ERR_(?:SSL|TLS)_/.test(error.code ?? '');
  if (isHandshake || error.code === 'ECONNRESET' || !socket.writable || socket.bytesWritten > 0) {
    socket.destroy();
    return;
  }
  const { status, headers, body } = bare(clientErrors[error.code ?? ''] ?? 'malformed_request');
  const fields = { ...headers, date: new Date().toUTCString(), connection: 'close' };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
}

function send(response: ServerResponse, { status, headers, body }: BareAnswer): void {
  response.writeHead(status, headers);
  response.end(body);
}

/** Returns how the HTTP server treats requests before any route sees them, and the headers of its own responses. */
export function serverOptions(headersOfEveryAnswer: Record<string, string>) {
  const bare = (code: ErrorCode): BareAnswer => {
    const body = JSON.stringify(errorBody(fail(code)));
    const headers = {
      ...headersOfEveryAnswer,
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'content-length': Buffer.byteLength(body),
    };
    return { status: errorStatus[code], headers, body };
  };
  return {
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 100 },
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    http: {
      // Slow senders are cut off: headers within 10 s, the whole request within 15 s, checked every 5 s.
      headersTimeout: 10_000,
      connectionsCheckingInterval: 5000,
      // Node's own rejection has neither a body nor our headers, so the app rejects instead.
      requireHostHeader: false,
    },
    requestTimeout: 15_000,
    // A connection without traffic for this long is cut off, at the latest after twice that. Bytes of a pending
    // response that the kernel accepts count as traffic, and so does a comment on an event stream.
    connectionTimeout: 120_000,
    // A busy machine may load plugins slowly; giving up would only mean starting over.
    pluginTimeout: 0,
    keepAliveTimeout: 72_000,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    clientErrorHandler: (error, socket) => refuseConnection(error, socket, bare),
    frameworkErrors: (_error, _request, reply) => send(reply.raw, bare('not_found')),
  } as const satisfies FastifyHttpOptions<RawServerDefault>;
}

/** Rejects what Node itself would reject with neither a body nor the headers of every response. */
export function refuseForNode(app: FastifyInstance): void {
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  app.addHook('onRequest', async ({ raw }, reply) => {
    const { host, expect } = raw.headers;
    if (host === undefined && raw.httpVersion === '1.1')
      return sendFailure(reply.header('connection', 'close'), fail('malformed_request'));
    if (expect !== undefined && !/(?:^|\W)100-continue(?:$|\W)/i.test(expect))
      return sendFailure(reply, fail('expectation_failed'));
    return undefined;
  });
}
