import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../deps.ts';
import { route } from '../../platform/http/route.ts';
import * as bell from './bell/service.ts';
import * as choices from './choices/service.ts';

export function noticeRoutes(app: FastifyInstance, appDeps: Deps): void {
  route(app, appDeps, 'GET /api/notifications/', (deps, { caller, query }) =>
    bell.listNotices(deps, caller.userId, query),
  );
  route(app, appDeps, 'POST /api/notifications/read/', (deps, { caller, body }) =>
    bell.readNotices(deps, caller.userId, body.ids),
  );
  route(app, appDeps, 'GET /api/notifications/choices/', (deps, { caller }) =>
    choices.listChoices(deps, caller.userId),
  );
  route(app, appDeps, 'PATCH /api/notifications/choices/', (deps, { caller, body }) =>
    choices.changeChoices(deps, caller.userId, body),
  );
}
