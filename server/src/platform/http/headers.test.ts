import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import type { SignedIn } from '@hourshare/contract/sign-ins';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { openTestApi, TEST_PASSWORD, type Answer, type TestApi } from '../../testing/api.ts';
import { serverOptions } from './server-options.ts';

let api: TestApi;
let behindTls: TestApi;
beforeAll(async () => {
  api = await openTestApi();
  behindTls = await openTestApi({ APP_URL: 'https://hours.example.org' });
});
beforeEach(() => api.reset());
afterAll(async () => {
  await api.close();
  await behindTls.close();
});

const EVIL = 'https://evil.example';

/**
 * Returns responses of every kind: successes, rejections before and after routing, pages, and calls without a route.
 */
async function everyKindOfAnswer(from: TestApi, as: SignedIn): Promise<Record<string, Answer>> {
  const json = { 'content-type': 'application/json' };
  return {
    success: await from.call('GET', '/api/me/', { as }),
    created: await from.call('POST', '/api/assets/', { as, body: { name: 'Gym', subscription_cost: 5 } }),
    keyed: await from.call('POST', '/api/assets/', {
      as,
      body: { name: 'Gym', subscription_cost: 5 },
      headers: { 'idempotency-key': 'one' },
    }),
    nothing: await from.call('POST', '/api/logout/', {}),
    head: await from.call('HEAD', '/api/me/', { as }),
    'not signed in': await from.call('GET', '/api/me/'),
    'not found': await from.call('GET', '/api/assets/999/', { as }),
    'no route': await from.call('GET', '/api/nothing/'),
    'no method': await from.call('DELETE', '/api/me/', { as }),
    preflight: await from.call('OPTIONS', '/api/me/', {
      headers: { origin: EVIL, 'access-control-request-method': 'GET' },
    }),
    'no address': await from.call('GET', '/api/%zz/'),
    'long parameter': await from.call('GET', `/api/assets/${'1'.repeat(500)}/`),
    invalid: await from.call('POST', '/api/login/', { body: {} }),
    broken: await from.call('POST', '/api/login/', { body: '{', headers: json }),
    'too large': await from.call('POST', '/api/login/', { body: `"${'x'.repeat(70_000)}"`, headers: json }),
    'other type': await from.call('POST', '/api/login/', { body: 'x', headers: { 'content-type': 'text/plain' } }),
    health: await from.call('GET', '/healthz'),
    readiness: await from.call('GET', '/readyz'),
    description: await from.call('GET', '/api/openapi.json'),
    documentation: await from.call('GET', '/api/docs/'),
    'page that is not there': await from.call('GET', '/dashboard'),
  };
}

/** Those that may be pages, and the others. */
function split({ documentation, health, readiness, 'page that is not there': page, ...calls }: Record<string, Answer>) {
  return { pages: { documentation, health, readiness, page } as Record<string, Answer>, calls };
}

const headerOf = (answers: Record<string, Answer>, name: string) =>
  Object.fromEntries(Object.entries(answers).map(([kind, { headers }]) => [kind, headers[name]]));

const allAre = (answers: Record<string, Answer>, value: unknown) =>
  Object.fromEntries(Object.keys(answers).map((kind) => [kind, value]));

const directives = (policy: unknown) =>
  new Map(
    String(policy)
      .split(';')
      .map((each) => each.trim().split(/\s+/))
      .map(([name = '', ...sources]) => [name, sources.join(' ')]),
  );

