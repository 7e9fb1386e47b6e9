import type { FastifyInstance } from 'fastify';
import { ok } from '../result.ts';
import { route, type RouteDeps } from './route.ts';

/** Tells anyone how to contact the operator of this server, if a contact is set. */
export function serveAbout(app: FastifyInstance, deps: RouteDeps, contact: string | undefined): void {
  route(app, deps, 'GET /api/about/', async () => ok({ contact: contact ?? null }));
}
