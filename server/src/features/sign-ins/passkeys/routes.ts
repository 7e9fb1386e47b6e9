import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../../deps.ts';
import { countFailures, type Limit } from '../../../platform/http/rate-limits.ts';
import { route } from '../../../platform/http/route.ts';
import { CHALLENGES_BY_NETWORK } from './rules.ts';
import * as passkeys from './service.ts';

// Keys can't be guessed; this limits the load that guessing puts on the server.
const FAILED_BY_USER: Limit = { name: 'passkey by user', max: 30, windowSeconds: 300 };

export function passkeyRoutes(app: FastifyInstance, appDeps: Deps): void {
  route(app, appDeps, 'POST /api/login/passkey/options/', async (deps, { network, origin }) => {
    const refused = deps.limits.take(CHALLENGES_BY_NETWORK, network);
    return refused ?? passkeys.signInOptions(deps, origin);
  });

  route(app, appDeps, 'POST /api/me/check/passkey/options/', (deps, { caller, origin }) =>
    passkeys.checkOptions(deps, caller, origin),
  );

  route(app, appDeps, 'POST /api/me/check/passkey/', (deps, { caller, body, origin, client }) =>
    countFailures(deps.limits, [[FAILED_BY_USER, String(caller.userId)]], () =>
      passkeys.checkPasskey(deps, caller, body.passkey, { ...client, origin }),
    ),
  );

  route(app, appDeps, 'GET /api/me/passkeys/', (deps, { caller }) => passkeys.listPasskeys(deps, caller.userId));

  route(app, appDeps, 'POST /api/me/passkeys/options/', (deps, { caller, origin }) =>
    passkeys.additionOptions(deps, caller, origin),
  );

  route(app, appDeps, 'POST /api/me/passkeys/', (deps, { caller, body, origin, client }) =>
    countFailures(deps.limits, [[FAILED_BY_USER, String(caller.userId)]], () =>
      passkeys.addPasskey(deps, caller, body, { ...client, origin }),
    ),
  );

  route(app, appDeps, 'PATCH /api/me/passkeys/{id}/', (deps, { caller, params, body }) =>
    passkeys.namePasskey(deps, caller.userId, { id: params.id, name: body.name }),
  );

  route(app, appDeps, 'DELETE /api/me/passkeys/{id}/', (deps, { caller, params, client }) =>
    passkeys.removePasskey(deps, caller, params.id, client),
  );
}
