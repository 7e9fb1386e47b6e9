import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../deps.ts';
import type { Limit } from '../../platform/http/rate-limits.ts';
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

  route(app, deps, 'POST /api/login/', async (within, { body, network, device }) => {
    const account = `${network} ${body.username.toLowerCase()}`;
    // Taken before the password is compared, and given back on success: a burst in parallel counts in full.
    const refused = within.limits.take(LOGIN_BY_ACCOUNT, account) ?? within.limits.take(LOGIN_BY_NETWORK, network);
    if (refused) return refused;
    const result = await accounts.login(within, body, device);
    if (result.ok) {
      within.limits.giveBack(LOGIN_BY_ACCOUNT, account);
      within.limits.giveBack(LOGIN_BY_NETWORK, network);
    }
    return result;
  });

  route(app, deps, 'POST /api/token/refresh/', (within, { body }) => accounts.refresh(within, body.refresh));
  route(app, deps, 'POST /api/logout/', (within, { body }) => accounts.logout(within, body.refresh_token));
  route(app, deps, 'PATCH /api/me/', (within, { caller, body }) => accounts.updateMe(within, caller.userId, body));

  route(app, deps, 'POST /api/me/password/', async (within, { caller, body }) => {
    const user = String(caller.userId);
    const refused = within.limits.take(PASSWORD_BY_USER, user);
    if (refused) return refused;
    const result = await accounts.changePassword(within, caller, body);
    if (result.ok) within.limits.giveBack(PASSWORD_BY_USER, user);
    return result;
  });

  route(app, deps, 'GET /api/me/', (within, { caller }) => accounts.me(within, caller.userId));
}