describe('every response', () => {
  it('allows only scripts of its own origin, and no frame around it', async () => {
    const answers = await everyKindOfAnswer(api, await api.register('mira'));
    for (const [kind, policy] of Object.entries(headerOf(answers, 'content-security-policy'))) {
      const allowed = directives(policy);
      expect([kind, allowed.get('default-src'), allowed.get('frame-ancestors')]).toEqual([kind, "'none'", "'none'"]);
      expect(['kind', "'self'"]).toContain(allowed.get('script-src') ?? 'kind');
      expect(String(policy)).not.toMatch(/unsafe-eval|script-src[^;]*unsafe|https?:|\*|blob:/);
    }
    expect(headerOf(answers, 'x-frame-options')).toEqual(allAre(answers, 'DENY'));
  });

  it('that is data runs and loads nothing, and has no header that only pages need', async () => {
    const { calls } = split(await everyKindOfAnswer(api, await api.register('mira')));
    const policy = "default-src 'none';frame-ancestors 'none'";
    expect(headerOf(calls, 'content-security-policy')).toEqual(allAre(calls, policy));
    for (const name of ['permissions-policy', 'cross-origin-opener-policy', 'x-xss-protection'])
      expect(headerOf(calls, name)).toEqual(allAre(calls, undefined));
  });

  it.each([
    ['permissions-policy', 'camera=(), geolocation=(), microphone=(), payment=(), usb=()'],
    ['cross-origin-opener-policy', 'same-origin'],
  ])('that may be a page has %s', async (name, value) => {
    const { pages } = split(await everyKindOfAnswer(api, await api.register('mira')));
    expect(headerOf(pages, name)).toEqual(allAre(pages, value));
  });

  it('forbids content sniffing and referrers', async () => {
    const answers = await everyKindOfAnswer(api, await api.register('mira'));
    expect(headerOf(answers, 'x-content-type-options')).toEqual(allAre(answers, 'nosniff'));
    expect(headerOf(answers, 'referrer-policy')).toEqual(allAre(answers, 'no-referrer'));
  });

  it('forbids use by other sites', async () => {
    const answers = await everyKindOfAnswer(api, await api.register('mira'));
    expect(headerOf(answers, 'cross-origin-resource-policy')).toEqual(allAre(answers, 'same-origin'));
  });

  it("doesn't reveal the server's software", async () => {
    const answers = await everyKindOfAnswer(api, await api.register('mira'));
    for (const name of ['server', 'x-powered-by', 'via'])
      expect(headerOf(answers, name)).toEqual(allAre(answers, undefined));
  });

  it('gives other origins no permission, not even after a preflight', async () => {
    const as = await api.register('mira');
    const permission = /^access-control-/;
    for (const origin of [EVIL, 'null', 'http://localhost:3000', 'http://localhost'])
      for (const method of ['GET', 'POST', 'OPTIONS', 'HEAD'])
        for (const path of ['/api/me/', '/api/login/', '/api/assets/', '/api/openapi.json', '/', '/healthz']) {
          const asked = {
            origin,
            'access-control-request-method': 'POST',
            'access-control-request-headers': 'authorization',
          };
          const { headers } = await api.call(method, path, { as, headers: asked });
          expect(Object.keys(headers).filter((name) => permission.test(name))).toEqual([]);
        }
  });

  it('to an API call sets no cookie and is never cached', async () => {
    const answers = await everyKindOfAnswer(api, await api.register('mira'));
    expect(headerOf(answers, 'set-cookie')).toEqual(allAre(answers, undefined));
    const { description: _description, documentation: _documentation, ...calls } = answers;
    delete calls['page that is not there'];
    expect(headerOf(calls, 'cache-control')).toEqual(allAre(calls, 'no-store'));
  });
});

describe('strict transport security', () => {
  it("is sent when the app's address is https, and never otherwise", async () => {
    const plain = await everyKindOfAnswer(api, await api.register('mira'));
    expect(headerOf(plain, 'strict-transport-security')).toEqual(allAre(plain, undefined));
    const page = 'page that is not there';
    expect(headerOf(plain, 'content-security-policy')[page]).not.toContain('upgrade-insecure-requests');

    const secure = await everyKindOfAnswer(behindTls, await behindTls.register('mira'));
    expect(headerOf(secure, 'strict-transport-security')).toEqual(allAre(secure, 'max-age=31536000'));
    expect(headerOf(secure, 'content-security-policy')[page]).toContain('upgrade-insecure-requests');
  });
});

