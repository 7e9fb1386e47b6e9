import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../../deps.ts';
import { route } from '../../../platform/http/route.ts';
import * as prices from './service.ts';

export function priceRoutes(app: FastifyInstance, appDeps: Deps): void {
  route(app, appDeps, 'GET /api/assets/{id}/prices/', (deps, { caller, params, query }) =>
    prices.listPrices(deps, caller.userId, params.id, query),
  );
  route(app, appDeps, 'POST /api/assets/{id}/prices/', (deps, { caller, params, body }) =>
    prices.setPrice(deps, caller.userId, params.id, body),
  );
}
