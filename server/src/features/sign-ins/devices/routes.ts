import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../../deps.ts';
import { route } from '../../../platform/http/route.ts';
import * as devices from './service.ts';

export function deviceRoutes(app: FastifyInstance, appDeps: Deps): void {
  route(app, appDeps, 'GET /api/me/sign-ins/', (deps, { caller }) => devices.listSignIns(deps, caller));
  route(app, appDeps, 'PATCH /api/me/sign-ins/{id}/', (deps, { caller, params, body }) =>
    devices.nameSignIn(deps, caller, { id: params.id, name: body.name }),
  );
  route(app, appDeps, 'DELETE /api/me/sign-ins/{id}/', (deps, { caller, params, client }) =>
    devices.endSignIn(deps, caller, params.id, client),
  );
  route(app, appDeps, 'DELETE /api/me/sign-ins/', (deps, { caller, client }) =>
    devices.endOtherSignIns(deps, caller, client),
  );
}
