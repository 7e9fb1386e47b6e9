import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../../deps.ts';
import type { Limit } from '../../../platform/http/rate-limits.ts';
import { route } from '../../../platform/http/route.ts';
import * as tokens from './service.ts';

// No one has this many scripts.
const CREATED_BY_USER: Limit = { name: 'access tokens by user', max: 60, windowSeconds: 3600 };

export function accessTokenRoutes(app: FastifyInstance, appDeps: Deps): void {
  route(app, appDeps, 'GET /api/me/access-tokens/', (deps, { caller }) => tokens.listTokens(deps, caller.userId));
  route(app, appDeps, 'POST /api/me/access-tokens/', async (deps, { caller, body, client }) => {
    const refused = deps.limits.take(CREATED_BY_USER, String(caller.userId));
    return refused ?? tokens.createToken(deps, caller, body, client);
  });
  route(app, appDeps, 'DELETE /api/me/access-tokens/{id}/', (deps, { caller, params, client }) =>
    tokens.revokeToken(deps, { userId: caller.userId, id: params.id }, client),
  );
}
