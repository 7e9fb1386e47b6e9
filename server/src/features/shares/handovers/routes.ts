import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../../deps.ts';
import { route } from '../../../platform/http/route.ts';
import * as handovers from './service.ts';

export function handoverRoutes(app: FastifyInstance, appDeps: Deps): void {
  route(app, appDeps, 'POST /api/assets/{id}/handover/', (deps, { caller, params, body }) =>
    handovers.offerHandover(deps, caller.userId, params.id, body),
  );
  route(app, appDeps, 'DELETE /api/assets/{id}/handover/', (deps, { caller, params }) =>
    handovers.withdrawHandover(deps, caller.userId, params.id),
  );
  route(app, appDeps, 'POST /api/shared-assets/{id}/handover/accept/', (deps, { caller, params, body }) =>
    handovers.acceptHandover(deps, caller.userId, params.id, body.version),
  );
  route(app, appDeps, 'POST /api/shared-assets/{id}/handover/decline/', (deps, { caller, params }) =>
    handovers.declineHandover(deps, caller.userId, params.id),
  );
}
