import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../../deps.ts';
import { countFailures, type Limit } from '../../../platform/http/rate-limits.ts';
import { route } from '../../../platform/http/route.ts';
import * as invitations from './service.ts';

// Tokens can't be guessed; this keeps anyone from trying at the database's expense. Every household opens a dead link at times.
const FAILED_BY_NETWORK: Limit = { name: 'invitation by network', max: 60, windowSeconds: 3600 };
// A user who passes on more than this is no household.
const CREATED_BY_USER: Limit = { name: 'invitations by user', max: 100, windowSeconds: 3600 };

export function invitationRoutes(app: FastifyInstance, appDeps: Deps): void {
  route(app, appDeps, 'POST /api/assets/{id}/invitations/', async (deps, { caller, params, body, origin }) => {
    const refused = deps.limits.take(CREATED_BY_USER, String(caller.userId));
    if (refused) return refused;
    const asset = { userId: caller.userId, assetId: params.id, origin };
    return invitations.createInvitation(deps, asset, body);
  });
  route(app, appDeps, 'DELETE /api/assets/{id}/invitations/{invitation_id}/', (deps, { caller, params }) =>
    invitations.revokeInvitation(deps, {
      userId: caller.userId,
      assetId: params.id,
      invitationId: params.invitation_id,
    }),
  );
  route(app, appDeps, 'GET /api/invitations/{token}/', (deps, { params, network }) =>
    countFailures(deps.limits, [[FAILED_BY_NETWORK, network]], () => invitations.readInvitation(deps, params.token)),
  );
  route(app, appDeps, 'POST /api/invitations/{token}/', (deps, { caller, params, body, network }) =>
    countFailures(deps.limits, [[FAILED_BY_NETWORK, network]], () =>
      invitations.acceptInvitation(deps, caller.userId, params.token, body),
    ),
  );
}
