import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../../deps.ts';
import { route } from '../../../platform/http/route.ts';
import * as signIns from './service.ts';

export function signInRoutes(app: FastifyInstance, appDeps: Deps): void {
  route(app, appDeps, 'GET /api/me/sign-ins/', (deps, { caller }) => signIns.listSignIns(deps, caller));
  route(app, appDeps, 'PATCH /api/me/sign-ins/{id}/', (deps, { caller, params, body }) =>
    signIns.nameSignIn(deps, caller, { id: params.id, name: body.name }),
  );
  route(app, appDeps, 'DELETE /api/me/sign-ins/{id}/', (deps, { caller, params, client }) =>
    signIns.endSignIn(deps, caller, params.id, client),
  );
  route(app, appDeps, 'DELETE /api/me/sign-ins/', (deps, { caller, client }) =>
    signIns.endOtherSignIns(deps, caller, client),
  );
}
