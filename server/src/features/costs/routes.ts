import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../deps.ts';
import { route } from '../../platform/http/route.ts';
import * as costs from './service.ts';
import { assetStatementsTable, monthStatementsTable, statementTable } from './wire.ts';

export function costRoutes(app: FastifyInstance, deps: Deps): void {
  route(app, deps, 'GET /api/assets/{id}/prices/', (within, { caller, params, query }) =>
    costs.listPrices(within, caller.userId, params.id, query),
  );
  route(app, deps, 'POST /api/assets/{id}/prices/', (within, { caller, params, body }) =>
    costs.setPrice(within, caller.userId, params.id, body),
  );
  route(
    app,
    deps,
    'GET /api/assets/{id}/statements/',
    (within, { caller, params, query }) => costs.listStatements(within, caller.userId, params.id, query),
    assetStatementsTable,
  );
  route(
    app,
    deps,
    'GET /api/assets/{id}/statements/{month}/',
    (within, { caller, params }) => costs.statement(within, caller.userId, params.id, params.month),
    statementTable,
  );
  route(app, deps, 'POST /api/assets/{id}/statements/{month}/close/', (within, { caller, params }) =>
    costs.closeMonth(within, caller.userId, params.id, params.month),
  );
  route(app, deps, 'POST /api/assets/{id}/split-preview/', (within, { caller, params, body }) =>
    costs.previewSplit(within, caller.userId, params.id, body),
  );
  route(
    app,
    deps,
    'GET /api/statements/',
    (within, { caller, query }) => costs.listAllStatements(within, caller.userId, query),
    monthStatementsTable,
  );
}
