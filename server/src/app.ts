import { fileURLToPath } from 'node:url';
import { ProviderName } from '@hourshare/contract/sign-ins';
import { BODY_MAX_BYTES } from '@hourshare/contract/limits';
import Fastify, { type FastifyInstance } from 'fastify';
import { servesHttps } from './config.ts';
import type { Deps } from './deps.ts';
import { administratorOf, defineMetrics as measureAccounts } from './features/accounts/administration/service.ts';
import { accountRoutes } from './features/accounts/routes.ts';
import { administrationRoutes } from './features/administration/routes.ts';
import { analyticsRoutes } from './features/analytics/routes.ts';
import { assetRoutes } from './features/assets/routes.ts';
import { calendarRoutes } from './features/calendar/routes.ts';
import { defineMails as defineBackupMails, defineMetrics as measureBackups } from './features/backups/daily/service.ts';
import { costRoutes } from './features/costs/routes.ts';
import { depositRoutes } from './features/deposits/routes.ts';
import { exportRoutes } from './features/exports/routes.ts';
import { insightRoutes } from './features/insights/routes.ts';
import { keptAnswers } from './features/kept-answers/service.ts';
import { defineMetrics as measureMail } from './features/mail/service.ts';
import { liveRoutes } from './features/notifications/live/routes.ts';
import { defineMetrics as measureLive } from './features/notifications/live/service.ts';
import { noticeRoutes } from './features/notifications/routes.ts';
import { defineMails as defineNoticeMails } from './features/notifications/notice-mails/service.ts';
import { pushRoutes } from './features/notifications/push/routes.ts';
import { defineMetrics as measurePushes } from './features/notifications/push/service.ts';
import { defineMails as defineReminders } from './features/notifications/reminders/service.ts';
import { targetRoutes } from './features/notifications/targets/routes.ts';
import { defineMetrics as measureTargets } from './features/notifications/targets/service.ts';
import { unsubscribeRoutes } from './features/notifications/unsubscribe/routes.ts';
import { priceRoutes } from './features/periods/prices/routes.ts';
import { renewalRoutes } from './features/periods/renewals/routes.ts';
import { extendPeriods } from './features/periods/upkeep/service.ts';
import { securityEventRoutes } from './features/security-events/routes.ts';
import { otlpRoutes } from './features/meters/otlp/routes.ts';
import { meterRoutes } from './features/meters/routes.ts';
import { refuseMeterToken } from './features/meters/senders/service.ts';
import { sessionRoutes } from './features/sessions/routes.ts';
import { defineMetrics as measureSessions } from './features/sessions/presses/service.ts';
import { settlementRoutes } from './features/settlements/routes.ts';
import { accessTokenRoutes } from './features/shares/access-tokens/routes.ts';
import { createIdentifyScript, isScriptToken, refuseScriptToken } from './features/shares/access-tokens/service.ts';
import { handoverRoutes } from './features/shares/handovers/routes.ts';
import { updateAccessInTime } from './features/shares/starts/service.ts';
import { invitationRoutes } from './features/shares/invitations/routes.ts';
import { peopleRoutes } from './features/shares/people/routes.ts';
import { shareRoutes } from './features/shares/routes.ts';
import { checkRoutes } from './features/sign-ins/checks/routes.ts';
import { deviceRoutes } from './features/sign-ins/devices/routes.ts';
import { emailChangeRoutes } from './features/sign-ins/email-changes/routes.ts';
import { defineMails as defineEmailChangeMails } from './features/sign-ins/email-changes/service.ts';
import { defineMails as defineFactorMails } from './features/sign-ins/factors/mail.ts';
import { passkeyRoutes } from './features/sign-ins/passkeys/routes.ts';
import { passkeyOrigin } from './features/sign-ins/passkeys/service.ts';
import { passwordRoutes } from './features/sign-ins/passwords/routes.ts';
import { providerRoutes } from './features/sign-ins/providers/routes.ts';
import { recoveryRoutes } from './features/sign-ins/recovery/routes.ts';
import { defineMails as defineRecoveryMails } from './features/sign-ins/recovery/service.ts';
import { registrationRoutes } from './features/sign-ins/registration/routes.ts';
import { registrationOf } from './features/sign-ins/registration/service.ts';
import { signInRoutes } from './features/sign-ins/routes.ts';
import { createIdentify } from './features/sign-ins/service.ts';
import { twoStepRoutes } from './features/sign-ins/two-step/routes.ts';
import { statementRoutes } from './features/statements/routes.ts';
import { defineMetrics as measureMonths } from './features/statements/closing/service.ts';
import { isUnavailable } from './platform/database/failure.ts';
import { serveAbout } from './platform/http/about.ts';
import { serveApiDocs } from './platform/http/api-docs.ts';
import { authenticateCallers } from './platform/http/authentication.ts';
import { acceptJson } from './platform/http/bodies.ts';
import { compressReads } from './platform/http/compression.ts';
import { drainBeforeClosing } from './platform/http/draining.ts';
import { handleErrors } from './platform/http/error-handler.ts';
import { serveHealth, type Readiness } from './platform/http/health.ts';
import { keepAnswers } from './platform/http/idempotency.ts';
import { measureReadiness, serveMetrics } from './platform/http/metrics.ts';
import { limitOpenRequests } from './platform/http/open-requests.ts';
import { createIsTrusted } from './platform/http/networks.ts';
import { handlePipelinedInOrder } from './platform/http/pipelining.ts';
import { logRefusals } from './platform/http/refusals.ts';
import { createRequestIds } from './platform/http/request-ids.ts';
import { observeRequests } from './platform/http/requests.ts';
import { securityHeaders, setSecurityHeaders } from './platform/http/security-headers.ts';
import { serveApp } from './platform/http/static-files.ts';
import { refuseForNode, serverOptions } from './platform/http/server-options.ts';
import { tlsServerFactory, type Credentials } from './platform/http/tls.ts';
import { warnAboutUntrustedProxies } from './platform/http/untrusted-proxies.ts';

