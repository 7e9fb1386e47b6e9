import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../../deps.ts';
import { countFailures, type Limit } from '../../../platform/http/rate-limits.ts';
import { route } from '../../../platform/http/route.ts';
import * as twoStep from './service.ts';

// Otherwise, someone at an unlocked device could guess codes of a key that the user has just created.
const CONFIRM_BY_USER: Limit = { name: 'two-step codes by user', max: 10, windowSeconds: 900 };

export function twoStepRoutes(app: FastifyInstance, appDeps: Deps): void {
  route(app, appDeps, 'GET /api/me/two-step/', (deps, { caller }) => twoStep.readTwoStep(deps, caller.userId));
  route(app, appDeps, 'POST /api/me/two-step/', (deps, { caller }) => twoStep.createKey(deps, caller.userId));
  route(app, appDeps, 'POST /api/me/two-step/confirm/', (deps, { caller, body, client }) =>
    countFailures(deps.limits, [[CONFIRM_BY_USER, String(caller.userId)]], () =>
      twoStep.confirmKey(deps, caller, body.code, client),
    ),
  );
  route(app, appDeps, 'POST /api/me/two-step/recovery-codes/', (deps, { caller, client }) =>
    twoStep.renewRecoveryCodes(deps, caller, client),
  );
  route(app, appDeps, 'DELETE /api/me/two-step/', (deps, { caller, client }) =>
    twoStep.switchTwoStepOff(deps, caller, client),
  );
}
