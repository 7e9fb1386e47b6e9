import { createGunzip } from 'node:zlib';
import { METER_BODY_MAX_BYTES } from '@hourshare/contract/limits';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../../deps.ts';
import { sendFailure } from '../../../platform/http/answers.ts';
import { tokenOf } from '../../../platform/http/authentication.ts';
import { fail } from '../../../platform/result.ts';
import { takeExport } from './service.ts';
import { encodeAnswer, type Encoding } from './wire.ts';

const TYPES = { json: 'application/json', protobuf: 'application/x-protobuf' } as const satisfies Record<
  Encoding,
  string
>;

/**
 * Serves what exporters of OpenTelemetry send, at the address and with the encodings that its protocol (OTLP/HTTP) defines. Not a
 * call of the contract, because others define it. An export of any shape is taken, so that no sender fails or repeats it.
 */
export function otlpRoutes(app: FastifyInstance, deps: Deps): void {
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(Object.values(TYPES), { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    scope.route({
      method: 'POST',
      url: '/v1/metrics',
      bodyLimit: METER_BODY_MAX_BYTES,
      preParsing: (request, _reply, payload, done) => {
        const encoding = request.headers['content-encoding'] ?? 'identity';
        if (encoding === 'identity') return done(null, payload);
        if (encoding !== 'gzip') return done(Object.assign(new Error('unknown encoding'), { statusCode: 400 }));
        let receivedEncodedLength = 0;
        payload.on('data', (chunk: Buffer) => (receivedEncodedLength += chunk.length));
        // Fastify compares it with the Content-Length, and what is unpacked with the limit.
        const unpacked = Object.defineProperty(createGunzip(), 'receivedEncodedLength', {
          get: () => receivedEncodedLength,
        });
        payload.on('error', (error) => unpacked.destroy(error));
        return done(null, payload.pipe(unpacked));
      },
      handler: async (request, reply) => {
        const encoding = request.headers['content-type']?.startsWith(TYPES.json) === true ? 'json' : 'protobuf';
        const body = Buffer.isBuffer(request.body) ? request.body : Buffer.of();
        const taken = await takeExport(deps, { bearer: tokenOf(request), body, encoding });
        if (!taken.ok) return sendFailure(reply, taken);
        if (taken.value === null) return sendFailure(reply, fail('malformed_request'));
        return reply
          .header('cache-control', 'no-store')
          .header('content-type', TYPES[encoding])
          .send(encodeAnswer(taken.value, encoding));
      },
    });
  });
}
