import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../../deps.ts';
import { route } from '../../../platform/http/route.ts';
import * as handovers from './service.ts';

export function handoverRoutes(app: FastifyInstance, appDeps: Deps): void {
  route(app, appDeps, 'POST /api/assets/{id}/handover/', (deps, { caller, params, body, client }) =>
    handovers.offerHandover(deps, { ownerId: caller.userId, assetId: params.id }, body, client),
  );
  route(app, appDeps, 'DELETE /api/assets/{id}/handover/', (deps, { caller, params }) =>
    handovers.withdrawHandover(deps, caller.userId, params.id),
  );
  route(app, appDeps, 'POST /api/shared-assets/{id}/handover/accept/', (deps, { caller, params, body, client }) =>
    handovers.acceptHandover(deps, { memberId: caller.userId, shareId: params.id }, body.version, client),
  );
  route(app, appDeps, 'POST /api/shared-assets/{id}/handover/decline/', (deps, { caller, params }) =>
    handovers.declineHandover(deps, caller.userId, params.id),
  );
}
