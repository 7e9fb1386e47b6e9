import { USERNAME_MAX_LENGTH } from '@hourshare/contract/limits';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../deps.ts';
import { countFailures, type Limit } from '../../platform/http/rate-limits.ts';
import { route } from '../../platform/http/route.ts';
import { ok, type Failure } from '../../platform/result.ts';
import { checkPassword, readCheck } from './checks/service.ts';
import { invalidRefreshToken } from './errors.ts';
import { CODE_FAILURES, REGISTER_BY_NETWORK } from './rules.ts';
import * as accounts from './service.ts';

// Only failed sign-ins count. A known device is limited by its own failures alone, so that guesses from elsewhere can't
// lock out the owner; elsewhere, failures of the account and of the network count too.
const LOGIN_ON_DEVICE: Limit = { name: 'login on device', max: 10, windowSeconds: 300 };
const LOGIN_FROM_NETWORK: Limit = { name: 'login from network', max: 10, windowSeconds: 300 };
const LOGIN_BY_ACCOUNT: Limit = { name: 'login by account', max: 50, windowSeconds: 900 };
const LOGIN_BY_NETWORK: Limit = { name: 'login by network', max: 100, windowSeconds: 300 };
const LOGIN_BY_KNOWN_NETWORK: Limit = { name: 'login by known network', max: 100, windowSeconds: 300 };
// Keeps the holder of a stolen access token from guessing the password.
const PASSWORD_BY_USER: Limit = { name: 'password by user', max: 10, windowSeconds: 300 };
// A failed change of email address reveals that it is taken.
const EMAIL_BY_USER: Limit = { name: 'email by user', max: 20, windowSeconds: 3600 };
const EMAIL_BY_NETWORK: Limit = { name: 'email by network', max: 60, windowSeconds: 3600 };
/** Failures of someone who knows the password, so these limits on guessing don't apply. */
const AFTER_THE_PASSWORD = new Set<string>(['second_step_required', 'second_step_wrong', 'rate_limited']);
/** Returns whether the password was checked: without a recent check, some calls fail before that. */
const wasTried = ({ code }: Failure) => code !== 'check_required';
const REFRESH_BY_SIGN_IN: Limit = { name: 'refresh by sign-in', max: 60, windowSeconds: 60 };

export function accountRoutes(app: FastifyInstance, appDeps: Deps): void {
  route(app, appDeps, 'POST /api/register/', async (deps, { body, network, client, origin, setCookie }) => {
    const refused = deps.limits.take(REGISTER_BY_NETWORK, network);
    if (refused) return refused;
    const result = await accounts.register(deps, body, { ...client, origin });
    if (result.ok) setCookie(deps.knownDevices.remember(body.username, network));
    return result;
  });

  route(app, appDeps, 'POST /api/login/', async (deps, { body, network, client, cookies, setCookie }) => {
    // Names too long for any account share one key, so that they can't fill the memory.
    const name = body.username.toLowerCase().slice(0, USERNAME_MAX_LENGTH + 1);
    const result = await countFailures(
      deps.limits,
      limitsForSignIn(deps, { name, network, cookies }),
      () => accounts.login(deps, body, client),
      (failure) => !AFTER_THE_PASSWORD.has(failure.code),
    );
    if (result.ok) setCookie(deps.knownDevices.remember(name, network));
    return recordFirstRefusal(result, () => accounts.reportBlockedSignIn(deps, name, client));
  });

  route(app, appDeps, 'POST /api/token/refresh/', async (deps, { body, network, client, setCookie }) => {
    // Counts only genuine tokens, so that a flood of forged ones can't keep anyone from refreshing.
    const claim = deps.tokens.readRefresh(body.refresh);
    if (!claim) return invalidRefreshToken();
    const refused = deps.limits.take(REFRESH_BY_SIGN_IN, claim.handle);
    if (refused) return refused;
    const result = await accounts.refresh(deps, { ...claim, token: body.refresh }, client);
    if (!result.ok) return result;
    const { username, ...tokens } = result.value;
    setCookie(deps.knownDevices.remember(username, network));
    return ok(tokens);
  });

  route(app, appDeps, 'POST /api/logout/', (deps, { body, bearer, client }) =>
    accounts.logout(deps, { refresh: body.refresh_token, access: bearer }, client),
  );

  route(app, appDeps, 'GET /api/me/', (deps, { caller }) => accounts.me(deps, caller.userId));

  route(app, appDeps, 'PATCH /api/me/', async (deps, { caller, body, network, client }) => {
    const update = () => accounts.updateMe(deps, caller, body, client);
    if (body.email === undefined) return update();
    const user = String(caller.userId);
    const attempts: [Limit, string][] = [
      [PASSWORD_BY_USER, user],
      [EMAIL_BY_USER, user],
      [EMAIL_BY_NETWORK, network],
    ];
    return recordFirstRefusal(await countFailures(deps.limits, attempts, update, wasTried), () =>
      accounts.reportBlockedCheck(deps, caller.userId, client),
    );
  });

  route(app, appDeps, 'POST /api/me/password/', async (deps, { caller, body, client }) => {
    const change = () => accounts.changePassword(deps, caller, body, client);
    const result = await countFailures(deps.limits, [[PASSWORD_BY_USER, String(caller.userId)]], change, wasTried);
    return recordFirstRefusal(result, () => accounts.reportBlockedCheck(deps, caller.userId, client));
  });

  route(app, appDeps, 'GET /api/me/check/', (deps, { caller }) => readCheck(deps, caller));

  route(app, appDeps, 'POST /api/me/check/', async (deps, { caller, body, client }) => {
    const check = () => checkPassword(deps, caller, body, client);
    const result = await countFailures(
      deps.limits,
      [[PASSWORD_BY_USER, String(caller.userId)]],
      check,
      (failure) => !CODE_FAILURES.has(failure.code),
    );
    return recordFirstRefusal(result, () => accounts.reportBlockedCheck(deps, caller.userId, client));
  });

  route(app, appDeps, 'DELETE /api/me/', async (deps, { caller, body, client }) => {
    const remove = () => accounts.deleteMe(deps, caller, body, client);
    const result = await countFailures(deps.limits, [[PASSWORD_BY_USER, String(caller.userId)]], remove, wasTried);
    return recordFirstRefusal(result, () => accounts.reportBlockedCheck(deps, caller.userId, client));
  });
}

/** Records the first refusal in a limit's window as an event of the account. */
async function recordFirstRefusal<T extends object>(result: T, record: () => Promise<void>): Promise<T> {
  if (!('isFirst' in result) || result.isFirst !== true) return result;
  await record();
  return { ...result, isRecorded: true };
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
