import { USERNAME_MAX_LENGTH } from '@hourshare/contract/limits';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../deps.ts';
import { countFailures, recordFirstRefusal, type Limit } from '../../platform/http/rate-limits.ts';
import { route } from '../../platform/http/route.ts';
import { ok } from '../../platform/result.ts';
import { invalidRefreshToken } from './errors.ts';
import * as signIns from './service.ts';

// Only failed sign-ins count. A known device is limited by its own failures alone, so that guesses from elsewhere can't
// lock out the owner; elsewhere, failures of the account and of the network count too.
const LOGIN_ON_DEVICE: Limit = { name: 'login on device', max: 10, windowSeconds: 300 };
const LOGIN_FROM_NETWORK: Limit = { name: 'login from network', max: 10, windowSeconds: 300 };
const LOGIN_BY_ACCOUNT: Limit = { name: 'login by account', max: 50, windowSeconds: 900 };
const LOGIN_BY_NETWORK: Limit = { name: 'login by network', max: 100, windowSeconds: 300 };
const LOGIN_BY_KNOWN_NETWORK: Limit = { name: 'login by known network', max: 100, windowSeconds: 300 };
/** Failures of someone who knows the password, so these limits on guessing don't apply. */
const AFTER_THE_PASSWORD = new Set<string>(['second_step_required', 'second_step_wrong', 'rate_limited']);
// Keys can't be guessed; this limits the load that guessing puts on the server.
const PASSKEY_BY_NETWORK: Limit = { name: 'passkey login by network', max: 100, windowSeconds: 300 };
const REFRESH_BY_SIGN_IN: Limit = { name: 'refresh by sign-in', max: 60, windowSeconds: 60 };

export function signInRoutes(app: FastifyInstance, appDeps: Deps): void {
  route(app, appDeps, 'POST /api/login/', async (deps, { body, network, client, cookies, setCookie }) => {
    // Names too long for any account share one key, so that they can't fill the memory.
    const name = body.username.toLowerCase().slice(0, USERNAME_MAX_LENGTH + 1);
    const result = await countFailures(
      deps.limits,
      limitsForSignIn(deps, { name, network, cookies }),
      () => signIns.login(deps, body, client),
      (failure) => !AFTER_THE_PASSWORD.has(failure.code),
    );
    if (result.ok) setCookie(deps.knownDevices.remember(name, network));
    return recordFirstRefusal(result, () => signIns.reportBlockedSignIn(deps, name, client));
  });

  route(app, appDeps, 'POST /api/token/refresh/', async (deps, { body, network, client, setCookie }) => {
    // Counts only genuine tokens, so that a flood of forged ones can't keep anyone from refreshing.
    const claim = deps.tokens.readRefresh(body.refresh);
    if (!claim) return invalidRefreshToken();
    const refused = deps.limits.take(REFRESH_BY_SIGN_IN, claim.handle);
    if (refused) return refused;
    const result = await signIns.refresh(deps, { ...claim, token: body.refresh }, client);
    if (!result.ok) return result;
    const { username, ...tokens } = result.value;
    setCookie(deps.knownDevices.remember(username, network));
    return ok(tokens);
  });

  route(app, appDeps, 'POST /api/logout/', (deps, { body, bearer, client }) =>
    signIns.logout(deps, { refresh: body.refresh_token, access: bearer }, client),
  );

  route(app, appDeps, 'POST /api/login/passkey/', async (deps, { body, network, client, origin, setCookie }) => {
    const result = await countFailures(deps.limits, [[PASSKEY_BY_NETWORK, network]], () =>
      signIns.loginWithPasskey(deps, body.passkey, { ...client, origin }),
    );
    if (result.ok) setCookie(deps.knownDevices.remember(result.value.user.username, network));
    return result;
  });
}

/** Returns the limits that a sign-in attempt counts against, with their keys. */
function limitsForSignIn(
  { knownDevices }: Deps,
  { name, network, cookies }: { name: string; network: string; cookies: string | undefined },
): [Limit, string][] {
  const device = knownDevices.recognize(name, cookies);
  if (device !== undefined) return [[LOGIN_ON_DEVICE, device]];
  // The network's own limit comes first: once it refuses, names that were never tried leave no trace in memory.
  const fromNetwork: [Limit, string] = [LOGIN_FROM_NETWORK, `${network} ${name}`];
  if (knownDevices.isKnownNetwork(name, network)) return [[LOGIN_BY_KNOWN_NETWORK, network], fromNetwork];
  return [[LOGIN_BY_NETWORK, network], fromNetwork, [LOGIN_BY_ACCOUNT, name]];
}
