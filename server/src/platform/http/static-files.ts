import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { LANGUAGES } from '@hourshare/contract/limits';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { fail } from '../result.ts';
import { sendFailure } from './answers.ts';
import { readPublicPages, sendPublicPage, SHELL } from './public-pages.ts';

/** Where the bundler puts files with a hash of their content in their name. */
const HASHED = '/static/';

const SIGN_IN = '/login';

/** Returns whether a path is that of the page about the product, in any language: /, /de. */
const isLanding = (path: string) => path === '/' || LANGUAGES.some((language) => path === `/${language}`);

/** Returns the path and the query of a request, which may contain its full address (RFC 9112, 3.2.2): the router ignores the host. */
function splitAddress(url: string): [path: string, search: string] {
  const [path = '', ...queries] = url.replace(/^https?:\/\/[^/]*/, '').split(/(?=\?)/);
  return [path || '/', queries.join('')];
}

/**
 * Serves the built web app: hashed files are cached forever, everything else is revalidated. Other page addresses get
 * the page rendered for them, or the app, which has its own routes and its own 404.
 */
export async function serveApp(
  app: FastifyInstance,
  { webDir, appUrl, landing }: { webDir: string | undefined; appUrl: string | undefined; landing: boolean },
): Promise<void> {
  const built = webDir !== undefined && existsSync(join(webDir, SHELL));
  const pages = built ? readPublicPages(webDir) : new Map<string, string>();
  if (built)
    await app.register(fastifyStatic, {
      root: webDir,
      wildcard: false,
      // Pages have their own routes, and compressed files are only variants of others.
      globIgnore: ['**/*.{html,br,gz}'],
      preCompressed: true,
      cacheControl: false,
      setHeaders: (reply, path) => {
        const hashed = path.startsWith(join(webDir, HASHED));
        void reply.setHeader('cache-control', hashed ? 'public, max-age=31536000, immutable' : 'no-cache');
        // Otherwise a cache could serve a compressed file to a client that can't decompress it.
        void reply.setHeader('vary', 'accept-encoding');
      },
    });

  for (const [path, page] of pages)
    app.get(path, { schema: { hide: true } }, (request, reply) => {
      const [asked, search] = splitAddress(request.url);
      // Such as /de/, which people type.
      if (asked === `${path}/`) return reply.redirect(`${path}${search}`, 308);
      if (!landing && isLanding(path)) return reply.header('cache-control', 'no-store').redirect(SIGN_IN, 302);
      return sendPublicPage(request, reply, page, appUrl);
    });

  // XML is text, but the static file plugin names no character set for it.
  app.addHook('onSend', async (_request, reply) => {
    if (reply.getHeader('content-type') === 'image/svg+xml') void reply.type('image/svg+xml; charset=utf-8');
  });

  app.setNotFoundHandler((request, reply) => {
    const [path] = splitAddress(request.url);
    const isPage = request.method === 'GET' || request.method === 'HEAD';
    if (path.startsWith('/api/') || path === '/api' || !isPage) return sendFailure(reply, fail('not_found'));
    if (!built || path.startsWith(HASHED)) return reply.code(404).type('text/plain; charset=utf-8').send('Not found\n');
    return reply.sendFile(SHELL);
  });
}
