import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../../deps.ts';
import { countFailures } from '../../../platform/http/rate-limits.ts';
import { route } from '../../../platform/http/route.ts';
import { CHALLENGES_BY_NETWORK } from '../passkeys/rules.ts';
import { REGISTER_BY_NETWORK } from './rules.ts';
import { register, startRegistration } from './service.ts';

export function registrationRoutes(app: FastifyInstance, appDeps: Deps): void {
  route(app, appDeps, 'POST /api/register/', async (deps, { body, network, client, origin, setCookie }) => {
    const refused = deps.limits.take(REGISTER_BY_NETWORK, network);
    if (refused) return refused;
    const result = await register(deps, body, { ...client, origin });
    if (result.ok) setCookie(deps.knownDevices.remember(body.username, network));
    return result;
  });

  route(app, appDeps, 'POST /api/register/passkey/options/', async (deps, { body, network, origin }) => {
    const refused = deps.limits.take(CHALLENGES_BY_NETWORK, network);
    if (refused) return refused;
    return countFailures(deps.limits, [[REGISTER_BY_NETWORK, network]], () => startRegistration(deps, body, origin));
  });
}
