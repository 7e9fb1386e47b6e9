import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import { compress } from './compression.ts';
import { openApiDocument } from './openapi.ts';
import { packers } from './packers.ts';

// The page sets inline styles and loads its icons from data URLs, while scripts remain our own files. It builds
// markup from strings, so Trusted Types can't be required.
const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'; form-action 'none'";

/** Made once, although tests build many apps. */
let description: ReturnType<typeof openApiDocument> | undefined;

/** It is long and public, so it is compressed once, not for each request. */
const packed: { [Encoding in keyof typeof packers]?: Promise<Buffer> } = {};

/** Serves the API's description: for programs at /api/openapi.json, for people at /api/docs/. */
export async function serveApiDocs(app: FastifyInstance, pageHeaders: Record<string, string>): Promise<void> {
  const document = (description ??= openApiDocument());
  const bytes = JSON.stringify(document);
  app.get('/api/openapi.json', async (request, reply) => {
    void reply.type('application/json; charset=utf-8').header('cache-control', 'no-cache');
    return compress(request, reply, (encoding) =>
      encoding === null ? bytes : (packed[encoding] ??= packers[encoding](bytes)),
    );
  });

  await app.register(async (docs) => {
    docs.addHook('onSend', async (_request, reply) => {
      void reply.headers({ ...pageHeaders, 'content-security-policy': PAGE_POLICY });
    });
    // oxlint-disable-next-line no-unsafe-type-assertion -- its types only know OpenAPI 3.0, but the page also shows 3.1
    await docs.register(swagger, { mode: 'static', specification: { document: document as never } });
    await docs.register(swaggerUi, { routePrefix: '/api/docs', uiConfig: { docExpansion: 'list' } });
  });
}
