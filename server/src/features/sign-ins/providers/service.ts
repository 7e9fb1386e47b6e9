import {
  type Check,
  type FinishProviderRequest,
  type Identity,
  type ProviderAnswer,
  type ProviderCheckRequest,
  type ProviderName,
  type ProviderRegisterRequest,
  type ProviderSignInRequest,
  type SignedIn,
  type StartProviderRequest,
} from '@hourshare/contract/sign-ins';
import { Email } from '@hourshare/contract/users';
import { PROVIDER_MINUTES } from '@hourshare/contract/limits';
import type { Deps } from '../../../deps.ts';
import { transaction, undoableTransaction } from '../../../platform/database/transaction.ts';
import type { Client } from '../../../platform/http/client.ts';
import { fail, ok, type Result } from '../../../platform/result.ts';
import { issuersOf, type ProvidedIdentity, type ProviderSecrets } from '../../../platform/sign-in-providers.ts';
import { hashToken, type Caller } from '../../../platform/tokens.ts';
import { recordSecurityEvent } from '../../security-events/service.ts';
import { notSignedIn } from '../../users/errors.ts';
import { userById } from '../../users/service.ts';
import { readCheck, recordFirstStep, recordWrongCode } from '../checks/service.ts';
import {
  emailRequired,
  identityNotFound,
  identityTaken,
  onlyWayToSignIn,
  providerExpired,
  providerNotSetUp,
  providerReplaced,
} from '../errors.ts';
import { recordFactorChange, refuseUnchecked } from '../factors/service.ts';
import { addAccount, refuseRegistration } from '../registration/service.ts';
import { recordRefusal, signInWithProvider } from '../service.ts';
import { hasWayIn } from '../store.ts';
import * as store from './store.ts';
import { toIdentity } from './wire.ts';

/** The page that a provider redirects to; its address must be registered with the provider. */
const returnAddress = ({ server }: Deps, provider: ProviderName) => `${server.address}/sign-in/${provider}`;

/**
 * Returns the address of the same page with the query moved behind the #, in base64url. Browsers don't send that part, and the page's
 * router would take a code of digits for a number.
 */
export const pageOfAnswer = (provider: ProviderName, query: string): string =>
  `/sign-in/${provider}#${Buffer.from(query).toString('base64url')}`;

/** 256 random bits. */
const randomToken = ({ randomId }: Deps) => `${randomId()}${randomId()}`;

/** Stores what one step leaves for the next; the same browser can take it once. */
async function keepFlow(deps: Deps, key: store.FlowKey, flow: store.Flow): Promise<void> {
  const now = deps.clock();
  const expiresAt = new Date(now.getTime() + PROVIDER_MINUTES * 60_000);
  await store.insertFlow(deps.db, { ...key, ...flow }, { now, expiresAt });
}

async function takeFlow(
  deps: Deps,
  step: store.FlowKey['step'],
  token: string,
  browser: string | undefined,
): Promise<(Omit<store.Flow, 'sealed'> & { content: string }) | undefined> {
  if (browser === undefined) return undefined;
  const key = { step, tokenHash: hashToken(token), browserHash: hashToken(browser) };
  const flow = await store.takeFlow(deps.db, key, deps.clock());
  // It can't be decrypted after the server's secret was replaced.
  const content = flow && deps.tokens.unseal(flow.sealed);
  return flow && content !== undefined ? { provider: flow.provider, purpose: flow.purpose, content } : undefined;
}

/** Starts a sign-in with a provider in a browser. Returns the address to go to. */
export async function startProvider(
  deps: Deps,
  { provider, purpose }: StartProviderRequest,
  browser: string,
): Promise<Result<{ address: string }>> {
  const client = deps.providers[provider];
  if (!client) return providerNotSetUp();
  const secrets: ProviderSecrets = { state: randomToken(deps), nonce: randomToken(deps), verifier: randomToken(deps) };
  const options = { returnAddress: returnAddress(deps, provider), requireLogin: purpose === 'check' };
  const started = await client.begin(secrets, options);
  if (!started.ok) return fail('provider_unavailable');
  const key = { step: 'state' as const, tokenHash: hashToken(secrets.state), browserHash: hashToken(browser) };
  await keepFlow(deps, key, { provider, purpose, sealed: deps.tokens.seal(JSON.stringify(secrets)) });
  return ok({ address: started.value });
}

