import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../deps.ts';
import { route } from '../../platform/http/route.ts';
import { importRows } from './imports/service.ts';
import * as meters from './service.ts';

const managerKey = ({ userId }: { userId: number }, { id, meter_id }: { id: number; meter_id: number }) => ({
  userId,
  assetId: id,
  meterId: meter_id,
});

const memberKey = ({ userId }: { userId: number }, { id, meter_id }: { id: number; meter_id: number }) => ({
  memberId: userId,
  shareId: id,
  meterId: meter_id,
});

export function meterRoutes(app: FastifyInstance, appDeps: Deps): void {
  route(app, appDeps, 'GET /api/assets/{id}/meters/', (deps, { caller, params }) =>
    meters.listMeters(deps, { userId: caller.userId, assetId: params.id }),
  );
  route(app, appDeps, 'POST /api/assets/{id}/meters/', (deps, { caller, params, body }) =>
    meters.createMeter(deps, { userId: caller.userId, assetId: params.id }, body),
  );
  route(app, appDeps, 'PATCH /api/assets/{id}/meters/{meter_id}/', (deps, { caller, params, body }) =>
    meters.updateMeter(deps, managerKey(caller, params), body),
  );
  route(app, appDeps, 'DELETE /api/assets/{id}/meters/{meter_id}/', (deps, { caller, params }) =>
    meters.deleteMeter(deps, managerKey(caller, params)),
  );
  route(app, appDeps, 'POST /api/assets/{id}/meters/{meter_id}/token/', (deps, { caller, params }) =>
    meters.replaceToken(deps, managerKey(caller, params)),
  );
  route(app, appDeps, 'PUT /api/assets/{id}/meters/{meter_id}/names/', (deps, { caller, params, body }) =>
    meters.matchNames(deps, managerKey(caller, params), body),
  );
  route(app, appDeps, 'POST /api/assets/{id}/meters/{meter_id}/imports/', (deps, { caller, params, body }) =>
    importRows(deps, managerKey(caller, params), body),
  );
  route(app, appDeps, 'GET /api/shared-assets/{id}/meters/', (deps, { caller, params }) =>
    meters.listMemberMeters(deps, { memberId: caller.userId, shareId: params.id }),
  );
  route(app, appDeps, 'POST /api/shared-assets/{id}/meters/{meter_id}/', (deps, { caller, params, body }) =>
    meters.answerMeter(deps, memberKey(caller, params), body),
  );
  route(app, appDeps, 'POST /api/shared-assets/{id}/meters/{meter_id}/token/', (deps, { caller, params }) =>
    meters.createMemberToken(deps, memberKey(caller, params)),
  );
  route(app, appDeps, 'POST /api/meters/events/', (deps, { bearer, body }) =>
    meters.takeEvents(deps, bearer, body.events),
  );
}
