import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openTestOpenIdProvider, signInThere, type TestOpenIdProvider } from '../testing/openid-provider.ts';
import { createGitHubProvider, createOpenIdProvider, isConfidential, mayCall } from './sign-in-providers.ts';

describe('an address in the metadata of a provider', () => {
  const issuer = new URL('https://id.example.org/realms/home');

  it.each([
    'https://id.example.org/token',
    'https://id.example.org:8443/token',
    'https://tokens.example.org/token',
    'https://www.googleapis.com/oauth2/v3/certs',
  ])('%s may be called', (address) => {
    expect(mayCall(new URL(address), issuer)).toBe(true);
  });

  it.each([
    'http://id.example.org/token',
    'http://tokens.example.org/token',
    'http://127.0.0.1/token',
    'http://127.1/token',
    'http://2130706433/token',
    'http://0x7f000001/token',
    'http://0177.0.0.1/token',
    'https://127.0.0.1/token',
    'https://127.1/token',
    'https://2130706433/token',
    'https://0.0.0.0/token',
    'https://10.0.0.1/token',
    'https://172.16.0.1/token',
    'https://192.168.1.1/token',
    'https://169.254.169.254/latest/meta-data/',
    'http://169.254.169.254/latest/meta-data/',
    'https://100.100.100.200/token',
    'https://[::1]/token',
    'https://[::ffff:127.0.0.1]/token',
    'https://[fd00::1]/token',
    'https://[fe80::1]/token',
    'https://8.8.8.8/token',
    'https://localhost/token',
    'http://localhost:3000/token',
    'https://printer.local/token',
    'https://db.localhost/token',
    'https://server.localdomain/token',
    'https://metadata/token',
    'https://user:password@tokens.example.org/token',
    'ftp://id.example.org/token',
    'file:///etc/passwd',
    'data:application/json,{}',
  ])('%s may not be called', (address) => {
    expect(mayCall(new URL(address), issuer)).toBe(false);
  });

  it('may be internal or on this machine only if the issuer is', () => {
    expect(mayCall(new URL('https://10.0.0.5/token'), new URL('https://10.0.0.5/'))).toBe(true);
    expect(mayCall(new URL('https://10.0.0.6/token'), new URL('https://10.0.0.5/'))).toBe(false);
    expect(mayCall(new URL('http://localhost:9000/token'), new URL('http://localhost:9000/'))).toBe(true);
    expect(mayCall(new URL('http://127.0.0.1:9000/token'), new URL('http://localhost:9000/'))).toBe(false);
  });

  it('is confidential over TLS, or on this machine', () => {
    const plain = ['http://127.0.0.1:8080', 'http://[::1]/', 'http://localhost/'].map((each) => new URL(each));
    expect(plain.every(isConfidential)).toBe(true);
    const others = [
      'http://localhost.example.org/',
      'http://127.0.0.1.example.org/',
      'http://10.0.0.1/',
      'ftp://localhost/',
    ];
    expect(others.some((each) => isConfidential(new URL(each)))).toBe(false);
  });
});

describe('an ID token', () => {
  const options = { returnAddress: 'http://127.0.0.1:3000/sign-in/oidc', requireLogin: false };
  const secrets = { state: 'the state', nonce: 'the nonce', verifier: 'v'.repeat(44) };
  let testProvider: TestOpenIdProvider;
  beforeAll(async () => {
    testProvider = await openTestOpenIdProvider([options.returnAddress]);
  });
  afterAll(() => testProvider.close());

  /** Returns from a provider with an ID token that is valid but for these claims or its signature. */
  async function finishWith({ claims = {}, isForged = false }: { claims?: object; isForged?: boolean }) {
    const faults: unknown[] = [];
    const provider = createOpenIdProvider({
      label: 'Home',
      issuer: testProvider.issuer,
      client: { id: testProvider.clientId, secret: testProvider.clientSecret },
      canRequireLogin: true,
      log: pino({}, { write: (line) => void faults.push((JSON.parse(line) as { fault: unknown }).fault) }),
    });
    testProvider.answer = undefined;
    const begun = await provider.begin(secrets, options);
    const answer = await signInThere(begun.ok ? begun.value : '', 'ida');
    const keys = await generateKeyPair('RS256');
    const { privateKey } = isForged ? await generateKeyPair('RS256') : keys;
    const idToken = await new SignJWT({
      iss: testProvider.issuer,
      aud: testProvider.clientId,
      sub: 'ida',
      nonce: secrets.nonce,
      ...claims,
    })
      .setProtectedHeader({ alg: 'RS256', kid: 'key' })
      .setIssuedAt()
      .setExpirationTime('1 hour')
      .sign(privateKey);
    const bodies: Record<string, object> = {
      '/jwks': { keys: [{ ...(await exportJWK(keys.publicKey)), kid: 'key', alg: 'RS256', use: 'sig' }] },
      '/token': { access_token: 'x', token_type: 'Bearer', id_token: idToken },
    };
    testProvider.answer = (path) => bodies[path] && { status: 200, body: JSON.stringify(bodies[path]) };
    return { result: await provider.finish(answer, secrets, options), faults };
  }

  it('that is valid is accepted', async () => {
    expect(await finishWith({})).toMatchObject({ result: { ok: true, value: { subject: 'ida' } }, faults: [] });
  });

  it.each([
    [{ email_verified: true }, 'ida@example.org'],
    [{ email_verified: false }, null],
    [{}, null],
    [{ email_verified: 'true' }, null],
    [{ email_verified: 1 }, null],
  ])('that has an address and %j vouches for %j', async (claims, email) => {
    const { result } = await finishWith({ claims: { email: 'ida@example.org', ...claims } });
    expect(result).toMatchObject({ ok: true, value: { email, name: 'ida@example.org' } });
  });

  it.each([
    ['another key signed', { isForged: true }, 'invalid response encountered'],
    ['is for another client', { claims: { aud: 'another' } }, 'unexpected JWT claim value encountered'],
    ['is of another issuer', { claims: { iss: 'https://evil.example' } }, 'unexpected JWT claim value encountered'],
    ['has another nonce', { claims: { nonce: 'another' } }, 'unexpected JWT claim value encountered'],
  ])('that %s is refused', async (_, flaw, message) => {
    expect(await finishWith(flaw)).toMatchObject({ result: { ok: false, reason: 'failed' }, faults: [{ message }] });
  });
});

