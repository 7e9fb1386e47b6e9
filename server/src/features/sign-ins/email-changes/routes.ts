import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../../deps.ts';
import { countFailures, type Limit } from '../../../platform/http/rate-limits.ts';
import { route } from '../../../platform/http/route.ts';
import { me } from '../../users/service.ts';
import * as changes from './service.ts';

// Tokens can't be guessed; this limits the load that guessing puts on the database.
const FAILED_BY_NETWORK: Limit = { name: 'email change links by network', max: 60, windowSeconds: 3600 };

export function emailChangeRoutes(app: FastifyInstance, appDeps: Deps): void {
  route(app, appDeps, 'DELETE /api/me/email-change/', async (deps, { caller }) => {
    await changes.cancelEmailChange(deps, caller.userId);
    return me(deps, caller.userId);
  });
  route(app, appDeps, 'POST /api/me/email-change/confirm/', (deps, { body, bearer, network, client }) =>
    countFailures(deps.limits, [[FAILED_BY_NETWORK, network]], () =>
      changes.confirmEmailChange(deps, { token: body.token, access: bearer }, client),
    ),
  );
}
