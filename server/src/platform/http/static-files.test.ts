import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { openTestApi, type TestApi } from '../../testing/api.ts';

const LANDING = '<!doctype html><title>Share the plan</title><h1>Share the plan</h1>';
const ABOUT = '<!doctype html><title>About</title><h1>About</h1>';
const LINKS = `<link rel="canonical" href="/terms" /><link rel="alternate" hreflang="pt-BR" href="/pt-BR/terms" />`;
const PICTURE = '<meta property="og:image" content="/social.png" />';
const TERMS = `<!doctype html>${LINKS}${PICTURE}<link rel="stylesheet" href="/static/style-abc123.css" /><a href="/about">About</a>`;
const PORTUGUESE = '<!doctype html><html lang="pt-BR"><h1>Dividam o plano</h1>';
const PORTUGUESE_ABOUT = '<!doctype html><html lang="pt-BR"><h1>Sobre</h1>';
const PAGE = '<!doctype html><title>HourShare</title><script type="module" src="/static/app-abc123.js"></script>';
const SCRIPT = 'console.log("app");'.repeat(50);
const SECRET = 'what nobody may read';

const YEAR = 'public, max-age=31536000, immutable';

let folder: string;
let api: TestApi;
let unbuilt: TestApi;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hourshare-web-'));
  const web = join(folder, 'dist');
  mkdirSync(join(web, 'static'), { recursive: true });
  mkdirSync(join(web, 'pt-BR'));
  mkdirSync(join(folder, 'dist-other'));
  const write = (name: string, content: string | Buffer) => writeFileSync(join(folder, name), content);
  write('secret.txt', SECRET);
  write('dist-other/secret.txt', SECRET);
  write('dist/.env', SECRET);
  mkdirSync(join(web, '.git'));
  write('dist/.git/config', SECRET);
  const packed: [name: string, content: string][] = [
    ['index.html', LANDING],
    ['about.html', ABOUT],
    ['terms.html', TERMS],
    ['pt-BR.html', PORTUGUESE],
    ['pt-BR/about.html', PORTUGUESE_ABOUT],
    ['app.html', PAGE],
    ['static/app-abc123.js', SCRIPT],
  ];
  for (const [name, content] of packed) {
    write(`dist/${name}`, content);
    write(`dist/${name}.br`, brotliCompressSync(content));
    write(`dist/${name}.gz`, gzipSync(content));
  }
  write('dist/static/style-abc123.css', 'body{}');
  write('dist/favicon.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>');
  write('dist/favicon.ico', 'ico');
  write('dist/service-worker.js', SCRIPT);
  write('dist/icon-192.png', 'png');
  write('dist/manifest.webmanifest', '{}');
  write('dist/robots.txt', 'User-agent: *\n');
  symlinkSync(join(folder, 'secret.txt'), join(folder, 'outside.txt'));
  api = await openTestApi({}, { webDir: web });
  unbuilt = await openTestApi({}, { webDir: join(folder, 'nowhere') });
});
afterAll(async () => {
  await api.close();
  await unbuilt.close();
  rmSync(folder, { recursive: true });
});

const get = (path: string, headers: Record<string, string> = {}) => api.call('GET', path, { headers });
const bytes = async (path: string, encoding: string) =>
  api.app.inject({ method: 'GET', url: path, headers: { 'accept-encoding': encoding } });