const FAULTS = {
  denied: 'provider_denied',
  failed: 'provider_failed',
  unreachable: 'provider_unavailable',
  untimed: 'provider_untimed',
} as const;

/** Takes a provider's answer, once, in the browser that started the flow. If the purpose is signing in, signs the person in. */
export async function finishProvider(
  deps: Deps,
  { provider, answer: encoded }: FinishProviderRequest,
  browser: string | undefined,
  client: Client,
): Promise<Result<ProviderAnswer>> {
  const signInProvider = deps.providers[provider];
  if (!signInProvider) return providerNotSetUp();
  const answer = Buffer.from(encoded, 'base64url').toString();
  const flow = await takeFlow(deps, 'state', new URLSearchParams(answer).get('state') ?? '', browser);
  if (browser === undefined || flow?.provider !== provider) return providerExpired();
  // oxlint-disable-next-line no-unsafe-type-assertion -- sealed by startProvider
  const secrets = JSON.parse(flow.content) as ProviderSecrets;
  const options = { returnAddress: returnAddress(deps, provider), requireLogin: flow.purpose === 'check' };
  const provided = await signInProvider.finish(answer, secrets, options);
  if (!provided.ok) return fail(FAULTS[provided.reason]);
  const identity = provided.value;

  let codeRequired = false;
  if (flow.purpose === 'sign-in') {
    const userId = await store.useIdentity(deps.db, identity, deps.clock());
    const signedIn = userId === undefined ? undefined : await signInWithProvider(deps, userId, undefined, client);
    if (userId !== undefined && signedIn?.ok === false) await recordRefusal(deps, userId, client, signedIn);
    if (signedIn?.ok)
      return ok({ signed_in: signedIn.value, ticket: null, code_required: false, email: null, username: null });
    codeRequired = signedIn?.code === 'second_step_required';
    if (signedIn && !codeRequired) return signedIn;
  }
  const ticket = randomToken(deps);
  const key = { step: 'ticket' as const, tokenHash: hashToken(ticket), browserHash: hashToken(browser) };
  const { purpose } = flow;
  await keepFlow(deps, key, { provider, purpose, sealed: deps.tokens.seal(JSON.stringify(identity)) });
  if (codeRequired) return ok({ signed_in: null, ticket, code_required: true, email: null, username: null });
  const username = identity.email === null ? undefined : await store.usernameByEmail(deps.db, identity.email);
  return ok({
    signed_in: null,
    ticket,
    code_required: false,
    email: identity.email,
    username: username ?? null,
  });
}

/** Signs in with the ticket of a connected provider and a code. A wrong code leaves the ticket usable. */
export async function signInWithTicket(
  deps: Deps,
  { ticket, code }: ProviderSignInRequest,
  browser: string | undefined,
  client: Client,
): Promise<Result<SignedIn>> {
  let userId: number | undefined;
  const result = await undoableTransaction(deps, async (deps) => {
    const identity = await takeTicket(deps, ticket, browser, ['sign-in']);
    userId = identity && (await store.useIdentity(deps.db, identity, deps.clock()));
    return userId === undefined ? providerExpired() : signInWithProvider(deps, userId, code, client);
  });
  // Recorded once the transaction is undone, or it would be undone, too.
  if (!result.ok && userId !== undefined) await recordRefusal(deps, userId, client, result);
  return result;
}

async function takeTicket(
  deps: Deps,
  ticket: string,
  browser: string | undefined,
  purposes: store.Purpose[],
): Promise<(ProvidedIdentity & { provider: ProviderName }) | undefined> {
  const flow = await takeFlow(deps, 'ticket', ticket, browser);
  if (!flow || !purposes.includes(flow.purpose)) return undefined;
  // oxlint-disable-next-line no-unsafe-type-assertion -- sealed by finishProvider
  return { ...(JSON.parse(flow.content) as ProvidedIdentity), provider: flow.provider };
}

/** Creates an account without a password for someone who signed in with a provider. A failure leaves the ticket usable. */
export function registerWithProvider(
  deps: Deps,
  { ticket, ...request }: ProviderRegisterRequest,
  browser: string | undefined,
  client: Client,
): Promise<Result<SignedIn>> {
  return undoableTransaction(deps, async (deps) => {
    const identity = await takeTicket(deps, ticket, browser, ['sign-in']);
    if (!identity) return providerExpired();
    // This server may reject an address that the provider vouches for.
    const email = request.email ?? Email.safeParse(identity.email).data;
    if (email === undefined) return emailRequired();
    const account = { ...request, email };
    const refused = await refuseRegistration(deps, account);
    if (refused) return refused;
    return addAccount(deps, account, { passwordHash: null, client }, async (trx, userId) => {
      const connected = await connect(trx, userId, identity);
      if (!connected.ok) return connected;
      await recordSecurityEvent(trx, 'provider_connected', { userId, by: client });
      return ok({ checkedWith: 'provider', secondStep: false });
    });
  });
}

