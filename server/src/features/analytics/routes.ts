import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../deps.ts';
import { route } from '../../platform/http/route.ts';
import * as analytics from './service.ts';
import { analyticsTable, assetAnalyticsTable } from './wire.ts';

export function analyticsRoutes(app: FastifyInstance, deps: Deps): void {
  route(
    app,
    deps,
    'GET /api/assets/{id}/analytics/',
    (within, { caller, params, query }) => analytics.assetAnalytics(within, caller.userId, params.id, query.month),
    assetAnalyticsTable,
  );
  route(
    app,
    deps,
    'GET /api/shared-assets/{id}/analytics/',
    (within, { caller, params, query }) => analytics.shareAnalytics(within, caller.userId, params.id, query.month),
    analyticsTable,
  );
}
