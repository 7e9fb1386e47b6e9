import { USERNAME_MAX_LENGTH } from '@hourshare/contract/limits';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../deps.ts';
import { countFailures, type Limit } from '../../platform/http/rate-limits.ts';
import { route } from '../../platform/http/route.ts';
import * as accounts from './service.ts';

// Failed attempts count, on one account from one network: so nobody can lock an owner out from elsewhere.
const LOGIN_BY_ACCOUNT: Limit = { name: 'login by account', max: 10, windowSeconds: 300 };
const LOGIN_BY_NETWORK: Limit = { name: 'login by network', max: 100, windowSeconds: 300 };
// Whoever holds a stolen access token must not be able to try out passwords with it.
const PASSWORD_BY_USER: Limit = { name: 'password by user', max: 10, windowSeconds: 300 };
// Every registration tells whether a name is taken, so every one counts.
const REGISTER_BY_NETWORK: Limit = { name: 'register', max: 20, windowSeconds: 3600 };

export function accountRoutes(app: FastifyInstance, deps: Deps): void {
  route(app, deps, 'POST /api/register/', async (within, { body, network, device }) => {
    const refused = within.limits.take(REGISTER_BY_NETWORK, network);
    return refused ?? accounts.register(within, body, device);
  });

  route(app, deps, 'POST /api/login/', (within, { body, network, device }) => {
    // Names too long for anybody count as one: kept as sent, they would fill the memory.
    const name = body.username.toLowerCase().slice(0, USERNAME_MAX_LENGTH + 1);
    return countFailures(
      within.limits,
      [
        [LOGIN_BY_ACCOUNT, `${network} ${name}`],
        [LOGIN_BY_NETWORK, network],
      ],
      () => accounts.login(within, body, device),
    );
  });

  route(app, deps, 'POST /api/token/refresh/', (within, { body }) => accounts.refresh(within, body.refresh));
  route(app, deps, 'POST /api/logout/', (within, { body }) => accounts.logout(within, body.refresh_token));
  route(app, deps, 'PATCH /api/me/', (within, { caller, body }) => accounts.updateMe(within, caller.userId, body));

  route(app, deps, 'POST /api/me/password/', (within, { caller, body }) =>
    countFailures(within.limits, [[PASSWORD_BY_USER, String(caller.userId)]], () =>
      accounts.changePassword(within, caller, body),
    ),
  );

  route(app, deps, 'GET /api/me/', (within, { caller }) => accounts.me(within, caller.userId));
}
