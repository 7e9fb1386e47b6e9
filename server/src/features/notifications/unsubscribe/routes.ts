import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../../deps.ts';
import { acceptForms } from '../../../platform/http/bodies.ts';
import type { Limit } from '../../../platform/http/rate-limits.ts';
import { route } from '../../../platform/http/route.ts';
import * as links from './service.ts';

// Mail services unsubscribe many of their users from few networks.
const UNSUBSCRIBE_BY_NETWORK: Limit = { name: 'unsubscribe by network', max: 300, windowSeconds: 300 };

export function unsubscribeRoutes(app: FastifyInstance, appDeps: Deps): void {
  // In its own context, so that no other call accepts forms, which any website can send.
  app.register(async (context) => {
    acceptForms(context);
    route(
      context,
      appDeps,
      'GET /api/unsubscribe/{token}/',
      async (deps, { params, network }) =>
        deps.limits.take(UNSUBSCRIBE_BY_NETWORK, network) ?? links.readUnsubscribe(deps, params.token),
    );
    route(
      context,
      appDeps,
      'POST /api/unsubscribe/{token}/',
      async (deps, { params, network }) =>
        deps.limits.take(UNSUBSCRIBE_BY_NETWORK, network) ?? links.unsubscribe(deps, params.token),
    );
  });
}
