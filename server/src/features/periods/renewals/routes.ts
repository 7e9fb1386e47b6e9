import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../../deps.ts';
import { route } from '../../../platform/http/route.ts';
import * as renewals from './service.ts';

export function renewalRoutes(app: FastifyInstance, appDeps: Deps): void {
  route(app, appDeps, 'GET /api/renewals/', (deps, { caller, query }) =>
    renewals.listRenewals(deps, caller.userId, query),
  );
  route(app, appDeps, 'POST /api/shared-assets/{id}/vote/', (deps, { caller, params, body }) =>
    renewals.vote(deps, caller.userId, params.id, body),
  );
  route(app, appDeps, 'POST /api/assets/{id}/renewal/', (deps, { caller, params, body }) =>
    renewals.decideRenewal(deps, caller.userId, params.id, body),
  );
}