describe('a provider that differs from the usual', () => {
  const secret = 'a client secret of at least 32 bytes';
  const returnAddress = 'https://hours.example.org/sign-in/oidc';
  const secrets = { state: 's', nonce: 'n', verifier: 'v'.repeat(44) };
  let site = '';
  let methods: string[] | undefined;
  let alg = 'RS256';
  let claims: object = {};
  let sent: { header: string | undefined; form: URLSearchParams } | undefined;
  const faults: unknown[] = [];
  const keys = generateKeyPair('RS256');
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (part: Buffer) => (text += part.toString()));
    request.on(
      'end',
      () =>
        void answer(request.url ?? '', request.headers.authorization, text).then((body) => {
          response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
        }),
    );
  });
  async function answer(path: string, header: string | undefined, text: string): Promise<object> {
    const { publicKey, privateKey } = await keys;
    if (path === '/jwks') return { keys: [{ ...(await exportJWK(publicKey)), kid: 'key', alg: 'RS256', use: 'sig' }] };
    if (path !== '/token')
      return {
        issuer: site,
        authorization_endpoint: `${site}/auth`,
        token_endpoint: `${site}/token`,
        jwks_uri: `${site}/jwks`,
        id_token_signing_alg_values_supported: ['RS256', 'HS256'],
        ...(methods && { token_endpoint_auth_methods_supported: methods }),
      };
    sent = { header, form: new URLSearchParams(text) };
    const key = alg === 'RS256' ? privateKey : new TextEncoder().encode(secret);
    const token = new SignJWT({ iss: site, aud: 'id', sub: 'ida', nonce: 'n', ...claims });
    const signed = token.setProtectedHeader({ alg, ...(alg === 'RS256' && { kid: 'key' }) }).setIssuedAt();
    return { access_token: 'x', token_type: 'Bearer', id_token: await signed.setExpirationTime('1 hour').sign(key) };
  }
  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    site = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  beforeEach(() => {
    [methods, alg, claims, sent] = [undefined, 'RS256', {}, undefined];
    faults.length = 0;
  });
  afterAll(() => void server.close());
  const finish = (requireLogin = false) =>
    createOpenIdProvider({
      label: 'Home',
      issuer: site,
      client: { id: 'id', secret },
      canRequireLogin: true,
      log: pino({}, { write: (line) => void faults.push(JSON.parse(line)) }),
    }).finish('code=abc&state=s', secrets, { returnAddress, requireLogin });

  it.each([
    ['in a header, without a word about it', undefined, true],
    ['in a header', ['client_secret_basic'], true],
    ['in the form', ['client_secret_post'], false],
    ['in the form, given the choice', ['client_secret_basic', 'client_secret_post'], false],
  ])('gets the secret %s', async (_, supported, inHeader) => {
    methods = supported;
    expect(await finish()).toMatchObject({ ok: true, value: { subject: 'ida' } });
    expect([sent?.header?.startsWith('Basic '), sent?.form.has('client_secret')]).toEqual(
      inHeader ? [true, false] : [undefined, true],
    );
  });

  it('gets no secret if it takes none', async () => {
    methods = ['private_key_jwt'];
    expect(await finish()).toEqual({ ok: false, reason: 'failed' });
    expect(sent).toBeUndefined();
    expect(JSON.stringify(faults)).toContain('only private_key_jwt');
  });

  it("can't confirm who it is without auth_time, and the log says what to do", async () => {
    expect(await finish(true)).toEqual({ ok: false, reason: 'untimed' });
    expect(faults).toMatchObject([{ fault: { detail: expect.stringContaining('auth_time') as string } }]);
    expect(faults).toMatchObject([{ remedy: expect.stringContaining('auth_time') as string }]);
    claims = { auth_time: Math.floor(Date.now() / 1000) };
    expect(await finish(true)).toMatchObject({ ok: true });
    claims = { auth_time: Math.floor(Date.now() / 1000) - 3600 };
    expect(await finish(true)).toEqual({ ok: false, reason: 'failed' });
  });

  it('is refused if it signs with a shared secret, and the log says what to do', async () => {
    alg = 'HS256';
    expect(await finish()).toEqual({ ok: false, reason: 'failed' });
    expect(faults).toMatchObject([{ remedy: expect.stringContaining('RS256 or ES256 instead of HS256') as string }]);
  });
});

