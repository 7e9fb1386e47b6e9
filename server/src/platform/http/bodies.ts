import type { FastifyInstance } from 'fastify';

/**
 * JSON and nothing else. An empty body is no body, whatever its type says: clients send the header on calls that have
 * none. Keys that would reach a prototype are refused by the parser.
 */
export function acceptJson(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  const parse = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body.length === 0) return done(null, undefined);
    return parse(request, String(body), done);
  });
}
