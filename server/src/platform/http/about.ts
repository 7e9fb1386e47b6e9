import type { AnswerOf } from '@hourshare/contract/endpoints';
import type { FastifyInstance } from 'fastify';
import { ok } from '../result.ts';
import { route, type RouteDeps } from './route.ts';

/** Tells anyone how to contact the operator of this server, if a contact is set, and who may create an account. */
export function serveAbout(app: FastifyInstance, deps: RouteDeps, about: AnswerOf<'GET /api/about/'>): void {
  route(app, deps, 'GET /api/about/', async () => ok(about));
}