/** Returns the addresses of the scripts, styles and icons that a browser would load for a page. */
const namedBy = (page: string) =>
  [...page.matchAll(/<(?:script|link)\b[^>]*?\b(?:src|href)="([^"]+)"/g)].map(([, address]) => address ?? '');

describe('the API page', () => {
  it.each(['/api/docs/', '/api/docs'])(
    'loads at %s with nothing inline and every file from this server',
    async (path) => {
      const page = await api.call('GET', path);
      expect(page).toMatchObject({ status: 200, headers: { 'content-type': 'text/html; charset=utf-8' } });
      expect(page.text).not.toMatch(/<script(?![^>]*\bsrc=)|\son\w+=/i);
      const named = namedBy(page.text);
      expect(named.filter((address) => address.endsWith('.js')).length).toBeGreaterThan(1);
      for (const address of named) {
        const url = new URL(address, `http://app.example${path}`);
        expect(url.origin).toBe('http://app.example');
        const file = await api.call('GET', url.pathname);
        expect([url.pathname, file.status]).toEqual([url.pathname, 200]);
        expect(file.headers['x-content-type-options']).toBe('nosniff');
      }
    },
  );

  it('reads the description from this server only', async () => {
    const start = await api.call('GET', '/api/docs/static/swagger-initializer.js');
    expect(start.status).toBe(200);
    const told = await api.call('GET', '/api/docs/json');
    expect(told.body).toEqual((await api.call('GET', '/api/openapi.json')).body);
  });
});

/** Sends bytes over a raw connection. Returns the response once the server has closed it. */
async function exchange(
  to: TestApi,
  bytes: string,
): Promise<{ status: number; headers: Map<string, string>; body: string }> {
  if (!to.app.server.listening) await to.app.listen({ port: 0, host: '127.0.0.1' });
  const socket = connect((to.app.server.address() as AddressInfo).port, '127.0.0.1');
  socket.write(bytes);
  let received = '';
  socket.setEncoding('utf8').on('data', (text: string) => (received += text));
  await once(socket, 'close');
  const [head = '', body = ''] = received.split('\r\n\r\n');
  const [first = '', ...lines] = head.split('\r\n');
  const headers = new Map(lines.map((line) => [line.split(':', 1)[0]!.toLowerCase(), line.replace(/^[^:]*: /, '')]));
  return { status: Number(/^HTTP\/1\.1 (\d{3}) /.exec(first)?.[1]), headers, body };
}

/** Headers that differ between responses or concern the connection. */
const OWN_HEADERS = ['x-request-id', 'content-length', 'date', 'connection', 'keep-alive'];

function sharedHeaders({ headers }: { headers: Map<string, string> }): Record<string, string> {
  return Object.fromEntries([...headers].filter(([name]) => !OWN_HEADERS.includes(name)));
}

const closing = 'host: x\r\nconnection: close\r\n';
const chunkExtension = `1;${'x'.repeat(20_000)}\r\nx\r\n0\r\n\r\n`;

