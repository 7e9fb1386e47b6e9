import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../../deps.ts';
import { streamRoute } from '../../../platform/http/route.ts';
import { firstMessages, followUpdates } from './service.ts';

export function liveRoutes(app: FastifyInstance, deps: Deps): void {
  streamRoute(app, deps, 'GET /api/events/', {
    prepare: () => followUpdates(deps),
    first: ({ userId, after }) => firstMessages(deps, { userId, after }),
  });
}
