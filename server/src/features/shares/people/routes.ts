import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../../deps.ts';
import { countFailures, type Limit } from '../../../platform/http/rate-limits.ts';
import { route } from '../../../platform/http/route.ts';
import * as people from './service.ts';

const ADDED_BY_USER: Limit = { name: 'people by user', max: 100, windowSeconds: 3600 };
const LINKS_BY_USER: Limit = { name: 'claims by user', max: 100, windowSeconds: 3600 };

export function peopleRoutes(app: FastifyInstance, appDeps: Deps): void {
  route(app, appDeps, 'POST /api/assets/{id}/people/', async (deps, { caller, params, body }) => {
    const refused = deps.limits.take(ADDED_BY_USER, String(caller.userId));
    return refused ?? people.addGuestToAsset(deps, { ownerId: caller.userId, assetId: params.id }, body);
  });
  route(app, appDeps, 'POST /api/assets/{id}/share/{share_id}/claim/', async (deps, { caller, params, origin }) => {
    const refused = deps.limits.take(LINKS_BY_USER, String(caller.userId));
    const share = { ownerId: caller.userId, assetId: params.id, shareId: params.share_id };
    return refused ?? people.createClaim(deps, share, origin);
  });
  route(app, appDeps, 'DELETE /api/assets/{id}/share/{share_id}/claim/', (deps, { caller, params }) =>
    people.revokeClaim(deps, { ownerId: caller.userId, assetId: params.id, shareId: params.share_id }),
  );
  route(app, appDeps, 'GET /api/claims/{token}/', (deps, { params, network }) =>
    countFailures(deps.limits, [[people.FAILED_CLAIMS_BY_NETWORK, network]], () =>
      people.readClaim(deps, params.token),
    ),
  );
  route(app, appDeps, 'POST /api/claims/{token}/', (deps, { caller, params, body, network }) =>
    countFailures(deps.limits, [[people.FAILED_CLAIMS_BY_NETWORK, network]], () =>
      people.acceptClaim(deps, caller.userId, params.token, body),
    ),
  );
}