describe('a response before routing', () => {
  it.each([
    ['nonsense', 'hello\r\n\r\n', 400, 'malformed_request'],
    [
      'headers without end',
      `GET /healthz HTTP/1.1\r\nhost: x\r\nx: ${'y'.repeat(40_000)}\r\n\r\n`,
      431,
      'headers_too_large',
    ],
    [
      'two lengths',
      'POST /api/login/ HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nxx',
      400,
      'malformed_request',
    ],
    [
      'a length and chunks',
      'POST /api/login/ HTTP/1.1\r\nhost: x\r\ncontent-length: 3\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
      'malformed_request',
    ],
    ['a NUL in a header', 'GET /healthz HTTP/1.1\r\nhost: x\r\nx: a\u0000b\r\n\r\n', 400, 'malformed_request'],
    ['no host', 'GET /api/nothing/ HTTP/1.1\r\nconnection: close\r\n\r\n', 400, 'malformed_request'],
    ['an unknown method', `FETCH / HTTP/1.1\r\n${closing}\r\n`, 400, 'malformed_request'],
    ['a method of no route', `PROPFIND /api/nothing/ HTTP/1.1\r\n${closing}\r\n`, 404, 'not_found'],
    ['a broken address', `GET /api/%zz/ HTTP/1.1\r\n${closing}\r\n`, 404, 'not_found'],
    ['a long parameter', `GET /api/assets/${'1'.repeat(500)}/ HTTP/1.1\r\n${closing}\r\n`, 404, 'not_found'],
    [
      'an unknown expectation',
      `GET /api/nothing/ HTTP/1.1\r\n${closing}expect: tea\r\n\r\n`,
      417,
      'expectation_failed',
    ],
    [
      'long chunk extensions',
      `POST /api/login/ HTTP/1.1\r\n${closing}content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n${chunkExtension}`,
      413,
      'body_too_large',
    ],
  ])(
    'to %s is a catalog error in JSON with the headers of every other response',
    async (_what, bytes, status, code) => {
      for (const server of [api, behindTls]) {
        const ordinary = await exchange(server, `GET /api/nothing/ HTTP/1.1\r\n${closing}\r\n`);
        const answer = await exchange(server, bytes);
        expect(answer.status).toBe(status);
        expect(JSON.parse(answer.body)).toEqual({ error: expect.any(String) as string, code });
        expect(answer.headers.get('connection')).toBe('close');
        expect(sharedHeaders(answer)).toEqual(sharedHeaders(ordinary));
      }
    },
  );

  it('to a request that arrives too slowly is a catalog error in JSON with the same headers', async () => {
    const { server } = behindTls.app;
    const { headersTimeout } = server;
    server.headersTimeout = 1;
    const answer = await exchange(behindTls, 'GET /healthz HTTP/1.1\r\nhost: x\r\n');
    server.headersTimeout = headersTimeout;
    const ordinary = await exchange(behindTls, `GET /api/nothing/ HTTP/1.1\r\n${closing}\r\n`);
    expect([answer.status, JSON.parse(answer.body)]).toMatchObject([408, { code: 'request_timeout' }]);
    expect(sharedHeaders(answer)).toEqual(sharedHeaders(ordinary));
  });
});

it.each([
  ['content-length: 1000000\r\n\r\n', '{"a":1}'.padEnd(1_000_000)],
  ['transfer-encoding: chunked\r\n\r\n', `f4240\r\n${'{"a":1}'.padEnd(1_000_000)}\r\n0\r\n\r\n`],
])('reads the rest of a body that is too long, so that the client sees the answer: %j', async (length, body) => {
  if (!api.app.server.listening) await api.app.listen({ port: 0, host: '127.0.0.1' });
  const socket = connect((api.app.server.address() as AddressInfo).port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket
    .setEncoding('utf8')
    .write(`POST /api/login/ HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n${length}`);
  socket.write(body.slice(0, 70_000));
  const [answer] = (await once(socket, 'data')) as [string];
  expect(answer).toMatch(/^HTTP\/1\.1 413 /);
  socket.write(body.slice(70_000));
  socket.write(`GET /healthz HTTP/1.1\r\n${closing}\r\n`);
  const [next] = (await once(socket, 'data')) as [string];
  expect(next).toMatch(/^HTTP\/1\.1 200 /);
});

it('allows 10 seconds for headers, 15 for a whole request (checked every 5), and 120 without traffic', () => {
  const { headersTimeout, requestTimeout, timeout } = api.app.server;
  expect({ headersTimeout, requestTimeout, timeout }).toEqual({
    headersTimeout: 10_000,
    requestTimeout: 15_000,
    timeout: 120_000,
  });
  expect(serverOptions({}).http.connectionsCheckingInterval).toBeLessThanOrEqual(headersTimeout / 2);
});

it('never includes any part of the password in a response', async () => {
  const answers = await everyKindOfAnswer(api, await api.register('mira'));
  expect(Object.values(answers).filter(({ text }) => text.includes(TEST_PASSWORD))).toEqual([]);
});
