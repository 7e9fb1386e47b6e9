import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import negotiate from '@fastify/accept-negotiator';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { originOf } from './origin.ts';
import { packers } from './packers.ts';

/** The empty page in which the app shows every address without its own page. */
export const SHELL = 'app.html';

/** Reads the pages rendered at build time, by path: index.html is /, about.html /about, and de/about.html /de/about. */
export function readPublicPages(webDir: string): Map<string, string> {
  const names = readdirSync(webDir, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.html'));
  return new Map(
    names
      .filter((name) => name !== SHELL)
      .map((name) => [
        name === 'index.html' ? '/' : `/${name.slice(0, -'.html'.length).replaceAll('\\', '/')}`,
        readFileSync(join(webDir, name), 'utf8'),
      ]),
  );
}

/** Where addresses have to be whole: those for search engines, and the picture for previews. */
const WHOLE_ADDRESSES =
  /(?<=<(?:link rel="(?:canonical|alternate)"[^>]* href|meta property="og:image" content)=")(?=\/)/g;

/** Sends a public page, with the host in its head, which the build doesn't know. */
export async function sendPublicPage(
  request: FastifyRequest,
  reply: FastifyReply,
  page: string,
  appUrl: string | undefined,
): Promise<FastifyReply> {
  const origin = appUrl ?? originOf(request);
  const html = page.replaceAll(WHOLE_ADDRESSES, origin);
  const etag = `W/"${createHash('sha256').update(html).digest('base64url').slice(0, 27)}"`;
  // Otherwise a cache could send a compressed page to a client that can't decompress it.
  void reply.headers({ 'cache-control': 'no-cache', vary: 'accept-encoding', etag });
  if (request.headers['if-none-match']?.split(/\s*,\s*/).includes(etag) === true) return reply.code(304).send();
  void reply.type('text/html; charset=utf-8');
  const encoding = negotiate(request.headers['accept-encoding'] ?? '', ['br', 'gzip']);
  if (encoding === null) return reply.send(html);
  return reply.header('content-encoding', encoding).send(await packers[encoding](html));
}
