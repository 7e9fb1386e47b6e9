import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../deps.ts';
import { route } from '../../platform/http/route.ts';
import { listSecurityEvents } from './service.ts';

export function securityEventRoutes(app: FastifyInstance, appDeps: Deps): void {
  route(app, appDeps, 'GET /api/me/security-events/', (deps, { caller, query }) =>
    listSecurityEvents(deps, caller.userId, query),
  );
}
