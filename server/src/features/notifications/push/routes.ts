import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../../deps.ts';
import { route } from '../../../platform/http/route.ts';
import * as push from './service.ts';

export function pushRoutes(app: FastifyInstance, appDeps: Deps): void {
  route(app, appDeps, 'GET /api/push/', (deps) => push.readPublicKey(deps));
  route(app, appDeps, 'POST /api/push/subscriptions/', (deps, { caller, body }) => push.subscribe(deps, caller, body));
  route(app, appDeps, 'DELETE /api/push/subscriptions/{id}/', (deps, { caller, params }) =>
    push.unsubscribe(deps, caller.userId, params.id),
  );
}
