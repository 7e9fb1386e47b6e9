import type { FastifyInstance } from 'fastify';

const utf8 = new TextDecoder('utf-8', { fatal: true });

function decode(bytes: Buffer): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}

/**
 * JSON in UTF-8 and nothing else: bytes that are no text are refused, not replaced. An empty body is no body, whatever
 * its type says: clients send the header on calls that have none. Keys that would reach a prototype are refused by the
 * parser.
 */
export function acceptJson(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  const parse = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    if (body.length === 0) return done(null, undefined);
    const text = decode(Buffer.from(body));
    if (text === undefined) return done(Object.assign(new Error('not UTF-8'), { statusCode: 400 }));
    return parse(request, text, done);
  });
}
