import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../deps.ts';
import { countFailures, type Limit } from '../../platform/http/rate-limits.ts';
import { route } from '../../platform/http/route.ts';
import * as allowances from './allowances/service.ts';
import * as endings from './endings/service.ts';
import * as offers from './offers/service.ts';
import * as shares from './service.ts';
import * as trustedOwners from './trusted-owners/service.ts';

// The 404 that the specification asks for reveals whether a username exists. Only failed attempts count, so adding
// members stays unlimited while guessing usernames does not.
const FAILED_BY_USER: Limit = { name: 'share by user', max: 20, windowSeconds: 3600 };
const FAILED_BY_NETWORK: Limit = { name: 'share by network', max: 60, windowSeconds: 3600 };

const guesses = (userId: number, network: string): [Limit, string][] => [
  [FAILED_BY_USER, String(userId)],
  [FAILED_BY_NETWORK, network],
];

export function shareRoutes(app: FastifyInstance, appDeps: Deps): void {
  route(app, appDeps, 'POST /api/assets/{id}/share/', (deps, { caller, params, body, network }) =>
    countFailures(deps.limits, guesses(caller.userId, network), () =>
      offers.shareAsset(deps, caller.userId, params.id, body),
    ),
  );
  route(app, appDeps, 'PATCH /api/assets/{id}/share/{share_id}/', (deps, { caller, params, body, client }) =>
    allowances.changeShare(deps, { userId: caller.userId, assetId: params.id, shareId: params.share_id }, body, client),
  );
  route(app, appDeps, 'DELETE /api/assets/{id}/share/{share_id}/', (deps, { caller, params }) =>
    endings.endShare(deps, { userId: caller.userId, assetId: params.id, shareId: params.share_id }),
  );
  route(app, appDeps, 'GET /api/shared-assets/', (deps, { caller, query }) =>
    shares.listShares(deps, caller.userId, query),
  );
  route(app, appDeps, 'GET /api/shared-assets/{id}/', (deps, { caller, params }) =>
    shares.sharedAsset(deps, caller.userId, params.id),
  );
  route(app, appDeps, 'POST /api/shared-assets/{id}/accept/', (deps, { caller, params, body }) =>
    offers.acceptOffer(deps, caller.userId, params.id, body),
  );
  route(app, appDeps, 'POST /api/shared-assets/{id}/agree/', (deps, { caller, params, body }) =>
    offers.agree(deps, caller.userId, params.id, body.terms),
  );
  route(app, appDeps, 'POST /api/assets/{id}/share/{share_id}/confirm/', (deps, { caller, params }) =>
    allowances.confirmShare(deps, { userId: caller.userId, assetId: params.id, shareId: params.share_id }),
  );
  route(app, appDeps, 'POST /api/shared-assets/{id}/decline/', (deps, { caller, params }) =>
    offers.declineOffer(deps, caller.userId, params.id),
  );
  route(app, appDeps, 'POST /api/shared-assets/{id}/leave/', (deps, { caller, params }) =>
    endings.leaveShare(deps, caller.userId, params.id),
  );
  route(app, appDeps, 'GET /api/trusted-owners/', (deps, { caller, query }) =>
    trustedOwners.listTrustedOwners(deps, caller.userId, query),
  );
  route(app, appDeps, 'POST /api/trusted-owners/', (deps, { caller, body, network }) =>
    countFailures(deps.limits, guesses(caller.userId, network), () =>
      trustedOwners.trustOwner(deps, caller.userId, body),
    ),
  );
  route(app, appDeps, 'DELETE /api/trusted-owners/{username}/', (deps, { caller, params }) =>
    trustedOwners.distrustOwner(deps, caller.userId, params.username),
  );
}
