import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../../deps.ts';
import { countFailures, type Limit } from '../../../platform/http/rate-limits.ts';
import { route } from '../../../platform/http/route.ts';
import { REGISTER_BY_NETWORK } from '../rules.ts';
import { loginWithPasskey, removePassword, startRegistration } from '../service.ts';
import * as passkeys from './service.ts';

// For every sign-in page, which requests a challenge, and for passkeys of new accounts. Challenges aren't stored.
const CHALLENGES_BY_NETWORK: Limit = { name: 'passkey challenges by network', max: 600, windowSeconds: 300 };
// Keys can't be guessed; these limit the load that guessing puts on the server.
const LOGIN_BY_NETWORK: Limit = { name: 'passkey login by network', max: 100, windowSeconds: 300 };
const FAILED_BY_USER: Limit = { name: 'passkey by user', max: 30, windowSeconds: 300 };

export function passkeyRoutes(app: FastifyInstance, appDeps: Deps): void {
  route(app, appDeps, 'POST /api/register/passkey/options/', async (deps, { body, network, origin }) => {
    const refused = deps.limits.take(CHALLENGES_BY_NETWORK, network);
    if (refused) return refused;
    return countFailures(deps.limits, [[REGISTER_BY_NETWORK, network]], () => startRegistration(deps, body, origin));
  });

  route(app, appDeps, 'POST /api/login/passkey/options/', async (deps, { network, origin }) => {
    const refused = deps.limits.take(CHALLENGES_BY_NETWORK, network);
    return refused ?? passkeys.signInOptions(deps, origin);
  });

  route(app, appDeps, 'POST /api/login/passkey/', async (deps, { body, network, client, origin, setCookie }) => {
    const result = await countFailures(deps.limits, [[LOGIN_BY_NETWORK, network]], () =>
      loginWithPasskey(deps, body.passkey, { ...client, origin }),
    );
    if (result.ok) setCookie(deps.knownDevices.remember(result.value.user.username, network));
    return result;
  });

  route(app, appDeps, 'POST /api/me/check/passkey/options/', (deps, { caller, origin }) =>
    passkeys.checkOptions(deps, caller, origin),
  );

  route(app, appDeps, 'POST /api/me/check/passkey/', (deps, { caller, body, origin, client }) =>
    countFailures(deps.limits, [[FAILED_BY_USER, String(caller.userId)]], () =>
      passkeys.checkPasskey(deps, caller, body.passkey, { ...client, origin }),
    ),
  );

  route(app, appDeps, 'DELETE /api/me/password/', (deps, { caller, client }) => removePassword(deps, caller, client));

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
