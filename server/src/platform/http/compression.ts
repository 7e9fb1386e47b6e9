import negotiate from '@fastify/accept-negotiator';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { packers } from './packers.ts';

/** About what fits into the first packet: compressing less saves nothing. */
const FROM_CHARACTERS = 1_000;

/** Reads below these paths answer bank details, or how someone signs in, beside names that others choose. */
const NEVER_COMPRESSED = ['/api/balances/', '/api/me/'];

/**
 * Compresses what most reads answer. Answers to writes can contain tokens, and a compressed length can tell of a secret beside
 * what someone else chose. Exports aren't compressed either: they are sent while they are written.
 */
export function compressReads(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply, payload) => {
    if (request.method !== 'GET' || typeof payload !== 'string' || payload.length < FROM_CHARACTERS) return payload;
    if (!String(reply.getHeader('content-type')).startsWith('application/json')) return payload;
    if (NEVER_COMPRESSED.some((path) => request.routeOptions.url?.startsWith(path))) return payload;
    return compress(request, reply, (encoding) => (encoding === null ? payload : packers[encoding](payload)));
  });
}

/** Returns an answer in the encoding that its client prefers, and names that in the headers. */
export function compress(
  request: FastifyRequest,
  reply: FastifyReply,
  pack: (encoding: keyof typeof packers | null) => string | Promise<Buffer>,
): string | Promise<Buffer> {
  // The API's description may be cached: a cache could send it compressed to a client that can't decompress it.
  void reply.header('vary', 'accept-encoding');
  const encoding = negotiate(request.headers['accept-encoding'] ?? '', ['br', 'gzip']);
  if (encoding !== null) void reply.header('content-encoding', encoding);
  return pack(encoding);
}
