import type { FastifyBaseLogger } from 'fastify';
import * as openid from 'openid-client';
import { z } from 'zod';

/** What a provider says about the person who signed in there. */
export interface ProvidedIdentity {
  issuer: string;
  subject: string;
  /** Null unless the provider vouches that it is theirs. */
  email: string | null;
  /** A name for the account there, to tell it from others. */
  name: string | null;
}

/** What only this server knows about a sign-in that was started at a provider. */
export interface ProviderSecrets {
  state: string;
  nonce: string;
  verifier: string;
}

export interface SignInProvider {
  label: string;
  issuer: string;
  /** Returns where to send the browser; with `requireLogin`, to sign in there again even if it is signed in, where the provider can. */
  begin(secrets: ProviderSecrets, options: { returnAddress: string; requireLogin: boolean }): Promise<Provided<string>>;
  /** Returns who signed in there. @param answer - the query with which the browser came back */
  finish(
    answer: string,
    secrets: ProviderSecrets,
    options: { returnAddress: string; requireLogin: boolean },
  ): Promise<Provided<ProvidedIdentity>>;
}

/**
 * `denied`: the person declined. `failed`: the answer is wrong or forged. `unreachable`: the provider doesn't answer properly.
 * `untimed`: it doesn't say when the person signed in there, so a new sign-in there proves nothing.
 */
type ProviderFault = 'denied' | 'failed' | 'unreachable' | 'untimed';

export type Provided<T> = { ok: true; value: T } | { ok: false; reason: ProviderFault };

interface Client {
  id: string;
  secret: string;
}

const TIMEOUT_SECONDS = 8;
const ANSWER_MAX_BYTES = 256 * 1024;
/** How long a provider's metadata is cached. */
const DISCOVERY_MILLISECONDS = 60 * 60_000;
/** How long ago, at most, someone may have signed in at the provider, if they had to do it again. */
const LOGIN_MAX_AGE_SECONDS = 5 * 60;
const TEXT_MAX_LENGTH = 254;

/** Returns whether a host, as in an address, is this machine. */
export const isLoopback = ({ hostname }: Pick<URL, 'hostname'>): boolean =>
  /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname);

/** Returns whether secrets may be sent to an address: over TLS, or on this machine. */
export const isConfidential = (address: URL): boolean =>
  address.protocol === 'https:' || (address.protocol === 'http:' && isLoopback(address));

