import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../deps.ts';
import type { IdentifiedCaller } from '../../platform/http/authentication.ts';
import type { Client } from '../../platform/http/client.ts';
import type { Limit } from '../../platform/http/rate-limits.ts';
import { route } from '../../platform/http/route.ts';
import { ok } from '../../platform/result.ts';
import { listAccounts } from '../insights/installation/service.ts';
import * as administration from './service.ts';

// Both take time and room outside of the database.
const TEST_MAILS: Limit = { name: 'test mails by user', max: 10, windowSeconds: 3600 };
const BACKUPS: Limit = { name: 'backups by user', max: 10, windowSeconds: 3600 };

/** Only administrators get here. */
const by = ({ caller, client }: { caller: IdentifiedCaller; client: Client }) => ({
  ...client,
  administratorId: caller.userId,
});

export function administrationRoutes(app: FastifyInstance, appDeps: Deps): void {
  route(app, appDeps, 'GET /api/administration/', async (deps) => ok(await administration.readAdministration(deps)));
  route(app, appDeps, 'PATCH /api/administration/', (deps, { body, ...request }) =>
    administration.setRegistration(deps, body.registration, by(request)),
  );
  route(app, appDeps, 'POST /api/administration/invitations/', (deps, request) =>
    administration.invite(deps, by(request)),
  );
  route(
    app,
    appDeps,
    'POST /api/administration/test-mail/',
    async (deps, request) =>
      deps.limits.take(TEST_MAILS, String(request.caller.userId)) ?? administration.tryMail(deps, by(request)),
  );
  route(
    app,
    appDeps,
    'POST /api/administration/backups/',
    async (deps, request) =>
      deps.limits.take(BACKUPS, String(request.caller.userId)) ?? administration.makeBackup(deps, by(request)),
  );
  route(app, appDeps, 'GET /api/administration/accounts/', (deps, { query }) => listAccounts(deps, query));
  route(app, appDeps, 'PATCH /api/administration/accounts/{id}/', (deps, { params, body, ...request }) =>
    administration.setDisabled(deps, { userId: params.id, disabled: body.disabled }, by(request)),
  );
  route(app, appDeps, 'POST /api/administration/accounts/{id}/reset-link/', (deps, { params, ...request }) =>
    administration.makeResetLink(deps, params.id, by(request)),
  );
}