describe('GitHub', () => {
  /** The fake GitHub's answers, by path, and the requests that it received. */
  let answers: Record<string, { status?: number; body: unknown }>;
  let asked: { path: string; headers: IncomingMessage['headers']; body: string }[];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (part: string) => (body += part));
    request.on('end', () => {
      const path = request.url ?? '';
      asked.push({ path, headers: request.headers, body });
      const answer = answers[path] ?? { status: 404, body: {} };
      response.writeHead(answer.status ?? 200, { 'content-type': 'application/json; charset=utf-8' });
      response.end(JSON.stringify(answer.body));
    });
  });
  let site = '';
  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    site = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  beforeEach(() => {
    asked = [];
    answers = {
      '/login/oauth/access_token': { body: { access_token: 'gho_x', scope: 'user:email', token_type: 'bearer' } },
      '/user': { body: { id: 4711, login: 'octocat', email: 'public@example.org' } },
      '/user/emails': {
        body: [
          { email: 'other@example.org', primary: false, verified: true },
          { email: 'mira@example.org', primary: true, verified: true },
        ],
      },
    };
  });
  afterAll(() => void server.close());

  const secrets = { state: 'the state', nonce: 'unused', verifier: 'v'.repeat(44) };
  const options = { returnAddress: 'https://hours.example.org/sign-in/github', requireLogin: false };
  const create = () =>
    createGitHubProvider({ client: { id: 'id', secret: 'hush' }, log: pino({ level: 'silent' }), site, api: site });
  const finish = (answer = 'code=abc&state=the+state') => create().finish(answer, secrets, options);

  it('is asked with PKCE and state, only for email addresses', async () => {
    const begun = await create().begin(secrets, options);
    const address = new URL(begun.ok ? begun.value : '');
    expect(address.pathname).toBe('/login/oauth/authorize');
    expect(Object.fromEntries(address.searchParams)).toEqual({
      response_type: 'code',
      client_id: 'id',
      redirect_uri: options.returnAddress,
      scope: 'user:email',
      state: 'the state',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/) as string,
      code_challenge_method: 'S256',
    });
  });

  it('identifies the user by number, with the address that it has verified', async () => {
    expect(await finish()).toEqual({
      ok: true,
      value: { issuer: 'https://github.com', subject: '4711', email: 'mira@example.org', name: 'octocat' },
    });
    const [token, ...reads] = asked;
    expect(Object.fromEntries(new URLSearchParams(token?.body))).toMatchObject({
      code: 'abc',
      code_verifier: secrets.verifier,
      redirect_uri: options.returnAddress,
      client_secret: 'hush',
    });
    expect(reads.map(({ headers }) => headers.authorization)).toEqual(['Bearer gho_x', 'Bearer gho_x']);
  });

  it('does not vouch for an address that it has not verified', async () => {
    answers['/user/emails'] = { body: [{ email: 'mira@example.org', primary: true, verified: false }] };
    expect(await finish()).toMatchObject({ ok: true, value: { email: null } });
    answers['/user/emails'] = { body: { message: 'surprise' } };
    expect(await finish()).toMatchObject({ ok: true, value: { email: null } });
  });

  it.each([
    ['another state', 'code=abc&state=x', 'failed'],
    ['no code', 'state=the+state', 'failed'],
    ['a refusal', 'error=access_denied&state=the+state', 'denied'],
    ['a fault of its own', 'error=server_error&state=the+state', 'unreachable'],
  ])('that answers with %s identifies no one, and gets no request', async (_, answer, reason) => {
    expect(await finish(answer)).toEqual({ ok: false, reason });
    expect(asked).toEqual([]);
  });

  it.each<[string, string, { status?: number; body: unknown }, string]>([
    ['refuses the code', '/login/oauth/access_token', { body: { error: 'bad_verification_code' } }, 'failed'],
    ['fails', '/login/oauth/access_token', { status: 502, body: {} }, 'unreachable'],
    ['fails to say who it is', '/user', { status: 500, body: {} }, 'unreachable'],
    ['gives no number', '/user', { body: { id: '4711' } }, 'unreachable'],
    ['refuses to list addresses', '/user/emails', { status: 403, body: {} }, 'unreachable'],
  ])('that %s identifies no one', async (_, path, answer, reason) => {
    answers[path] = answer;
    expect(await finish()).toEqual({ ok: false, reason });
  });
});
