import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../deps.ts';
import type { Limit } from '../../platform/http/rate-limits.ts';
import { route } from '../../platform/http/route.ts';
import { fail, ok } from '../../platform/result.ts';
import * as calendar from './service.ts';

// Calendar services read for many of their users from few networks, and each calendar every few hours.
const READS_BY_NETWORK: Limit = { name: 'calendars by network', max: 300, windowSeconds: 300 };
const READS_BY_USER: Limit = { name: 'calendar by user', max: 60, windowSeconds: 3600 };

const NO_LONGER_VALID = { english: 'This calendar address no longer works. Make a new one in Settings.' };

export function calendarRoutes(app: FastifyInstance, appDeps: Deps): void {
  route(app, appDeps, 'GET /api/me/calendar/', (deps, { caller }) => calendar.readCalendar(deps, caller.userId));
  route(app, appDeps, 'POST /api/me/calendar/', (deps, { caller, client }) =>
    calendar.makeAddress(deps, caller, client),
  );
  route(app, appDeps, 'DELETE /api/me/calendar/', async (deps, { caller, client }) => {
    await calendar.removeAddress(deps, caller.userId, client);
    return ok(undefined);
  });
  route(app, appDeps, 'GET /api/calendar/{token}.ics', async (deps, { params, network }) => {
    const flooded = deps.limits.take(READS_BY_NETWORK, network);
    if (flooded) return flooded;
    const reader = await calendar.findReader(deps, params.token);
    if (!reader) return fail('not_found', { sentence: NO_LONGER_VALID });
    return deps.limits.take(READS_BY_USER, String(reader.id)) ?? ok(await calendar.calendarFile(deps, reader));
  });
}
