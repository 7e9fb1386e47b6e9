import { fileURLToPath } from 'node:url';
import { BODY_MAX_BYTES } from '@hourshare/contract/limits';
import Fastify, { type FastifyInstance } from 'fastify';
import { servesHttps } from './config.ts';
import type { Deps } from './deps.ts';
import { accountRoutes } from './features/accounts/routes.ts';
import { createIdentify, keptAnswers } from './features/accounts/service.ts';
import { analyticsRoutes } from './features/analytics/routes.ts';
import { assetRoutes } from './features/assets/routes.ts';
import { insightRoutes } from './features/insights/routes.ts';
import { periodRoutes } from './features/periods/routes.ts';
import { extendPeriods, handleAssetEvents as connectPeriods } from './features/periods/service.ts';
import { sessionRoutes } from './features/sessions/routes.ts';
import { handleAssetAndShareEvents as connectSessions } from './features/sessions/service.ts';
import { settlementRoutes } from './features/settlements/routes.ts';
import { handleShareEvents as connectSettlements } from './features/settlements/service.ts';
import { invitationRoutes } from './features/shares/invitations/routes.ts';
import { handleAccountEvents as connectInvitations } from './features/shares/invitations/service.ts';
import { peopleRoutes } from './features/shares/people/routes.ts';
import { handleAccountEvents as connectPeople } from './features/shares/people/service.ts';
import { shareRoutes } from './features/shares/routes.ts';
import { handleAssetEvents as connectShares } from './features/shares/service.ts';
import { statementRoutes } from './features/statements/routes.ts';
import { handleAssetEvents as connectStatements } from './features/statements/service.ts';
import { handlePeriodEvents as connectUsage } from './features/usage/service.ts';
import { serveAbout } from './platform/http/about.ts';
import { serveApiDocs } from './platform/http/api-docs.ts';
import { authenticateCallers } from './platform/http/authentication.ts';
import { acceptJson } from './platform/http/bodies.ts';
import { drainBeforeClosing } from './platform/http/draining.ts';
import { handleErrors } from './platform/http/error-handler.ts';
import { serveHealth, type Readiness } from './platform/http/health.ts';
import { keepAnswers } from './platform/http/idempotency.ts';
import { handlePipelinedInOrder } from './platform/http/pipelining.ts';
import { securityHeaders, setSecurityHeaders } from './platform/http/security-headers.ts';
import { serveApp } from './platform/http/static-files.ts';
import { refuseForNode, serverOptions } from './platform/http/server-options.ts';
import { warnAboutUntrustedProxies } from './platform/http/untrusted-proxies.ts';

export interface AppOptions {
  readiness?: Readiness;
  /** The folder of the built web app; without it, only the API is served. */
  webDir?: string;
}

/** The output folder of the web build, relative to this file's own build. */
export const builtWebDir = fileURLToPath(new URL('../../web/dist', import.meta.url));

/** Connects features to the events of features below them. Call it once per set of dependencies. */
export function connectFeatures(deps: Deps): void {
  connectPeriods(deps);
  connectUsage(deps);
  connectShares(deps);
  connectInvitations(deps);
  connectPeople(deps);
  connectSessions(deps);
  connectStatements(deps);
  connectSettlements(deps);
}

/**
 * Builds the app, ready to listen or to receive injected requests: first the platform, then the features, in this
 * order.
 */
export async function buildApp(deps: Deps, options: AppOptions = {}): Promise<FastifyInstance> {
  const headers = securityHeaders({ https: servesHttps(deps.config) });
  const app = Fastify({
    ...serverOptions(headers),
    loggerInstance: deps.log,
    bodyLimit: BODY_MAX_BYTES,
    trustProxy: deps.config.TRUST_PROXY ?? false,
  });
  handleErrors(app);
  acceptJson(app);
  const readiness = options.readiness ?? { draining: false };
  handlePipelinedInOrder(app);
  drainBeforeClosing(app, readiness, deps.passwords);
  setSecurityHeaders(app, headers);
  refuseForNode(app);
  warnAboutUntrustedProxies(app);
  const identify = createIdentify(deps);
  authenticateCallers(app, async (token) => {
    const caller = await identify(token);
    // Any request may read an asset's current period.
    if (caller) await extendPeriods(deps);
    return caller;
  });
  keepAnswers(app, keptAnswers);

  accountRoutes(app, deps);
  assetRoutes(app, deps);
  periodRoutes(app, deps);
  shareRoutes(app, deps);
  invitationRoutes(app, deps);
  peopleRoutes(app, deps);
  sessionRoutes(app, deps);
  analyticsRoutes(app, deps);
  statementRoutes(app, deps);
  settlementRoutes(app, deps);
  insightRoutes(app, deps);

  const { CONTACT: contact = null, REGISTRATION: registration } = deps.config;
  serveAbout(app, deps, { contact, registration });
  await serveApiDocs(app);
  serveHealth(app, deps.db, readiness);
  await serveApp(app, { webDir: options.webDir, appUrl: deps.config.APP_URL });
  await app.ready();
  return app;
}
