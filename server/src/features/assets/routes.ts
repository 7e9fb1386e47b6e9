import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../deps.ts';
import { route } from '../../platform/http/route.ts';
import * as assets from './service.ts';

export function assetRoutes(app: FastifyInstance, deps: Deps): void {
  route(app, deps, 'GET /api/assets/', (within, { caller, query }) => assets.listAssets(within, caller.userId, query));
  route(app, deps, 'POST /api/assets/', (within, { caller, body }) => assets.createAsset(within, caller.userId, body));
  route(app, deps, 'GET /api/assets/{id}/', (within, { caller, params }) =>
    assets.ownedAsset(within, caller.userId, params.id),
  );
  route(app, deps, 'DELETE /api/assets/{id}/', (within, { caller, params }) =>
    assets.deleteAsset(within, caller.userId, params.id),
  );
  route(app, deps, 'PATCH /api/assets/{id}/', (within, { caller, params, body }) =>
    assets.updateAsset(within, caller.userId, params.id, body),
  );
}
