import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../deps.ts';
import { route } from '../../platform/http/route.ts';
import * as deposits from './service.ts';
import { depositsTable } from './wire.ts';

export function depositRoutes(app: FastifyInstance, appDeps: Deps): void {
  route(
    app,
    appDeps,
    'GET /api/deposits/',
    (deps, { caller, query }) => deposits.listDeposits(deps, caller.userId, query),
    depositsTable,
  );
  route(app, appDeps, 'POST /api/assets/{id}/deposits/', (deps, { caller, params, body }) =>
    deposits.addDeposit(deps, caller.userId, { assetId: params.id, username: body.username }, body.amount),
  );
  route(app, appDeps, 'POST /api/shared-assets/{id}/deposits/', (deps, { caller, params, body }) =>
    deposits.addDeposit(deps, caller.userId, { shareId: params.id }, body.amount),
  );
  route(app, appDeps, 'POST /api/deposits/{id}/confirm/', (deps, { caller, params, body }) =>
    deposits.confirm(deps, caller.userId, params.id, body),
  );
  route(app, appDeps, 'POST /api/deposits/{id}/return/', (deps, { caller, params }) =>
    deposits.giveBack(deps, caller.userId, params.id),
  );
  route(app, appDeps, 'DELETE /api/deposits/{id}/', (deps, { caller, params }) =>
    deposits.withdraw(deps, caller.userId, params.id),
  );
}
