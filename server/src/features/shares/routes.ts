import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../deps.ts';
import { countFailures, type Limit } from '../../platform/http/rate-limits.ts';
import { route } from '../../platform/http/route.ts';
import * as shares from './service.ts';

// The specification's 404 tells whether a username exists. Attempts that fail count, so that naming members one after
// another stays free, and trying out names does not.
const FAILED_BY_USER: Limit = { name: 'share by user', max: 20, windowSeconds: 3600 };
const FAILED_BY_NETWORK: Limit = { name: 'share by network', max: 60, windowSeconds: 3600 };

export function shareRoutes(app: FastifyInstance, deps: Deps): void {
  route(app, deps, 'POST /api/assets/{id}/share/', (within, { caller, params, body, network }) =>
    countFailures(
      within.limits,
      [
        [FAILED_BY_USER, String(caller.userId)],
        [FAILED_BY_NETWORK, network],
      ],
      () => shares.shareAsset(within, caller.userId, params.id, body),
    ),
  );
  route(app, deps, 'PATCH /api/assets/{id}/share/{share_id}/', (within, { caller, params, body }) =>
    shares.changeShare(
      within,
      { ownerId: caller.userId, assetId: params.id, shareId: params.share_id },
      body.monthly_hours_allocated,
    ),
  );
  route(app, deps, 'DELETE /api/assets/{id}/share/{share_id}/', (within, { caller, params }) =>
    shares.endShare(within, { ownerId: caller.userId, assetId: params.id, shareId: params.share_id }),
  );
  route(app, deps, 'GET /api/shared-assets/', (within, { caller, query }) =>
    shares.listShares(within, caller.userId, query),
  );
  route(app, deps, 'GET /api/shared-assets/{id}/', (within, { caller, params }) =>
    shares.sharedAsset(within, caller.userId, params.id),
  );
}
