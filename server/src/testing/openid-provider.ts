import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider, { type Configuration } from 'oidc-provider';

/** An OpenID Connect provider on this machine, on another site than 127.0.0.1. Anyone can sign in there under any name. */
export interface TestOpenIdProvider {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** By username: addresses that it vouches for, and ones that it doesn't. */
  emails: Map<string, { email: string; email_verified: boolean }>;
  /** If set, what it answers to requests that aren't from browsers. */
  answer:
    | ((path: string) => { status: number; body: string; headers?: Record<string, string> } | 'hang' | undefined)
    | undefined;
  /** The requests that it received, as method and path. */
  requests: string[];
  close(): Promise<void>;
}

const CLIENT = { clientId: 'hourshare', clientSecret: 'a-secret-that-only-the-two-of-them-know' };

export async function openTestOpenIdProvider(returnAddresses: string[]): Promise<TestOpenIdProvider> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://localhost:${(server.address() as AddressInfo).port}`;
  const emails: TestOpenIdProvider['emails'] = new Map();
  const test: TestOpenIdProvider = {
    issuer,
    ...CLIENT,
    emails,
    answer: undefined,
    requests: [],
    close: () => closeServer(server),
  };
  const configuration: Configuration = {
    clients: [
      {
        client_id: CLIENT.clientId,
        client_secret: CLIENT.clientSecret,
        redirect_uris: returnAddresses,
        token_endpoint_auth_method: 'client_secret_post',
        grant_types: ['authorization_code'],
        response_types: ['code'],
      },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['preferred_username'] },
    conformIdTokenClaims: false,
    cookies: { keys: ['only for tests'] },
    pkce: { required: () => true },
    findAccount: (_context, id) => ({
      accountId: id,
      claims: () => ({ sub: id, preferred_username: id, ...emails.get(id) }),
    }),
    // Doesn't ask for consent.
    async loadExistingGrant({ oidc }) {
      const { client, session, provider } = oidc;
      if (!client || !session?.accountId) return undefined;
      const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
  };
  const provider = new Provider(issuer, configuration);
  const handle = provider.callback();
  server.on('request', (request, response) => {
    const path = (request.url ?? '').replace(/\?.*/, '');
    test.requests.push(`${request.method} ${path}`);
    const answer = test.answer?.(path);
    if (answer === 'hang') return;
    if (answer)
      response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers }).end(answer.body);
    else void handle(request, response);
  });
  return test;
}

async function closeServer(server: Server): Promise<void> {
  server.close();
  server.closeAllConnections();
  await once(server, 'close');
}

/**
 * Signs in at the test provider as a browser would, starting at the given address. Returns the query with which it sends the browser
 * back. `jar` keeps its cookies for the next time.
 */
export async function signInThere(
  address: string,
  name: string | null,
  jar = new Map<string, string>(),
): Promise<string> {
  const send = async (url: string, body?: URLSearchParams): Promise<Response> => {
    const cookie = [...jar].map(([key, value]) => `${key}=${value}`).join('; ');
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie },
      ...(body && { method: 'POST', body }),
    });
    for (const line of response.headers.getSetCookie()) {
      const [, key = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '') jar.delete(key);
      else jar.set(key, value);
    }
    return response;
  };
  const origin = new URL(address).origin;
  let response = await send(address);
  for (let steps = 0; steps < 10; steps += 1) {
    const location = response.headers.get('location');
    if (location !== null) {
      const next = new URL(location, origin);
      if (next.origin !== origin) return next.search.slice(1);
      response = await send(next.href);
      continue;
    }
    const page = await response.text();
    const action = /<form[^>]* action="([^"]+)"/.exec(page)?.[1];
    const abort = /href="([^"]+\/abort)"/.exec(page)?.[1];
    if (action === undefined || abort === undefined) throw new Error(`The provider shows no form: ${page}`);
    const target = name === null ? abort : action;
    const form = new URLSearchParams({ prompt: 'login', login: name ?? '', password: 'any' });
    response = await send(new URL(target, origin).href, name === null ? undefined : form);
  }
  throw new Error('The provider goes in circles.');
}
