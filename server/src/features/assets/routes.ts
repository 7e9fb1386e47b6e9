import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../deps.ts';
import { route } from '../../platform/http/route.ts';
import * as assets from './service.ts';

export function assetRoutes(app: FastifyInstance, appDeps: Deps): void {
  route(app, appDeps, 'GET /api/assets/', (deps, { caller, query }) => assets.listAssets(deps, caller.userId, query));
  route(app, appDeps, 'POST /api/assets/', (deps, { caller, body }) => assets.createAsset(deps, caller.userId, body));
  route(app, appDeps, 'GET /api/assets/{id}/', (deps, { caller, params }) =>
    assets.managedAsset(deps, caller.userId, params.id),
  );
  route(app, appDeps, 'GET /api/assets/{id}/manager-changes/', (deps, { caller, params, query }) =>
    assets.listChanges(deps, caller.userId, params.id, query),
  );
  route(app, appDeps, 'DELETE /api/assets/{id}/', (deps, { caller, params, query }) =>
    assets.deleteAsset(deps, caller.userId, params.id, query.bill),
  );
  route(app, appDeps, 'PATCH /api/assets/{id}/', (deps, { caller, params, body }) =>
    assets.updateAsset(deps, caller.userId, params.id, body),
  );
}
