import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../deps.ts';
import { route } from '../../platform/http/route.ts';
import * as sessions from './service.ts';
import { memberSessionsTable, sessionsTable } from './wire.ts';

const own = ({ userId }: { userId: number }, { id, session_id }: { id: number; session_id: number }) => ({
  memberId: userId,
  shareId: id,
  sessionId: session_id,
});

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
  route(
    app,
    deps,
    'GET /api/assets/{id}/sessions/',
    (within, { caller, params, query }) => sessions.listAssetSessions(within, caller.userId, params.id, query),
    memberSessionsTable,
  );
  route(app, deps, 'PATCH /api/shared-assets/{id}/logs/{session_id}/', (within, { caller, params, body }) =>
    sessions.correctSession(within, own(caller, params), body),
  );
  route(app, deps, 'DELETE /api/shared-assets/{id}/logs/{session_id}/', (within, { caller, params }) =>
    sessions.removeSession(within, own(caller, params)),
  );
  route(
    app,
    deps,
    'GET /api/shared-assets/{id}/logs/',
    (within, { caller, params, query }) => sessions.listSessions(within, caller.userId, params.id, query),
    sessionsTable,
  );
}
