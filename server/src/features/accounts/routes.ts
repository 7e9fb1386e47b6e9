import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../deps.ts';
import type { Limit } from '../../platform/http/rate-limits.ts';
import { route } from '../../platform/http/route.ts';
import { limitGuesses } from '../sign-ins/passwords/service.ts';
import { me } from '../users/service.ts';
import * as accounts from './service.ts';

// A failed change of email address reveals that it is taken.
const EMAIL_BY_USER: Limit = { name: 'email by user', max: 20, windowSeconds: 3600 };
const EMAIL_BY_NETWORK: Limit = { name: 'email by network', max: 60, windowSeconds: 3600 };

export function accountRoutes(app: FastifyInstance, appDeps: Deps): void {
  route(app, appDeps, 'GET /api/me/', (deps, { caller }) => me(deps, caller.userId));

  route(app, appDeps, 'PATCH /api/me/', (deps, { caller, body, network, client }) => {
    const update = () => accounts.updateMe(deps, caller, body, client);
    if (body.email === undefined) return update();
    const { userId } = caller;
    const more: [Limit, string][] = [
      [EMAIL_BY_USER, String(userId)],
      [EMAIL_BY_NETWORK, network],
    ];
    return limitGuesses(deps, { userId, by: client, more }, update);
  });

  route(app, appDeps, 'DELETE /api/me/', (deps, { caller, body, client }) =>
    limitGuesses(deps, { userId: caller.userId, by: client }, () => accounts.deleteMe(deps, caller, body, client)),
  );
}