async function connect(
  deps: Deps,
  userId: number,
  { provider, issuer, subject, name }: ProvidedIdentity & { provider: ProviderName },
): Promise<Result<{ identity: store.StoredIdentity; isNew: boolean }>> {
  const connected = await store.insertIdentity(deps.db, {
    userId,
    provider,
    issuer,
    subject,
    name,
    now: deps.clock(),
  });
  if (connected === 'taken') return identityTaken();
  if (connected === 'replaced') return providerReplaced();
  if (connected === 'gone') return notSignedIn();
  return ok(connected);
}

/** Connects a provider to the caller's account, using the ticket of a sign-in there. */
export async function connectProvider(
  deps: Deps,
  caller: Caller,
  { ticket, browser, client }: { ticket: string; browser: string | undefined; client: Client },
): Promise<Result<Identity>> {
  const { userId } = caller;
  const connected = await transaction(deps, async (deps) => {
    const refused = await refuseUnchecked(deps, caller);
    if (refused) return refused;
    const provided = await takeTicket(deps, ticket, browser, ['sign-in', 'link']);
    const result = provided ? await connect(deps, userId, provided) : providerExpired();
    if (!result.ok || !result.value.isNew) return result;
    await recordFactorChange(deps, 'provider_connected', { userId, by: client });
    return result;
  });
  if (!connected.ok) return connected;
  return ok(toIdentity(connected.value.identity, deps.providers));
}

/**
 * Records that the caller has just signed in with a provider that is connected to their account, and has entered a code if signing in
 * takes one. A missing or wrong code leaves the ticket usable.
 */
export async function checkWithProvider(
  deps: Deps,
  caller: Caller,
  { ticket, code }: ProviderCheckRequest,
  { browser, client }: { browser: string | undefined; client: Client },
): Promise<Result<Check>> {
  const { userId, signIn } = caller;
  const checked = await undoableTransaction(deps, async (deps): Promise<Result<undefined>> => {
    const identity = await takeTicket(deps, ticket, browser, ['check']);
    if (!identity) return providerExpired();
    if ((await store.useIdentity(deps.db, identity, deps.clock())) !== userId) return fail('provider_failed');
    const user = await userById(deps.db, userId);
    return user ? recordFirstStep(deps, user, { signIn, with: 'provider', code }, client) : notSignedIn();
  });
  if (checked.ok) return readCheck(deps, caller);
  // Recorded once the transaction is undone, or it would be undone, too.
  if (checked.code === 'wrong_code') await recordWrongCode(deps, userId, client);
  if (checked.code !== 'provider_failed') return checked;
  await recordSecurityEvent(deps, 'password_check_failed', { userId, by: client });
  return fail('provider_failed', { isRecorded: true });
}

export async function listIdentities(deps: Deps, userId: number): Promise<Result<{ identities: Identity[] }>> {
  const identities = await store.identitiesOf(deps.db, userId);
  return ok({ identities: identities.map((identity) => toIdentity(identity, deps.providers)) });
}

/** Disconnects a provider from the caller's account, unless it is the last way to sign in. */
export function disconnectProvider(deps: Deps, caller: Caller, id: number, by: Client): Promise<Result<undefined>> {
  const { userId } = caller;
  return undoableTransaction(deps, async (deps) => {
    const refused = await refuseUnchecked(deps, caller);
    if (refused) return refused;
    if (!(await store.deleteIdentity(deps.db, { userId, id }))) return identityNotFound();
    if (!(await hasWayIn(deps.db, { userId, issuers: issuersOf(deps) }))) return onlyWayToSignIn();
    await recordFactorChange(deps, 'provider_disconnected', { userId, by });
    return ok(undefined);
  });
}

/** Deletes steps that have certainly expired; run by the schedule. */
export async function deleteExpiredFlows({ db, confirmedTime }: Deps): Promise<void> {
  await store.deleteExpiredFlows(db, await confirmedTime(db));
}
