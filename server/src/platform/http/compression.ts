import negotiate from '@fastify/accept-negotiator';
import type { FastifyInstance } from 'fastify';
import { packers } from './packers.ts';

/** About what fits into the first packet: compressing less saves nothing. */
const FROM_CHARACTERS = 1_000;

/**
 * Compresses what reads answer. Other answers contain tokens, and a compressed length can tell of a secret beside what someone
 * else chose.
 */
export function compressReads(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply, payload) => {
    if (request.method !== 'GET' || typeof payload !== 'string' || payload.length < FROM_CHARACTERS) return payload;
    if (!String(reply.getHeader('content-type')).startsWith('application/json')) return payload;
    // Otherwise a cache could send a compressed answer to a client that can't decompress it.
    void reply.header('vary', 'accept-encoding');
    const encoding = negotiate(request.headers['accept-encoding'] ?? '', ['br', 'gzip']);
    if (encoding === null) return payload;
    void reply.header('content-encoding', encoding).removeHeader('content-length');
    return packers[encoding](payload);
  });
}
