import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { fail } from '../result.ts';
import { sendFailure } from './answers.ts';

/** Where the bundler puts files with a hash of their content in their name. */
const HASHED = '/static/';

/** The empty page in which the app shows every address without its own page. */
const SHELL = 'app.html';

/**
 * Returns the files of pages rendered at build time: about.html serves /about, and de/about.html /de/about. The static
 * file plugin serves index.html at /.
 */
const builtPages = (webDir: string): Set<string> =>
  new Set(
    readdirSync(webDir, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.html') && name !== SHELL && name !== 'index.html')
      .map((name) => name.replaceAll('\\', '/')),
  );

/**
 * Serves the built web app: hashed files are cached forever, everything else is revalidated. Other page addresses get
 * the page rendered for them, or the app, which has its own routes and its own 404.
 */
export async function serveApp(app: FastifyInstance, webDir: string | undefined): Promise<void> {
  const built = webDir !== undefined && existsSync(join(webDir, SHELL));
  const pages = built ? builtPages(webDir) : new Set<string>();
  if (built)
    await app.register(fastifyStatic, {
      root: webDir,
      wildcard: false,
      index: ['index.html'],
      preCompressed: true,
      cacheControl: false,
      setHeaders: (reply, path) => {
        const hashed = path.startsWith(join(webDir, HASHED));
        void reply.setHeader('cache-control', hashed ? 'public, max-age=31536000, immutable' : 'no-cache');
        // Otherwise a cache could serve a compressed file to a client that can't decompress it.
        void reply.setHeader('vary', 'accept-encoding');
      },
    });

  // XML is text, but the static file plugin names no character set for it.
  app.addHook('onSend', async (_request, reply) => {
    if (reply.getHeader('content-type') === 'image/svg+xml') void reply.type('image/svg+xml; charset=utf-8');
  });

  app.setNotFoundHandler((request, reply) => {
    // A request may contain its full address (RFC 9112, 3.2.2), whose host the router ignores too.
    const path = request.url.replace(/^https?:\/\/[^/]*/, '').split('?', 1)[0] || '/';
    const isPage = request.method === 'GET' || request.method === 'HEAD';
    if (path.startsWith('/api/') || path === '/api' || !isPage) return sendFailure(reply, fail('not_found'));
    if (!built || path.startsWith(HASHED)) return reply.code(404).type('text/plain; charset=utf-8').send('Not found\n');
    const page = `${path.slice(1)}.html`;
    const withoutSlash = path.slice(0, -1);
    // Such as /de/, which people type.
    if (path.endsWith('/') && pages.has(`${withoutSlash.slice(1)}.html`))
      return reply.redirect(`${withoutSlash}${request.url.slice(request.url.indexOf(path) + path.length)}`, 308);
    return reply.sendFile(pages.has(page) ? page : SHELL);
  });
}
