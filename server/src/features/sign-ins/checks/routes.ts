import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../../deps.ts';
import { route } from '../../../platform/http/route.ts';
import type { Failure } from '../../../platform/result.ts';
import { limitGuesses } from '../passwords/service.ts';
import { CODE_FAILURES } from '../rules.ts';
import { checkPassword, readCheck } from './service.ts';

export function checkRoutes(app: FastifyInstance, appDeps: Deps): void {
  route(app, appDeps, 'GET /api/me/check/', (deps, { caller }) => readCheck(deps, caller));

  route(app, appDeps, 'POST /api/me/check/', (deps, { caller, body, client }) => {
    const counts = ({ code }: Failure) => !CODE_FAILURES.has(code);
    return limitGuesses(deps, { userId: caller.userId, by: client, counts }, () =>
      checkPassword(deps, caller, body, client),
    );
  });
}
