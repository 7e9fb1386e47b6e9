import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../../deps.ts';
import { countFailures, type Limit } from '../../../platform/http/rate-limits.ts';
import { route } from '../../../platform/http/route.ts';
import * as recovery from './service.ts';

// By address, whether or not an account has it, so that no mailbox is flooded.
const RESETS_BY_ADDRESS: Limit = { name: 'password resets by address', max: 5, windowSeconds: 3600 };
const RESETS_BY_NETWORK: Limit = { name: 'password resets by network', max: 20, windowSeconds: 3600 };
// Tokens can't be guessed; this limits the load that guessing puts on the database.
const FAILED_BY_NETWORK: Limit = { name: 'password reset links by network', max: 60, windowSeconds: 3600 };

export function recoveryRoutes(app: FastifyInstance, appDeps: Deps): void {
  route(app, appDeps, 'POST /api/password-reset/', async (deps, { body, network, client }) => {
    const refused =
      deps.limits.take(RESETS_BY_NETWORK, network) ?? deps.limits.take(RESETS_BY_ADDRESS, body.email.toLowerCase());
    return refused ?? recovery.requestReset(deps, body.email, client);
  });
  route(app, appDeps, 'POST /api/password-reset/confirm/', (deps, { body, network, client }) =>
    countFailures(deps.limits, [[FAILED_BY_NETWORK, network]], () => recovery.confirmReset(deps, body, client)),
  );
}
