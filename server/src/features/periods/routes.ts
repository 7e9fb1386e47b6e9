import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../deps.ts';
import { route } from '../../platform/http/route.ts';
import * as periods from './service.ts';

export function periodRoutes(app: FastifyInstance, appDeps: Deps): void {
  route(app, appDeps, 'GET /api/assets/{id}/prices/', (deps, { caller, params, query }) =>
    periods.listPrices(deps, caller.userId, params.id, query),
  );
  route(app, appDeps, 'POST /api/assets/{id}/prices/', (deps, { caller, params, body }) =>
    periods.setPrice(deps, caller.userId, params.id, body),
  );
}
