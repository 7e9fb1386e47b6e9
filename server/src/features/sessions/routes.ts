import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../deps.ts';
import { route } from '../../platform/http/route.ts';
import * as additions from './additions/service.ts';
import * as edits from './edits/service.ts';
import * as latePresses from './late-presses/service.ts';
import * as log from './log/service.ts';
import { memberSessionsTable, sessionsTable } from './log/wire.ts';
import * as objections from './objections/service.ts';
import * as presses from './presses/service.ts';
import * as recordings from './recordings/service.ts';
import * as requests from './requests/service.ts';

const sessionKey = ({ userId }: { userId: number }, { id, session_id }: { id: number; session_id: number }) => ({
  memberId: userId,
  shareId: id,
  sessionId: session_id,
});

const shareKey = ({ userId }: { userId: number }, { id, share_id }: { id: number; share_id: number }) => ({
  ownerId: userId,
  assetId: id,
  shareId: share_id,
});

const managerKey = ({ userId }: { userId: number }, { id, session_id }: { id: number; session_id: number }) => ({
  userId,
  assetId: id,
  sessionId: session_id,
});

export function sessionRoutes(app: FastifyInstance, appDeps: Deps): void {
  route(app, appDeps, 'POST /api/shared-assets/{id}/start/', (deps, { caller, params, body }) =>
    presses.startSession(deps, caller.userId, params.id, body),
  );
  route(app, appDeps, 'POST /api/shared-assets/{id}/end/', (deps, { caller, params }) =>
    presses.endSession(deps, caller.userId, params.id),
  );
  route(app, appDeps, 'POST /api/shared-assets/{id}/late-start/', (deps, { caller, params, body }) =>
    latePresses.addLateStart(deps, caller.userId, params.id, body),
  );
  route(app, appDeps, 'POST /api/shared-assets/{id}/late-end/', (deps, { caller, params, body }) =>
    latePresses.addLateEnd(deps, caller.userId, params.id, body),
  );
  route(app, appDeps, 'GET /api/shared-assets/{id}/active-session/', (deps, { caller, params }) =>
    presses.activeSession(deps, caller.userId, params.id),
  );
  route(
    app,
    appDeps,
    'GET /api/assets/{id}/sessions/',
    (deps, { caller, params, query }) =>
      deps.read((db) => log.listAssetSessions({ ...deps, db }, caller.userId, params.id, query)),
    memberSessionsTable,
  );
  route(app, appDeps, 'POST /api/assets/{id}/share/{share_id}/sessions/', (deps, { caller, params, body }) =>
    recordings.recordSession(deps, shareKey(caller, params), body),
  );
  const recorded = '/api/assets/{id}/share/{share_id}/sessions/{session_id}/';
  route(app, appDeps, `PATCH ${recorded}`, (deps, { caller, params, body }) =>
    recordings.editRecorded(deps, { ...shareKey(caller, params), sessionId: params.session_id }, body),
  );
  route(app, appDeps, `DELETE ${recorded}`, (deps, { caller, params }) =>
    recordings.removeRecorded(deps, { ...shareKey(caller, params), sessionId: params.session_id }),
  );
  route(app, appDeps, 'PATCH /api/shared-assets/{id}/logs/{session_id}/', (deps, { caller, params, body }) =>
    edits.editSession(deps, sessionKey(caller, params), body),
  );
  route(app, appDeps, 'DELETE /api/shared-assets/{id}/logs/{session_id}/', (deps, { caller, params }) =>
    edits.removeSession(deps, sessionKey(caller, params)),
  );
  route(app, appDeps, 'POST /api/shared-assets/{id}/logs/', (deps, { caller, params, body }) =>
    additions.addSession(deps, { memberId: caller.userId, shareId: params.id }, body),
  );
  route(
    app,
    appDeps,
    'GET /api/shared-assets/{id}/logs/',
    (deps, { caller, params, query }) =>
      deps.read((db) => log.listSessions({ ...deps, db }, caller.userId, params.id, query)),
    sessionsTable,
  );
  route(app, appDeps, 'DELETE /api/shared-assets/{id}/logs/{session_id}/request/', (deps, { caller, params }) =>
    requests.withdrawRequest(deps, sessionKey(caller, params)),
  );
  route(app, appDeps, 'POST /api/assets/{id}/sessions/{session_id}/request/accept/', (deps, { caller, params }) =>
    edits.acceptRequest(deps, managerKey(caller, params)),
  );
  route(app, appDeps, 'POST /api/assets/{id}/sessions/{session_id}/request/decline/', (deps, { caller, params }) =>
    requests.decline(deps, managerKey(caller, params)),
  );
  route(app, appDeps, 'POST /api/assets/{id}/sessions/{session_id}/objection/', (deps, { caller, params, body }) =>
    objections.object(deps, managerKey(caller, params), body.text),
  );
  route(app, appDeps, 'DELETE /api/assets/{id}/sessions/{session_id}/objection/', (deps, { caller, params }) =>
    objections.withdraw(deps, managerKey(caller, params)),
  );
  route(
    app,
    appDeps,
    'POST /api/assets/{id}/sessions/{session_id}/objection/replies/',
    (deps, { caller, params, body }) => objections.replyAsOwner(deps, managerKey(caller, params), body.text),
  );
  route(
    app,
    appDeps,
    'POST /api/shared-assets/{id}/logs/{session_id}/objection/replies/',
    (deps, { caller, params, body }) => objections.replyAsMember(deps, sessionKey(caller, params), body.text),
  );
  route(app, appDeps, 'POST /api/shared-assets/{id}/logs/{session_id}/objection/agree/', (deps, { caller, params }) =>
    objections.agree(deps, sessionKey(caller, params)),
  );
}
