import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../deps.ts';
import { route } from '../../platform/http/route.ts';
import * as history from './service.ts';
import { historyTable } from './wire.ts';

export function historyRoutes(app: FastifyInstance, deps: Deps): void {
  route(
    app,
    deps,
    'GET /api/assets/{id}/history/',
    (within, { caller, params }) => history.assetHistory(within, caller.userId, params.id),
    historyTable,
  );
  route(app, deps, 'GET /api/findings/', (within, { caller, query }) =>
    history.listFindings(within, caller.userId, query),
  );
}
