import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../deps.ts';
import { route } from '../../platform/http/route.ts';
import * as sessions from './service.ts';

export function sessionRoutes(app: FastifyInstance, deps: Deps): void {
  route(app, deps, 'POST /api/shared-assets/{id}/start/', (within, { caller, params }) =>
    sessions.startSession(within, caller.userId, params.id),
  );
  route(app, deps, 'POST /api/shared-assets/{id}/end/', (within, { caller, params }) =>
    sessions.endSession(within, caller.userId, params.id),
  );
  route(app, deps, 'GET /api/shared-assets/{id}/active-session/', (within, { caller, params }) =>
    sessions.activeSession(within, caller.userId, params.id),
  );
  route(app, deps, 'GET /api/assets/{id}/sessions/', (within, { caller, params, query }) =>
    sessions.listAssetSessions(within, caller.userId, params.id, query),
  );
  route(app, deps, 'GET /api/shared-assets/{id}/logs/', (within, { caller, params, query }) =>
    sessions.listSessions(within, caller.userId, params.id, query),
  );
}
