import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { fail } from '../result.ts';
import { sendFailure } from './answers.ts';

/** Where the bundler puts files whose names contain a hash of their content. */
const HASHED = '/static/';

/** The empty page in which the app shows whatever the address says. */
const SHELL = 'app.html';

/** Pages that were made at build time: /about is about.html, and / is index.html. */
const builtPages = (webDir: string): Set<string> =>
  new Set(readdirSync(webDir).filter((name) => name.endsWith('.html') && name !== SHELL && name !== 'index.html'));

/**
 * Serves the built web app: hashed files for ever, everything else revalidated. Every other address that a browser asks
 * for a page gets the page made for it, or the app, which knows its own routes and shows its own 404.
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
        // Without it a cache between us would hand a packed file to somebody who cannot unpack it.
        void reply.setHeader('vary', 'accept-encoding');
      },
    });

  // XML is text, and the plugin that sends the files names no character set for it.
  app.addHook('onSend', async (_request, reply) => {
    if (reply.getHeader('content-type') === 'image/svg+xml') void reply.type('image/svg+xml; charset=utf-8');
  });

  app.setNotFoundHandler((request, reply) => {
    // A request may name its whole address (RFC 9112, 3.2.2); the router reads past the host as well.
    const path = request.url.replace(/^https?:\/\/[^/]*/, '').split('?', 1)[0] || '/';
    const isPage = request.method === 'GET' || request.method === 'HEAD';
    if (path.startsWith('/api/') || path === '/api' || !isPage) return sendFailure(reply, fail('not_found'));
    if (!built || path.startsWith(HASHED)) return reply.code(404).type('text/plain; charset=utf-8').send('Not found\n');
    const page = `${path.slice(1)}.html`;
    return reply.sendFile(pages.has(page) ? page : SHELL);
  });
}