export interface AppOptions {
  readiness?: Readiness;
  /** The folder of the built web app; without it, only the API is served. */
  webDir?: string;
  /** The certificate to speak HTTPS with; without it, the app speaks HTTP. */
  credentials?: Credentials | undefined;
}

/** The output folder of the web build, relative to this file's own build. */
export const builtWebDir = fileURLToPath(new URL('../../web/dist', import.meta.url));

/** Registers how features write messages and what they measure. Call once per set of dependencies. */
export function connectFeatures(deps: Deps): void {
  defineRecoveryMails(deps);
  defineEmailChangeMails(deps);
  defineFactorMails(deps);
  defineNoticeMails(deps);
  defineReminders(deps);
  defineBackupMails(deps);
  measureAccounts(deps);
  measureMail(deps);
  measureSessions(deps);
  measureMonths(deps);
  measureBackups(deps);
  measureLive(deps);
  measurePushes(deps);
  measureTargets(deps);
}

/** Returns who may create an account; anyone while the database is unavailable, so that pages can still show the contact. */
async function shownRegistration(deps: Deps): ReturnType<typeof registrationOf> {
  try {
    return await registrationOf(deps);
  } catch (error) {
    if (isUnavailable(error)) return 'open';
    throw error;
  }
}

/**
 * Builds the app, ready to listen or to receive injected requests: first the platform, then the features, in this
 * order.
 */
