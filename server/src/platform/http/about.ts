import type { FastifyInstance } from 'fastify';
import { ok } from '../result.ts';
import { route, type RouteDeps } from './route.ts';

/** Tells anybody how to reach whoever runs this server, where they want to be reached. */
export function serveAbout(app: FastifyInstance, deps: RouteDeps, contact: string | undefined): void {
  route(app, deps, 'GET /api/about/', async () => ok({ contact: contact ?? null }));
}
