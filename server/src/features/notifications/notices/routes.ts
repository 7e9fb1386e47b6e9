import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../../deps.ts';
import { route } from '../../../platform/http/route.ts';
import * as notices from './service.ts';

export function noticeRoutes(app: FastifyInstance, appDeps: Deps): void {
  route(app, appDeps, 'GET /api/notifications/', (deps, { caller, query }) =>
    notices.listNotices(deps, caller.userId, query),
  );
  route(app, appDeps, 'POST /api/notifications/read/', (deps, { caller, body }) =>
    notices.readNotices(deps, caller.userId, body.ids),
  );
  route(app, appDeps, 'GET /api/notifications/choices/', (deps, { caller }) =>
    notices.listChoices(deps, caller.userId),
  );
  route(app, appDeps, 'PATCH /api/notifications/choices/', (deps, { caller, body }) =>
    notices.changeChoices(deps, caller.userId, body),
  );
}
