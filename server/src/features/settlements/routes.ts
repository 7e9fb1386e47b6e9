import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../deps.ts';
import { route } from '../../platform/http/route.ts';
import * as settlements from './service.ts';
import { balancesTable, settlementsTable } from './wire.ts';

export function settlementRoutes(app: FastifyInstance, deps: Deps): void {
  route(app, deps, 'POST /api/statement-lines/{id}/mark/', (within, { caller, params, body }) =>
    settlements.markLine(within, caller.userId, params.id, body.status),
  );
  route(
    app,
    deps,
    'GET /api/balances/',
    (within, { caller, query }) => settlements.listBalances(within, caller.userId, query),
    balancesTable,
  );
  route(
    app,
    deps,
    'GET /api/settlements/',
    (within, { caller, query }) => settlements.listSettlements(within, caller.userId, query),
    settlementsTable,
  );
  route(app, deps, 'POST /api/settlements/', (within, { caller, body }) =>
    settlements.settle(within, caller.userId, body),
  );
}
