import type { AnswerOf } from '@hourshare/contract/endpoints';
import type { FastifyInstance } from 'fastify';
import { ok } from '../result.ts';
import { route, type RouteDeps } from './route.ts';

/**
 * Answers anyone how to contact this server's administrator, if a contact is set, and what the server offers: who may create an
 * account, whether it sends email, where passkeys work, and which sign-in providers it has.
 */
export function serveAbout(
  app: FastifyInstance,
  deps: RouteDeps,
  readAbout: (origin: string) => Promise<AnswerOf<'GET /api/about/'>>,
): void {
  route(app, deps, 'GET /api/about/', async (_deps, { origin }) => ok(await readAbout(origin)));
}
