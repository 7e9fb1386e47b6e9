import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../deps.ts';
import { route } from '../../platform/http/route.ts';
import * as settlements from './service.ts';
import { balancesTable, settlementsTable } from './wire.ts';

export function settlementRoutes(app: FastifyInstance, appDeps: Deps): void {
  route(app, appDeps, 'POST /api/statement-lines/{id}/mark/', (deps, { caller, params, body }) =>
    settlements.markLine(deps, caller.userId, params.id, body.status),
  );
  route(
    app,
    appDeps,
    'GET /api/balances/',
    (deps, { caller, query }) => settlements.listBalances(deps, caller.userId, query),
    balancesTable,
  );
  route(
    app,
    appDeps,
    'GET /api/settlements/',
    (deps, { caller, query }) => settlements.listSettlements(deps, caller.userId, query),
    settlementsTable,
  );
  route(app, appDeps, 'POST /api/settlements/', (deps, { caller, body }) =>
    settlements.settle(deps, caller.userId, body),
  );
  route(app, appDeps, 'POST /api/settlements/{id}/confirm/', (deps, { caller, params }) =>
    settlements.confirm(deps, caller.userId, params.id),
  );
  route(app, appDeps, 'POST /api/settlements/{id}/reject/', (deps, { caller, params }) =>
    settlements.reject(deps, caller.userId, params.id),
  );
  route(app, appDeps, 'POST /api/settlements/{id}/undo/', (deps, { caller, params, body }) =>
    settlements.undo(deps, caller.userId, params.id, body),
  );
  route(app, appDeps, 'DELETE /api/settlements/{id}/undo/', (deps, { caller, params }) =>
    settlements.withdrawUndo(deps, caller.userId, params.id),
  );
}
