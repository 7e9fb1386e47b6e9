import { ProviderName } from '@hourshare/contract/sign-ins';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../../deps.ts';
import { countFailures, type Limit } from '../../../platform/http/rate-limits.ts';
import { route } from '../../../platform/http/route.ts';
import { REGISTER_BY_NETWORK } from '../registration/rules.ts';
import { CODE_FAILURES } from '../rules.ts';
import * as providers from './service.ts';

// Each call makes the server contact the provider or write to the database.
const STARTS_BY_NETWORK: Limit = { name: 'provider starts by network', max: 60, windowSeconds: 300 };
const FINISHES_BY_NETWORK: Limit = { name: 'provider answers by network', max: 60, windowSeconds: 300 };
const TICKETS_BY_USER: Limit = { name: 'provider tickets by user', max: 20, windowSeconds: 3600 };

export function providerRoutes(app: FastifyInstance, appDeps: Deps): void {
  // A page that providers redirect browsers to.
  app.get<{ Params: { provider: string } }>('/sign-in/:provider', { schema: { hide: true } }, (request, reply) => {
    const [, query = ''] = /\?(.+)$/.exec(request.url) ?? [];
    const provider = ProviderName.safeParse(request.params.provider);
    if (query === '' || !provider.success) return reply.callNotFound();
    return reply.header('cache-control', 'no-store').redirect(providers.pageOfAnswer(provider.data, query), 303);
  });

  route(app, appDeps, 'POST /api/providers/start/', async (deps, { body, network, cookies, setCookie }) => {
    const refused = deps.limits.take(STARTS_BY_NETWORK, network);
    if (refused) return refused;
    const { browser, setCookie: cookie } = deps.browsers.name(cookies);
    const result = await providers.startProvider(deps, body, browser);
    if (result.ok) setCookie(cookie);
    return result;
  });

  route(app, appDeps, 'POST /api/providers/finish/', async (deps, { body, network, client, cookies, setCookie }) => {
    const refused = deps.limits.take(FINISHES_BY_NETWORK, network);
    if (refused) return refused;
    const browser = deps.browsers.recognize(cookies);
    const result = await providers.finishProvider(deps, body, browser, client);
    if (result.ok && result.value.signed_in)
      setCookie(deps.knownDevices.remember(result.value.signed_in.user.username, network));
    return result;
  });

  route(app, appDeps, 'POST /api/providers/sign-in/', async (deps, { body, network, client, cookies, setCookie }) => {
    const refused = deps.limits.take(FINISHES_BY_NETWORK, network);
    if (refused) return refused;
    const browser = deps.browsers.recognize(cookies);
    const result = await providers.signInWithTicket(deps, body, browser, client);
    if (result.ok) setCookie(deps.knownDevices.remember(result.value.user.username, network));
    return result;
  });

  route(app, appDeps, 'POST /api/providers/register/', async (deps, { body, network, client, cookies, setCookie }) => {
    const refused = deps.limits.take(REGISTER_BY_NETWORK, network);
    if (refused) return refused;
    const browser = deps.browsers.recognize(cookies);
    const result = await providers.registerWithProvider(deps, body, browser, client);
    if (result.ok) setCookie(deps.knownDevices.remember(body.username, network));
    return result;
  });

  route(app, appDeps, 'GET /api/me/identities/', (deps, { caller }) => providers.listIdentities(deps, caller.userId));

  route(app, appDeps, 'POST /api/me/identities/', (deps, { caller, body, client, cookies }) => {
    const proof = { ticket: body.ticket, browser: deps.browsers.recognize(cookies), client };
    return countFailures(deps.limits, [[TICKETS_BY_USER, String(caller.userId)]], () =>
      providers.connectProvider(deps, caller, proof),
    );
  });

  route(app, appDeps, 'POST /api/me/check/provider/', (deps, { caller, body, client, cookies }) => {
    const by = { browser: deps.browsers.recognize(cookies), client };
    return countFailures(
      deps.limits,
      [[TICKETS_BY_USER, String(caller.userId)]],
      () => providers.checkWithProvider(deps, caller, body, by),
      (failure) => !CODE_FAILURES.has(failure.code),
    );
  });

  route(app, appDeps, 'DELETE /api/me/identities/{id}/', (deps, { caller, params, client }) =>
    providers.disconnectProvider(deps, caller, params.id, client),
  );
}