/** Returns the response to a path exactly as written, which a client would normalize first. */
async function getUntidied(path: string): Promise<string> {
  if (!api.app.server.listening) await api.app.listen({ port: 0, host: '127.0.0.1' });
  const socket = connect((api.app.server.address() as AddressInfo).port, '127.0.0.1');
  let received = '';
  socket.setEncoding('utf8').on('data', (text: string) => (received += text));
  socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`);
  await once(socket, 'close');
  return received;
}

describe('the app page', () => {
  const places = [
    '/dashboard',
    '/assets',
    '/login?next=%2Fassets',
    '/nowhere/at/all',
    '/static-pages',
    '/apical',
    '/x.js',
  ];

  it.each(places)('is served at %s and revalidated each time', async (path) => {
    const page = await get(path);
    expect(page).toMatchObject({ status: 200, text: PAGE });
    expect(page.headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' });
    expect(page.headers['content-security-policy']).toMatch(/script-src 'self'(?:;|$)/);
    expect(page.headers['x-content-type-options']).toBe('nosniff');
    expect(await api.call('HEAD', path)).toMatchObject({ status: 200, text: '' });
  });

  it("isn't sent again to a browser that has it", async () => {
    const { headers } = await get('/dashboard');
    const again = await get('/dashboard', { 'if-none-match': String(headers['etag']) });
    expect(again).toMatchObject({ status: 304, text: '' });
    expect(again.headers['cache-control']).toBe('no-cache');
  });

  it('keeps its policy when it is not sent again, and so does the service worker', async () => {
    for (const path of ['/dashboard', '/about', '/service-worker.js']) {
      const { headers } = await get(path);
      const again = await get(path, { 'if-none-match': String(headers['etag']) });
      expect([path, again.status]).toEqual([path, 304]);
      for (const answer of [headers, again.headers])
        expect(answer['content-security-policy']).toMatch(/script-src 'self';.*connect-src 'self'/);
    }
  });

  it("isn't sent to a request that doesn't accept a page", async () => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
      expect(await api.call(method, '/dashboard')).toMatchObject({ status: 404, body: { code: 'not_found' } });
    for (const path of ['/api', '/api/', '/api/nothing', '/api/static/app-abc123.js', '/api?x=1'])
      expect(await get(path)).toMatchObject({ status: 404, body: { code: 'not_found' } });
  });
});

it('an address with its host gets the same response as its path alone', async () => {
  for (const host of ['http://x', 'https://evil.example:1']) {
    expect(await getUntidied(`${host}/api/nothing?x=1`)).toMatch(/^HTTP\/1\.1 404 .*"not_found"/s);
    expect(await getUntidied(`${host}/static/app-gone.js`)).toMatch(/^HTTP\/1\.1 404 /);
    expect(await getUntidied(`${host}/about`)).toContain(ABOUT);
    expect(await getUntidied(`${host}/dashboard`)).toContain(PAGE);
    expect(await getUntidied(`${host}/api/me/`)).toMatch(/^HTTP\/1\.1 401 /);
  }
});

describe('a page rendered at build time', () => {
  it.each([
    ['/', LANDING],
    ['/?from=a-friend', LANDING],
    ['/about', ABOUT],
    ['/about?x=1', ABOUT],
    ['/pt-BR', PORTUGUESE],
    ['/pt-BR/about', PORTUGUESE_ABOUT],
  ])('is served at %s and revalidated each time', async (path, content) => {
    const page = await get(path);
    expect(page).toMatchObject({ status: 200, text: content });
    expect(page.headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' });
    expect(await get(path, { 'if-none-match': String(page.headers['etag']) })).toMatchObject({ status: 304, text: '' });
    expect(await api.call('HEAD', path)).toMatchObject({ status: 200, text: '' });
  });

  it.each([
    '/about/us',
    '/About',
    '/about.html',
    '/about.html.br',
    '/index.html',
    '/pt-br',
    '/pt-BR/nothing',
    '/fr/about',
    '/aboutx',
    '/app',
    '/index',
    '/x/about',
  ])("isn't served at %s", async (path) => {
    expect(await get(path)).toMatchObject({ status: 200, text: PAGE });
  });
});

describe('the head of a public page', () => {
  const linksOf = (html: string) =>
    [...html.matchAll(/<link rel="(?:canonical|alternate)"[^>]* href="([^"]*)"/g)].map(([, to]) => to);
  const linksFor = (origin: string) => [`${origin}/terms`, `${origin}/pt-BR/terms`];

  it('has addresses with the host that the visitor used', async () => {
    const { text } = await get('/terms', { host: 'hours.local:3000' });
    expect(linksOf(text)).toEqual(linksFor('http://hours.local:3000'));
    expect(text).toContain('content="http://hours.local:3000/social.png"');
    expect(text.replaceAll('http://hours.local:3000', '')).toBe(TERMS);
    expect(text).toContain('href="/static/style-abc123.css"');
  });

  it('never has text from a host that is none', async () => {
    for (const host of ['"><script>', 'a b', "x'", 'x/y', 'x%22'])
      expect(linksOf((await get('/terms', { host })).text)).toEqual(linksFor(''));
  });

  it('never has text from a protocol that is none', async () => {
    const behind = await openTestApi({ TRUST_PROXY: '127.0.0.1' }, { webDir: join(folder, 'dist') });
    for (const [protocol, origin] of [
      ['https', 'https://hours.local'],
      ['x"><script>', 'http://hours.local'],
    ] as const) {
      const headers = { host: 'hours.local', 'x-forwarded-for': '203.0.113.7', 'x-forwarded-proto': protocol };
      const { text } = await behind.call('GET', '/terms', { headers, remoteAddress: '127.0.0.1' });
      expect(linksOf(text)).toEqual(linksFor(origin));
    }
    await behind.close();
  });

  it('has the host that a trusted proxy names, and no one else', async () => {
    const behind = await openTestApi({ TRUST_PROXY: '127.0.0.1' }, { webDir: join(folder, 'dist') });
    const headers = { host: 'inner.local:3000', 'x-forwarded-host': 'hours.example', 'x-forwarded-proto': 'https' };
    for (const [remoteAddress, origin] of [
      ['127.0.0.1', 'https://hours.example'],
      ['203.0.113.7', 'http://inner.local:3000'],
    ] as const)
      expect(linksOf((await behind.call('GET', '/terms', { headers, remoteAddress })).text)).toEqual(linksFor(origin));
    await behind.close();
  });

  it('has the public address of the server if one is set, whatever the host', async () => {
    const server = await openTestApi({ APP_URL: 'https://hours.example.org' }, { webDir: join(folder, 'dist') });
    const { text } = await server.call('GET', '/terms', { headers: { host: 'evil.example' } });
    await server.close();
    expect(linksOf(text)).toEqual(linksFor('https://hours.example.org'));
  });

  it('is sent again to a browser that used another host', async () => {
    const { headers } = await get('/terms', { host: 'one.example' });
    const etag = String(headers['etag']);
    expect((await get('/terms', { host: 'one.example', 'if-none-match': `"x", ${etag}` })).status).toBe(304);
    expect((await get('/terms', { host: 'two.example', 'if-none-match': etag })).status).toBe(200);
  });
});

it.each([
  ['/about/', '/about'],
  ['/pt-BR/?from=a-friend', '/pt-BR?from=a-friend'],
  ['/pt-BR/about/', '/pt-BR/about'],
])('%s leads to the address of the page, %s', async (path, address) => {
  expect(await get(path)).toMatchObject({ status: 308, headers: { location: address } });
});

it('leads from the landing page to the sign-in, if the server has none', async () => {
  const closed = await openTestApi({ LANDING_PAGE: 'off' }, { webDir: join(folder, 'dist') });
  onTestFinished(() => closed.close());
  for (const path of ['/', '/pt-BR', '/?from=elsewhere'])
    expect(await closed.call('GET', path)).toMatchObject({
      status: 302,
      headers: { location: '/login', 'cache-control': 'no-store' },
    });
  expect(await closed.call('GET', '/pt-BR/about')).toMatchObject({ status: 200, text: PORTUGUESE_ABOUT });
  expect((await closed.call<{ landing: boolean }>('GET', '/api/about/')).body.landing).toBe(false);
});

it('the request target * gets the landing page, not a redirect', async () => {
  expect(await getUntidied('*')).toMatch(/^HTTP\/1\.1 200 /);
});

it('a trailing slash never leads to another host', async () => {
  for (const path of ['//evil.example/', '//evil.example/about/', '/https://evil.example/about/', '/dashboard/'])
    expect(await get(path)).toMatchObject({ status: 200, text: PAGE });
  expect(await getUntidied('https://evil.example/about/?x=/about/')).toMatch(/location: \/about\?x=\/about\/\r/i);
});

describe('files with a hash in their name', () => {
  it.each(['/static/app-abc123.js', '/static/style-abc123.css', '/static/app-abc123.js?v=2'])(
    'such as %s are cached for a year',
    async (path) => {
      const file = await get(path);
      expect(file).toMatchObject({ status: 200, headers: { 'cache-control': YEAR } });
      expect(file.headers['content-type']).toMatch(/^(?:text|application)\/(?:javascript|css); charset=utf-8$/);
    },
  );

  it.each(['/static/app-gone.js', '/static/', '/static/nested/app.js', '/static/app-abc123.js.map'])(
    "that don't exist, such as %s, answer 404 instead of a page",
    async (path) => {
      const missing = await get(path);
      expect(missing).toMatchObject({ status: 404, headers: { 'content-type': 'text/plain; charset=utf-8' } });
      expect(missing.text).not.toContain('<');
      expect(missing.headers['cache-control'] ?? 'none').not.toMatch(/max-age|immutable/);
    },
  );
});

it.each([
  ['/favicon.svg', 'image/svg+xml; charset=utf-8'],
  ['/favicon.ico', 'image/vnd.microsoft.icon'],
  ['/icon-192.png', 'image/png'],
  ['/manifest.webmanifest', 'application/manifest+json'],
  ['/robots.txt', 'text/plain; charset=utf-8'],
])('%s is served as %s and revalidated each time', async (path, type) => {
  const { status, headers } = await get(path);
  expect([status, headers['content-type'], headers['cache-control']]).toEqual([200, type, 'no-cache']);
  expect(headers['content-security-policy']).toMatch(/img-src 'self' data:;.*manifest-src 'self';/);
  expect((await get(path, { 'if-none-match': String(headers['etag']) })).status).toBe(304);
});

describe('compressed files', () => {
  const wanted: [accepts: string, gets: string | undefined][] = [
    ['br', 'br'],
    ['gzip', 'gzip'],
    ['gzip, deflate, br', 'br'],
    ['gzip;q=1.0, br;q=0', 'gzip'],
    ['identity', undefined],
    ['', undefined],
    ['zstd', undefined],
  ];
  const unpack = (encoding: unknown, content: Buffer) => {
    if (encoding === 'br') return brotliDecompressSync(content);
    return encoding === 'gzip' ? gunzipSync(content) : content;
  };

  it.each(wanted)('are sent to a browser that accepts "%s" as %s', async (accepts, gets) => {
    for (const [path, content, cached] of [
      ['/static/app-abc123.js', SCRIPT, YEAR],
      ['/', LANDING, 'no-cache'],
      ['/about', ABOUT, 'no-cache'],
      ['/deep/link', PAGE, 'no-cache'],
    ] as const) {
      const { headers, rawPayload } = await bytes(path, accepts);
      expect([path, headers['content-encoding']]).toEqual([path, gets]);
      expect(unpack(headers['content-encoding'], rawPayload).toString()).toBe(content);
      expect(headers['content-type']).toMatch(/^(?:text|application)\/(?:javascript|html); charset=utf-8$/);
      expect(headers['cache-control']).toBe(cached);
      expect(String(headers['vary']).toLowerCase()).toContain('accept-encoding');
    }
  });

  it('are sent uncompressed when there is no compressed one', async () => {
    const { headers, body } = await bytes('/static/style-abc123.css', 'br, gzip');
    expect([headers['content-encoding'], body]).toEqual([undefined, 'body{}']);
  });
});

it('names the character encoding of every text it serves', async () => {
  const paths = ['/', '/about', '/dashboard', '/static/app-abc123.js', '/static/style-abc123.css', '/robots.txt'];
  for (const path of [...paths, '/static/gone-abc123.js', '/healthz', '/api/nothing', '/api/openapi.json'])
    expect([path, (await get(path)).headers['content-type']]).toEqual([
      path,
      expect.stringMatching(/^[a-z]+\/[a-z]+; charset=utf-8$/),
    ]);
  expect((await unbuilt.call('GET', '/')).headers['content-type']).toBe('text/plain; charset=utf-8');
});

describe('a partial request', () => {
  it('gets the requested range', async () => {
    const part = await get('/static/style-abc123.css', { range: 'bytes=0-3' });
    expect(part).toMatchObject({ status: 206, text: 'body', headers: { 'content-range': 'bytes 0-3/6' } });
  });

  it.each([{ range: 'bytes=900-' }, { 'if-match': '"another"' }, { 'if-unmodified-since': new Date(0).toUTCString() }])(
    "that can't be satisfied (%j) is a client error",
    async (headers) => {
      for (const path of ['/static/style-abc123.css', '/deep/link', '/api/docs/static/index.css']) {
        const { status, body } = await get(path, headers);
        expect([path, status, body]).toMatchObject([path, 400, { code: 'malformed_request' }]);
      }
    },
  );
});

describe('a path outside the folder', () => {
  const up = ['..', '%2e%2e', '.%2e', '%2E.', '..%00', '%c0%ae%c0%ae', '..;', '%252e%252e', '....'];
  const slashes = ['/', '%2f', '\\', '%5c', '//', '%252f'];
  const variants = up.flatMap((dots) =>
    slashes.flatMap((slash) => [
      `/${dots}${slash}secret.txt`,
      `/static${slash}${dots}${slash}${dots}${slash}secret.txt`,
      `/static/${dots}${slash}${dots}${slash}dist-other${slash}secret.txt`,
      `${slash}${dots}${slash}dist-other${slash}secret.txt`,
      `/api/docs/static/${`${dots}${slash}`.repeat(12)}etc${slash}passwd`,
      `/${`${dots}${slash}`.repeat(12)}etc${slash}passwd`,
    ]),
  );

  it('finds nothing, however it is written', async () => {
    for (const path of [
      ...variants,
      `/${join(folder, 'secret.txt')}`,
      `//${folder}/secret.txt`,
      '/.env',
      '/static/../.env',
      '/.git/config',
      '/%2egit/config',
      '/static/../.git/config',
    ]) {
      const { status, text } = await get(path);
      expect([path, text.includes(SECRET), text.includes('root:'), status < 500]).toEqual([path, false, false, true]);
    }
  });

  it('finds nothing over a raw connection either, where no client normalizes it', async () => {
    for (const path of [...variants, '../secret.txt', 'secret.txt', `file://${folder}/secret.txt`]) {
      const received = await getUntidied(path);
      expect([path, received.includes(SECRET), received.includes('root:')]).toEqual([path, false, false]);
      expect([path, received]).toEqual([path, expect.stringMatching(/^HTTP\/1\.1 [234]/)]);
    }
  });
});

describe('a server without the built app', () => {
  it('answers 404 for pages while the API works', async () => {
    for (const path of ['/', '/dashboard', '/static/app-abc123.js'])
      expect(await unbuilt.call('GET', path)).toMatchObject({ status: 404, text: 'Not found\n' });
    expect((await unbuilt.call('GET', '/healthz')).status).toBe(200);
    expect((await unbuilt.call('GET', '/api/nothing')).body).toMatchObject({ code: 'not_found' });
  });
});
