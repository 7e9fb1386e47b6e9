import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../deps.ts';
import { route } from '../../platform/http/route.ts';
import * as analytics from './service.ts';
import { analyticsTable, assetAnalyticsTable } from './wire.ts';

export function analyticsRoutes(app: FastifyInstance, appDeps: Deps): void {
  route(
    app,
    appDeps,
    'GET /api/assets/{id}/analytics/',
    (deps, { caller, params, query }) =>
      deps.read((db) => analytics.assetAnalytics({ ...deps, db }, caller.userId, params.id, query.month)),
    assetAnalyticsTable,
  );
  route(
    app,
    appDeps,
    'GET /api/shared-assets/{id}/analytics/',
    (deps, { caller, params, query }) =>
      deps.read((db) => analytics.shareAnalytics({ ...deps, db }, caller.userId, params.id, query.month)),
    analyticsTable,
  );
}