const isNumber = ({ hostname }: URL): boolean => /^\[|^[\d.]+$/.test(hostname);

/**
 * Returns whether this server may call an address from a provider's metadata: only over TLS, and an internal host, such as an IP
 * address, only if it is that of the issuer itself, which the administrator trusts.
 */
export function mayCall(address: URL, issuer: URL): boolean {
  if (!isConfidential(address) || address.username !== '' || address.password !== '') return false;
  if (address.hostname === issuer.hostname) return address.protocol === issuer.protocol;
  return (
    address.protocol === 'https:' && !isNumber(address) && /\.(?!local(?:host|domain)?\.?$)/.test(address.hostname)
  );
}

/** Fetches from allowed addresses of a provider, without following redirects, and limits the size of the response. */
const boundedFetch =
  (issuers: readonly URL[]): openid.CustomFetch =>
  async (address, options) => {
    if (!issuers.some((issuer) => mayCall(new URL(address), issuer)))
      throw new TypeError('The address is not allowed.');
    const response = await fetch(address, {
      ...options,
      // Only forms are sent.
      body: options.body instanceof URLSearchParams ? options.body : null,
      redirect: 'manual',
    });
    const parts: Uint8Array[] = [];
    let length = 0;
    for await (const part of response.body ?? []) {
      length += part.byteLength;
      // Ends the download, too.
      if (length > ANSWER_MAX_BYTES) throw new TypeError('The answer is too long.');
      parts.push(part);
    }
    const { status, headers } = response;
    const hasBody = ![101, 204, 205, 304].includes(status);
    return new Response(hasBody ? Buffer.concat(parts) : null, { status, headers });
  };

/** Accepts only text that fits on one line. */
const textOf = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' && value.length <= TEXT_MAX_LENGTH && !/[\p{Cc}\p{Cf}]/u.test(value)
    ? value
    : null;

/** Returns the error of the library below, which says what is wrong with an answer. */
const causeOf = (error: unknown): Error | undefined =>
  error instanceof Error && error.cause instanceof Error ? error.cause : undefined;

/** The algorithm of an ID token that can't be verified, as the library below names it. */
const Algorithm = z.union([
  z.object({ alg: z.string() }).transform(({ alg }) => alg),
  z.object({ header: z.object({ alg: z.string() }) }).transform(({ header }) => header.alg),
]);

/** Returns what the administrator can change at the provider so that a fault goes away, if that is known. */
function remedyOf(error: unknown): string | undefined {
  if (isUntimed(error))
    return 'Have the provider send the claim auth_time; until then, people sign out and in again instead';
  const alg = Algorithm.safeParse(causeOf(error)?.cause).data;
  return alg?.startsWith('HS') ? `Have the provider sign ID tokens with RS256 or ES256 instead of ${alg}` : undefined;
}

const isUntimed = (error: unknown): boolean => /"auth_time".*missing/.test(causeOf(error)?.message ?? '');

/** Library errors name the fault, which tells the administrator what to fix, but may also contain answers with tokens. */
function faultOf(error: unknown): { name: string; code?: string | undefined; message?: string; detail?: string } {
  if (!(error instanceof Error)) return { name: 'unknown' };
  const answered = error instanceof openid.ResponseBodyError || error instanceof openid.AuthorizationResponseError;
  const code = answered ? error.error.slice(0, 100) : 'code' in error ? String(error.code) : undefined;
  const cause = causeOf(error);
  return {
    name: error.name,
    code: code ?? (cause && 'code' in cause ? String(cause.code) : undefined),
    message: error.message.slice(0, 200),
    ...(cause && error instanceof openid.ClientError && { detail: cause.message.slice(0, 200) }),
  };
}

const isDenial = (error: unknown): boolean =>
  error instanceof openid.AuthorizationResponseError && error.error === 'access_denied';

/** Whether the provider failed, rather than the answer that the browser brought being wrong. */
function isUnreachable(error: unknown): boolean {
  if (error instanceof openid.AuthorizationResponseError)
    return ['temporarily_unavailable', 'server_error'].includes(error.error);
  // Errors that fetch throws, and malformed answers of the provider's own server.
  if (error instanceof TypeError || (error instanceof DOMException && error.name === 'TimeoutError')) return true;
  return (
    error instanceof openid.ClientError &&
    ['OAUTH_TIMEOUT', 'OAUTH_RESPONSE_IS_NOT_CONFORM', 'OAUTH_RESPONSE_IS_NOT_JSON', 'OAUTH_PARSE_ERROR'].includes(
      error.code ?? '',
    )
  );
}

/** Runs a request to a provider, and logs why it fails. */
async function attempt<T>(
  log: FastifyBaseLogger,
  provider: string,
  work: () => Promise<T>,
  fault: (error: unknown) => ProviderFault,
): Promise<Provided<T>> {
  try {
    return { ok: true, value: await work() };
  } catch (error) {
    const reason = fault(error);
    const remedy = remedyOf(error);
    if (reason !== 'denied')
      log.warn(
        { provider, reason, fault: faultOf(error), ...(remedy !== undefined && { remedy }) },
        'signing in with a provider failed',
      );
    return { ok: false, reason };
  }
}

function finishFault(error: unknown): ProviderFault {
  if (isDenial(error)) return 'denied';
  if (isUntimed(error)) return 'untimed';
  return isUnreachable(error) ? 'unreachable' : 'failed';
}

/** Sends the secret as the provider's metadata says; without a word there, as the standard says, in a header. */
function clientAuthentication(secret: string): openid.ClientAuth {
  const [post, basic] = [openid.ClientSecretPost(secret), openid.ClientSecretBasic(secret)];
  return (server, client, body, headers) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    if (!methods.some((method) => method === 'client_secret_post' || method === 'client_secret_basic'))
      throw new Error(`The provider takes no client secret, only ${methods.join(', ')}.`);
    return (methods.includes('client_secret_post') ? post : basic)(server, client, body, headers);
  };
}

const codeRequest = async ({ state, verifier }: ProviderSecrets, returnAddress: string, scope: string) => ({
  redirect_uri: returnAddress,
  scope,
  state,
  code_challenge: await openid.calculatePKCECodeChallenge(verifier),
  code_challenge_method: 'S256',
});

const cameBack = (returnAddress: string, answer: string): URL => {
  const address = new URL(returnAddress);
  address.search = answer;
  return address;
};

/**
 * A provider that speaks OpenID Connect. Its metadata is fetched when the first person uses it, so that an unreachable provider
 * doesn't keep the server from starting or anyone from signing in another way.
 */
