import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../deps.ts';
import { countFailures } from '../../platform/http/rate-limits.ts';
import { route } from '../../platform/http/route.ts';
import { FAILED_CLAIMS_BY_NETWORK } from '../shares/people/service.ts';
import * as closing from './closing/service.ts';
import * as estimates from './estimates/service.ts';
import * as preview from './preview/service.ts';
import * as replay from './replay/service.ts';
import * as reading from './reading/service.ts';
import { assetStatementsTable, monthStatementsTable, statementTable } from './wire.ts';

export function statementRoutes(app: FastifyInstance, appDeps: Deps): void {
  route(
    app,
    appDeps,
    'GET /api/assets/{id}/statements/',
    (deps, { caller, params, query }) => reading.listStatements(deps, caller.userId, params.id, query),
    assetStatementsTable,
  );
  route(
    app,
    appDeps,
    'GET /api/assets/{id}/statements/{month}/',
    (deps, { caller, params }) => reading.readStatement(deps, caller.userId, params.id, params.month),
    statementTable,
  );
  route(app, appDeps, 'POST /api/assets/{id}/statements/{month}/close/', (deps, { caller, params }) =>
    closing.closeMonth(deps, caller.userId, params.id, params.month),
  );
  route(app, appDeps, 'POST /api/assets/{id}/statements/{month}/confirm/', (deps, { caller, params }) =>
    closing.confirmMonth(deps, caller.userId, params.id, params.month),
  );
  route(app, appDeps, 'POST /api/assets/{id}/replay/', (deps, { caller, params, body }) =>
    replay.replayYear(deps, caller.userId, params.id, body),
  );
  route(app, appDeps, 'POST /api/shared-assets/{id}/replay/', (deps, { caller, params, body }) =>
    replay.replayShare(deps, caller.userId, params.id, body),
  );
  route(app, appDeps, 'POST /api/assets/{id}/split-preview/', (deps, { caller, params, body }) =>
    preview.previewSplit(deps, caller.userId, params.id, body),
  );
  route(app, appDeps, 'GET /api/claims/{token}/estimate/', (deps, { params, network }) =>
    countFailures(deps.limits, [[FAILED_CLAIMS_BY_NETWORK, network]], () =>
      estimates.claimEstimate(deps, params.token),
    ),
  );
  route(
    app,
    appDeps,
    'GET /api/statements/',
    (deps, { caller, query }) => reading.listAllStatements(deps, caller.userId, query),
    monthStatementsTable,
  );
}
