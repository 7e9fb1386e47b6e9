import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../deps.ts';
import { route } from '../../platform/http/route.ts';
import * as costs from './service.ts';
import { costsTable } from './wire.ts';

export function costRoutes(app: FastifyInstance, appDeps: Deps): void {
  route(
    app,
    appDeps,
    'GET /api/assets/{id}/costs/',
    (deps, { caller, params, query }) => costs.listCosts(deps, caller.userId, { assetId: params.id }, query),
    costsTable,
  );
  route(app, appDeps, 'POST /api/assets/{id}/costs/', (deps, { caller, params, body }) =>
    costs.addCost(deps, caller.userId, { assetId: params.id }, body),
  );
  route(app, appDeps, 'PATCH /api/assets/{id}/costs/{cost_id}/', (deps, { caller, params, body }) =>
    costs.updateCost(deps, caller.userId, { assetId: params.id }, params.cost_id, body),
  );
  route(app, appDeps, 'DELETE /api/assets/{id}/costs/{cost_id}/', (deps, { caller, params }) =>
    costs.removeCost(deps, caller.userId, { assetId: params.id }, params.cost_id),
  );
  route(app, appDeps, 'POST /api/assets/{id}/costs/{cost_id}/answer/', (deps, { caller, params, body }) =>
    costs.decideCost(deps, caller.userId, { assetId: params.id }, params.cost_id, body),
  );
  route(
    app,
    appDeps,
    'GET /api/shared-assets/{id}/costs/',
    (deps, { caller, params, query }) => costs.listCosts(deps, caller.userId, { shareId: params.id }, query),
    costsTable,
  );
  route(app, appDeps, 'POST /api/shared-assets/{id}/costs/', (deps, { caller, params, body }) =>
    costs.addCost(deps, caller.userId, { shareId: params.id }, body),
  );
  route(app, appDeps, 'PATCH /api/shared-assets/{id}/costs/{cost_id}/', (deps, { caller, params, body }) =>
    costs.updateCost(deps, caller.userId, { shareId: params.id }, params.cost_id, body),
  );
  route(app, appDeps, 'DELETE /api/shared-assets/{id}/costs/{cost_id}/', (deps, { caller, params }) =>
    costs.removeCost(deps, caller.userId, { shareId: params.id }, params.cost_id),
  );
  route(app, appDeps, 'POST /api/shared-assets/{id}/costs/{cost_id}/answer/', (deps, { caller, params, body }) =>
    costs.answerCost(deps, caller.userId, { shareId: params.id }, params.cost_id, body),
  );
}
