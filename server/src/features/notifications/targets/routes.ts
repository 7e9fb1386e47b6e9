import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../../deps.ts';
import type { Limit } from '../../../platform/http/rate-limits.ts';
import { route } from '../../../platform/http/route.ts';
import * as targets from './service.ts';

// No one has this many, and each can have the server call another address.
const ADDED_BY_USER: Limit = { name: 'notice targets by user', max: 30, windowSeconds: 3600 };

export function targetRoutes(app: FastifyInstance, appDeps: Deps): void {
  route(app, appDeps, 'GET /api/notifications/targets/', (deps, { caller }) =>
    targets.listTargets(deps, caller.userId),
  );
  route(app, appDeps, 'POST /api/notifications/targets/', async (deps, { caller, body, client }) => {
    const refused = deps.limits.take(ADDED_BY_USER, String(caller.userId));
    return refused ?? targets.addTarget(deps, caller, body, client);
  });
  route(app, appDeps, 'PATCH /api/notifications/targets/{id}/', (deps, { caller, params, body }) =>
    targets.changeTarget(deps, { userId: caller.userId, id: params.id }, body),
  );
  route(app, appDeps, 'DELETE /api/notifications/targets/{id}/', (deps, { caller, params, client }) =>
    targets.removeTarget(deps, { userId: caller.userId, id: params.id }, client),
  );
}