export async function buildApp(deps: Deps, options: AppOptions = {}): Promise<FastifyInstance> {
  const headers = securityHeaders({ https: servesHttps(deps.config) });
  const bareOptions = serverOptions(headers.data);
  const isTrusted = deps.config.TRUST_PROXY && createIsTrusted(deps.config.TRUST_PROXY);
  const app = Fastify({
    ...bareOptions,
    ...(options.credentials && { serverFactory: tlsServerFactory(options.credentials, bareOptions) }),
    loggerInstance: deps.log,
    bodyLimit: BODY_MAX_BYTES,
    trustProxy: isTrusted ?? false,
    genReqId: createRequestIds(isTrusted),
  });
  handleErrors(app);
  logRefusals(app, deps, isScriptToken);
  acceptJson(app);
  const readiness = options.readiness ?? { draining: false };
  handlePipelinedInOrder(app);
  const metricsToken = deps.config.METRICS_TOKEN;
  observeRequests(app, { ...deps, metrics: metricsToken === undefined ? undefined : deps.metrics });
  // Before the requests are waited for, of which streams never end by themselves.
  app.addHook('preClose', async () => deps.streams.close());
  drainBeforeClosing(app, readiness, deps.passwords);
  setSecurityHeaders(app, headers);
  compressReads(app);
  limitOpenRequests(app);
  refuseForNode(app);
  warnAboutUntrustedProxies(app, isTrusted);
  const identify = createIdentify(deps);
  const identifyScript = createIdentifyScript(deps);
  authenticateCallers(
    app,
    async (token) => {
      const caller = await (isScriptToken(token) ? identifyScript(token) : identify(token));
      // Any request may read an asset's current period and its owner.
      if (caller) {
        await extendPeriods(deps);
        await updateAccessInTime(deps);
      }
      return caller;
    },
    (userId) => administratorOf(deps.db, userId),
    (token) => refuseScriptToken(token) ?? refuseMeterToken(token),
  );
  keepAnswers(app, keptAnswers);

  accountRoutes(app, deps);
  signInRoutes(app, deps);
  registrationRoutes(app, deps);
  passwordRoutes(app, deps);
  checkRoutes(app, deps);
  recoveryRoutes(app, deps);
  emailChangeRoutes(app, deps);
  deviceRoutes(app, deps);
  securityEventRoutes(app, deps);
  twoStepRoutes(app, deps);
  passkeyRoutes(app, deps);
  providerRoutes(app, deps);
  assetRoutes(app, deps);
  priceRoutes(app, deps);
  renewalRoutes(app, deps);
  shareRoutes(app, deps);
  handoverRoutes(app, deps);
  invitationRoutes(app, deps);
  peopleRoutes(app, deps);
  accessTokenRoutes(app, deps);
  sessionRoutes(app, deps);
  meterRoutes(app, deps);
  otlpRoutes(app, deps);
  costRoutes(app, deps);
  analyticsRoutes(app, deps);
  statementRoutes(app, deps);
  settlementRoutes(app, deps);
  depositRoutes(app, deps);
  calendarRoutes(app, deps);
  insightRoutes(app, deps);
  noticeRoutes(app, deps);
  unsubscribeRoutes(app, deps);
  pushRoutes(app, deps);
  targetRoutes(app, deps);
  exportRoutes(app, deps);
  administrationRoutes(app, deps);
  liveRoutes(app, deps);

  const about = {
    contact: deps.config.CONTACT ?? null,
    landing: deps.config.LANDING_PAGE === 'on',
    mail: deps.mailer !== undefined,
    providers: Object.entries(deps.providers).map(([name, { label }]) => ({ name: ProviderName.parse(name), label })),
  };
  serveAbout(app, deps, async (origin) => ({
    ...about,
    registration: await shownRegistration(deps),
    passkey_origin: passkeyOrigin(deps, origin),
  }));
  await serveApiDocs(app, headers.pages);
  serveHealth(app, deps.db, readiness);
  measureReadiness(deps.metrics, deps.db, readiness);
  serveMetrics(app, deps.metrics, metricsToken);
  await serveApp(app, { webDir: options.webDir, appUrl: deps.config.APP_URL, landing: about.landing });
  await app.ready();
  return app;
}
