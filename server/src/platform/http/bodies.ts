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
 * Accepts JSON in UTF-8 only: invalid bytes are rejected, not replaced. An empty body counts as none, because clients
 * send the content type on calls without a body; the parser rejects keys that would reach a prototype.
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

const FORM_MAX_BYTES = 1024;

/** Also accepts short forms, as mail programs send them. Fields of multipart forms are not read. */
export function acceptForms(app: FastifyInstance): void {
  const options = { parseAs: 'string', bodyLimit: FORM_MAX_BYTES } as const;
  app.addContentTypeParser<string>('application/x-www-form-urlencoded', options, (_request, body, done) =>
    done(null, Object.fromEntries(new URLSearchParams(body))),
  );
  app.addContentTypeParser('multipart/form-data', options, (_request, _body, done) => done(null, undefined));
}
