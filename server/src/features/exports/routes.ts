import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../deps.ts';
import type { Limit } from '../../platform/http/rate-limits.ts';
import { route } from '../../platform/http/route.ts';
import { ok } from '../../platform/result.ts';
import { beginExport, csvExport, jsonExport } from './service.ts';

// An export reads everything, and an interrupted one may be retried.
const EXPORT_BY_USER: Limit = { name: 'export by user', max: 6, windowSeconds: 3600 };

export function exportRoutes(app: FastifyInstance, appDeps: Deps): void {
  for (const [key, make] of [
    ['GET /api/me/export/', jsonExport],
    ['GET /api/me/export/csv/', csvExport],
  ] as const)
    route(app, appDeps, key, async (deps, { caller, client }) => {
      const { userId } = caller;
      const refused = deps.limits.take(EXPORT_BY_USER, String(userId));
      if (refused) return refused;
      // The account is read first: once the file has begun, a failure can only cut it off.
      const user = await beginExport(deps, userId, client);
      return user.ok ? ok(make(deps, { user: user.value, caller })) : user;
    });
}
