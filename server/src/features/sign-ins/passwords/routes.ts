import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../../deps.ts';
import { route } from '../../../platform/http/route.ts';
import { changePassword, limitGuesses, removePassword } from './service.ts';

export function passwordRoutes(app: FastifyInstance, appDeps: Deps): void {
  route(app, appDeps, 'POST /api/me/password/', (deps, { caller, body, client }) =>
    limitGuesses(deps, { userId: caller.userId, by: client }, () => changePassword(deps, caller, body, client)),
  );

  route(app, appDeps, 'DELETE /api/me/password/', (deps, { caller, client }) => removePassword(deps, caller, client));
}