export function createOpenIdProvider({
  label,
  issuer,
  client,
  canRequireLogin,
  log,
  now = () => performance.now(),
}: {
  label: string;
  issuer: string;
  client: Client;
  /** Whether it heeds `prompt=login` and `max_age`, as the standard demands. */
  canRequireLogin: boolean;
  log: FastifyBaseLogger;
  now?: () => number;
}): SignInProvider {
  const address = new URL(issuer);
  let known: { until: number; configuration: Promise<openid.Configuration> } | undefined;

  function discover(): Promise<openid.Configuration> {
    if (known && known.until > now()) return known.configuration;
    const configuration = openid.discovery(address, client.id, undefined, clientAuthentication(client.secret), {
      [openid.customFetch]: boundedFetch([address]),
      timeout: TIMEOUT_SECONDS,
      execute: [
        // Also checks signatures, although answers come over TLS.
        openid.enableNonRepudiationChecks,
        // The settings allow http only on this machine.
        ...(address.protocol === 'http:' ? [openid.allowInsecureRequests] : []),
      ],
    });
    const current = { until: now() + DISCOVERY_MILLISECONDS, configuration };
    known = current;
    // The next person tries again.
    configuration.catch(() => {
      if (known === current) known = undefined;
    });
    return configuration;
  }

  return {
    label,
    issuer,
    begin: (secrets, { returnAddress, requireLogin }) =>
      attempt(
        log,
        issuer,
        async () => {
          const configuration = await discover();
          const target = openid.buildAuthorizationUrl(configuration, {
            ...(await codeRequest(secrets, returnAddress, 'openid email profile')),
            nonce: secrets.nonce,
            ...(requireLogin && (canRequireLogin ? { prompt: 'login', max_age: '0' } : { prompt: 'select_account' })),
          });
          // The browser navigates there, so it must be a page.
          if (!isConfidential(target)) throw new Error('The address to sign in at is not allowed.');
          return target.href;
        },
        () => 'unreachable',
      ),
    finish: (answer, { state, nonce, verifier }, { returnAddress, requireLogin }) =>
      attempt(
        log,
        issuer,
        async () => {
          const configuration = await discover();
          const tokens = await openid.authorizationCodeGrant(configuration, cameBack(returnAddress, answer), {
            expectedState: state,
            expectedNonce: nonce,
            pkceCodeVerifier: verifier,
            idTokenExpected: true,
            ...(requireLogin && canRequireLogin && { maxAge: LOGIN_MAX_AGE_SECONDS }),
          });
          const claims = tokens.claims();
          if (!claims) throw new Error('There is no ID token.');
          const email = textOf(claims['email']);
          return {
            // Not `iss`, which the library has checked: some providers add a slash at its end.
            issuer,
            subject: claims.sub,
            email: claims['email_verified'] === true ? email : null,
            name: email ?? textOf(claims['preferred_username']) ?? textOf(claims['name']),
          };
        },
        finishFault,
      ),
  };
}

const GitHubUser = z.object({ id: z.int().positive(), login: z.string() });
const GitHubEmails = z.array(z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }));

const GITHUB = 'https://github.com';

/** GitHub, which speaks OAuth 2.0 and says who signed in through its own API. */
export function createGitHubProvider({
  client,
  log,
  site = GITHUB,
  api = 'https://api.github.com',
}: {
  client: Client;
  log: FastifyBaseLogger;
  site?: string;
  api?: string;
}): SignInProvider {
  const configuration = new openid.Configuration(
    {
      issuer: site,
      authorization_endpoint: `${site}/login/oauth/authorize`,
      token_endpoint: `${site}/login/oauth/access_token`,
    },
    client.id,
    undefined,
    openid.ClientSecretPost(client.secret),
  );
  configuration.timeout = TIMEOUT_SECONDS;
  configuration[openid.customFetch] = boundedFetch([new URL(site), new URL(api)]);
  // In tests, the site is on this machine.
  if (site.startsWith('http:')) openid.allowInsecureRequests(configuration);

  const read = async (path: string, token: string): Promise<unknown> => {
    const answer = await openid.fetchProtectedResource(
      configuration,
      token,
      new URL(`${api}${path}`),
      'GET',
      undefined,
      new Headers({ accept: 'application/vnd.github+json', 'user-agent': 'HourShare' }),
    );
    if (answer.status !== 200) throw new TypeError(`GitHub answered ${answer.status}.`);
    return answer.json();
  };

  return {
    label: 'GitHub',
    issuer: GITHUB,
    begin: (secrets, { returnAddress, requireLogin }) =>
      attempt(
        log,
        site,
        async () =>
          openid.buildAuthorizationUrl(configuration, {
            ...(await codeRequest(secrets, returnAddress, 'user:email')),
            ...(requireLogin && { prompt: 'select_account' }),
          }).href,
        () => 'unreachable',
      ),
    finish: (answer, { state, verifier }, { returnAddress }) =>
      attempt(
        log,
        site,
        async () => {
          const { access_token: token } = await openid.authorizationCodeGrant(
            configuration,
            cameBack(returnAddress, answer),
            { expectedState: state, pkceCodeVerifier: verifier },
          );
          const [user, emails] = await Promise.all([read('/user', token), read('/user/emails', token)]);
          const known = GitHubUser.safeParse(user);
          if (!known.success) throw new TypeError('GitHub named no account.');
          const primary = GitHubEmails.safeParse(emails).data?.find((each) => each.primary);
          return {
            issuer: GITHUB,
            subject: String(known.data.id),
            email: primary?.verified ? textOf(primary.email) : null,
            name: textOf(known.data.login),
          };
        },
        finishFault,
      ),
  };
}

/** Returns the issuers whose identities can sign in here. */
export const issuersOf = ({ providers }: { providers: Record<string, SignInProvider> }): string[] =>
  Object.values(providers).map(({ issuer }) => issuer);
