import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../deps.ts';
import { route } from '../../platform/http/route.ts';
import * as insights from './service.ts';
import { historyTable } from './wire.ts';

export function insightRoutes(app: FastifyInstance, appDeps: Deps): void {
  route(
    app,
    appDeps,
    'GET /api/assets/{id}/history/',
    (deps, { caller, params }) => insights.assetHistory(deps, caller.userId, params.id),
    historyTable,
  );
  route(app, appDeps, 'GET /api/findings/', (deps, { caller, query }) =>
    insights.listInsights(deps, caller.userId, query),
  );
}
