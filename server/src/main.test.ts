import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { cp, mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { Agent, request, type IncomingMessage } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { setTimeout as pause } from 'node:timers/promises';
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it, onTestFinished } from 'vitest';
import { temporaryFolder, until } from './platform/database/testing/processes.ts';
import { onServer, withDatabase } from './platform/database/testing/templates.ts';
import { codeAt } from './platform/one-time-codes.ts';
import { exchange, openConnection, startServer, type ServerProcess } from './testing/server-process.ts';

const START_MILLISECONDS = 60_000;
const STOP_MILLISECONDS = 10_000;

/** The folder and database that all servers here use, one after another. */
let settings: Record<string, string>;
let remove: () => Promise<void>;
beforeAll(async () => ({ settings, remove } = await newSettings()));
afterAll(() => remove());

/** Creates a folder and, on PostgreSQL, a database. The caller removes them with `remove`. */
async function newSettings(): Promise<{ settings: Record<string, string>; remove: () => Promise<void> }> {
  const DATA_DIR = await mkdtemp(join(tmpdir(), 'hourshare-main-'));
  const removeFolder = () => rm(DATA_DIR, { recursive: true, force: true });
  const engine = inject('databaseTemplate');
  if ('dumpFile' in engine) return { settings: { DATA_DIR }, remove: removeFolder };
  const name = `hourshare_main_${randomBytes(6).toString('hex')}`;
  await onServer(engine.databaseUrl, `create database ${name} template ${engine.template}`);
  const remove = async () => {
    await removeFolder();
    await onServer(engine.databaseUrl, `drop database ${name} with (force)`);
  };
  return { settings: { DATA_DIR, DATABASE_URL: withDatabase(engine.databaseUrl, name) }, remove };
}

/** Starts a server and waits until it is ready; the end of the test stops it. */
async function startReadyServer(
  environment: Record<string, string> = {},
): Promise<ServerProcess & { address: string }> {
  const server = startServer({ ...settings, ...environment });
  onTestFinished(async () => {
    server.kill('SIGKILL');
    await server.ended;
  });
  const address = await server.ready;
  if (address === undefined) throw new Error(`The server did not start: ${server.stderr()}`);
  return { ...server, address };
}

const post = (address: string, path: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(`${address}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

/** Sends a login over its own keep-alive connection. Resolves when it has been sent, and with its status. */
function login(address: string, agent: Agent): { sent: Promise<void>; status: Promise<number> } {
  const headers = { 'content-type': 'application/json' };
  const loginRequest = request(`${address}/api/login/`, { agent, method: 'POST', headers });
  const status = once(loginRequest, 'response').then(async ([response]) => {
    const { statusCode } = (response as IncomingMessage).resume();
    await once(response as IncomingMessage, 'end');
    return statusCode ?? 0;
  });
  const body = JSON.stringify({ username: 'nobody', password: 'some password' });
  const sent = new Promise<void>((resolve) => void loginRequest.end(body, resolve));
  return { sent, status };
}

/** Runs a server that fails to start. Returns its exit code and output. */
async function runFailingServer(
  environment: Record<string, string>,
): Promise<{ code: number | null; stderr: string; stdout: string }> {
  const server = startServer(environment);
  onTestFinished(async () => {
    server.kill('SIGKILL');
    await server.ended;
  });
  const { code } = await server.ended;
  return { code, stderr: server.stderr(), stdout: server.stdout() };
}

describe('a running server', () => {
  let server: ServerProcess;
  let address: string;
  beforeAll(async () => {
    server = startServer(settings);
    address = (await server.ready) ?? '';
  }, START_MILLISECONDS);
  afterAll(async () => {
    server.kill('SIGTERM');
    await server.ended;
  });

  it('prints its address', () => {
    expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(server.stdout()).toContain(`HourShare is ready at ${address}\n`);
    const isEmbedded = 'dumpFile' in inject('databaseTemplate');
    expect(server.stdout().includes('Creating the database …')).toBe(isEmbedded);
    expect(server.stderr()).toBe('');
  });

  it.each(['/healthz', '/readyz'])('reports ok at %s', async (path) => {
    const answer = await fetch(`${address}${path}`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(await answer.json()).toEqual({ status: 'ok' });
  });

  it.each([
    ['garbage', '\u0000\u0001\u0002 garbage\r\n\r\n', 400, 'malformed_request'],
    ['the start of a TLS connection', Buffer.from('16030100c8010000c40303', 'hex'), 400, 'malformed_request'],
    [
      'two lengths',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nx',
      400,
      'malformed_request',
    ],
    ['headers of 100 KB', `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(100_000)}\r\n\r\n`, 431, 'headers_too_large'],
    ['an address of 100 KB', `GET /${'x'.repeat(100_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, 431, 'headers_too_large'],
  ])('answers %s with JSON and closes the connection', async (_, bytes, status, code) => {
    const answer = await exchange(address, bytes);
    const [head, body] = answer.split('\r\n\r\n') as [string, string];
    expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(head).toMatch(/^content-type: application\/json; charset=utf-8$/im);
    expect(head).toMatch(/^connection: close$/im);
    expect(JSON.parse(body)).toEqual({ error: expect.any(String) as string, code });
  });

  it('is still ready afterwards', async () => {
    expect((await fetch(`${address}/readyz`)).status).toBe(200);
  });
});

// The server itself measures the 10 seconds: past its deadline it exits with code 1.
it('serves and stops when nothing reads its output', async () => {
  const port = createServer().listen(0, '127.0.0.1');
  await once(port, 'listening');
  const { port: PORT } = port.address() as AddressInfo;
  await promisify(port.close.bind(port))();
  const server = startServer({ ...settings, PORT: String(PORT) });
  onTestFinished(() => server.kill('SIGKILL'));
  server.stopReading();
  const isReady = () =>
    fetch(`http://127.0.0.1:${PORT}/readyz`, { signal: AbortSignal.timeout(1000) }).then(
      ({ ok }) => ok,
      () => false,
    );
  await until(isReady, 'the server');
  expect(await isReady()).toBe(true);
  server.kill('SIGTERM');
  expect(await server.ended).toEqual({ code: 0, signal: null });
});

describe('a server that is told to stop', { timeout: START_MILLISECONDS + STOP_MILLISECONDS }, () => {
  it.each(['SIGTERM', 'SIGINT'] as const)(
    'by %s closes an idle connection before a request that is still arriving, which it answers',
    async (signal) => {
      const server = await startReadyServer();
      // Browsers keep such a connection open.
      const idle = await openConnection(server.address);
      idle.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
      await once(idle, 'data');
      const arriving = await openConnection(server.address);
      const answer = text(arriving);
      arriving.write(
        'POST /api/login/ HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{',
      );
      await fetch(`${server.address}/healthz`);
      server.kill(signal);
      await once(idle.resume(), 'close');
      arriving.write('}');
      // If both were only cut off at the end, the server would have refused it before.
      expect(await answer).toMatch(/^HTTP\/1\.1 400 [^]*\r\nconnection: close\r\n/i);
      expect(await server.ended).toEqual({ code: 0, signal: null });
      expect(server.stderr()).toBe('');
    },
  );

  it('answers requests in flight, refuses connections, and exits cleanly with open keep-alive connections', async () => {
    const server = await startReadyServer({ LOG_LEVEL: 'error' });
    const agent = new Agent({ keepAlive: true, maxSockets: Infinity });
    onTestFinished(() => agent.destroy());
    // Only a few passwords are compared at a time, so most of these are waiting when the server is told to stop.
    const logins = Array.from({ length: 60 }, () => login(server.address, agent));
    const statuses = Promise.all(logins.map(({ status }) => status));
    await Promise.all(logins.map(({ sent }) => sent));
    // Once this later request is answered, the logins have arrived.
    await fetch(`${server.address}/healthz`);
    server.kill('SIGTERM');
    server.kill('SIGTERM');
    await until(async () => {
      const socket = await openConnection(server.address).catch(() => undefined);
      socket?.destroy();
      return socket === undefined;
    }, 'a refused connection');
    expect(await statuses).toEqual(logins.map(() => 401));
    expect(await server.ended).toEqual({ code: 0, signal: null });
    expect(server.stdout()).toBe(`HourShare is ready at ${server.address}\n`);
    expect(server.stderr()).toBe('');
  });

  it('answers each of 150 logins sent, even on new connections, and exits within 10 seconds', async () => {
    const server = await startReadyServer({ LOG_LEVEL: 'error' });
    const agent = new Agent({ keepAlive: true, maxSockets: Infinity });
    onTestFinished(() => agent.destroy());
    const logins = Array.from({ length: 150 }, () => login(server.address, agent));
    const statuses = Promise.all(logins.map(({ status }) => status));
    // Some are sent over connections that the server has not accepted yet.
    await Promise.all(logins.map(({ sent }) => sent));
    server.kill('SIGTERM');
    server.kill('SIGINT');
    expect((await statuses).filter((status) => status !== 401 && status !== 503)).toEqual([]);
    expect(await server.ended).toEqual({ code: 0, signal: null });
    expect(server.stderr()).toBe('');
  });

  it('exits cleanly within 10 seconds when responses are never read', async () => {
    const server = await startReadyServer();
    const unread = await openConnection(server.address);
    unread.on('error', () => undefined).pause();
    onTestFinished(() => void unread.destroy());
    unread.write('GET /api/docs/static/swagger-ui-bundle.js HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(30));
    await fetch(`${server.address}/healthz`);
    server.kill('SIGTERM');
    expect(await server.ended).toEqual({ code: 0, signal: null });
  });

  it('exits cleanly within 10 seconds when a request never completes', async () => {
    const server = await startReadyServer();
    const slow = await openConnection(server.address);
    slow.on('error', () => undefined);
    slow.write(
      'POST /api/login/ HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{',
    );
    await fetch(`${server.address}/healthz`);
    server.kill('SIGTERM');
    expect(await server.ended).toEqual({ code: 0, signal: null });
    expect(server.stderr()).toBe('');
  });

  it('keeps sign-ins when it starts again', async () => {
    const before = await startReadyServer();
    const body = { username: 'mira', email: 'mira@example.org', password: 'correct horse battery' };
    const { access, refresh } = (await (await post(before.address, '/api/register/', body)).json()) as Record<
      string,
      string
    >;
    before.kill('SIGTERM');
    await before.ended;
    const after = await startReadyServer();
    const me = await fetch(`${after.address}/api/me/`, { headers: { authorization: `Bearer ${access}` } });
    expect(me.status).toBe(200);
    expect((await post(after.address, '/api/token/refresh/', { refresh })).status).toBe(200);
  });
});

describe('a server that cannot start', { timeout: START_MILLISECONDS }, () => {
  const SECRET = 'canary-K7qXw2vT9mZr4LpB8sNd1GhJ5';

  // Each is a process of its own; config.test.ts tests every setting.
  it.each([
    [/^PORT must be a whole number from 0 to 65535, not "http"\.$/, { PORT: 'http' }],
    [/^SECRET must be at least 32 random characters/, { SECRET: 'canary' }],
    [/^SECRET must be at least 32 random characters/, { SECRET: 'a'.repeat(64) }],
    [/^SECRET must be set if DATABASE_URL is set/, { DATABASE_URL: 'postgresql://u:canary@127.0.0.1/x' }],
    [/^DATABASE_URL isn't the address /, { DATABASE_URL: 'postgresql://u:canary@[x/y', SECRET }],
    [/^Can't use the database at 127\.0\.0\.1:1, /, { DATABASE_URL: 'postgresql://u:canary@127.0.0.1:1/x', SECRET }],
    [/set DATA_DIR to another folder/, { DATA_DIR: '/dev/null' }],
    [/set DATA_DIR to another folder/, { DATA_DIR: '/dev/null/below' }],
    // Node's recursive mkdir never returns from this path.
    [/set DATA_DIR to another folder/, { DATA_DIR: '/proc/self/below' }],
    [/set DATA_DIR to a shorter path/, { DATA_DIR: `/tmp/${'x'.repeat(300)}` }],
  ])('reports %s in one line, without secrets', async (sentence, environment) => {
    const { code, stderr, stdout } = await runFailingServer({ ...environment });
    expect(stderr).toMatch(/^[^\n]+\n$/);
    expect(stderr.trimEnd()).toMatch(sentence);
    expect(stderr).not.toContain('canary');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  });

  it('because its address is unavailable says so in one line', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void other.close());
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    expect(await runFailingServer({ ...settings, PORT: String(port) })).toEqual({
      code: 1,
      stdout: '',
      stderr: `Can't listen on 127.0.0.1 port ${port} (EADDRINUSE); set HOST and PORT to a free address on this machine.\n`,
    });
    for (const [HOST, reason] of [
      ['203.0.113.7', 'EADDRNOTAVAIL'],
      ['no.such.host.invalid', '[A-Z_]+'],
    ] as const) {
      const { code, stderr } = await runFailingServer({ ...settings, HOST });
      expect(code).toBe(1);
      expect(stderr).toMatch(
        new RegExp(`^Can't listen on ${HOST} port 0 \\(${reason}\\); set HOST and PORT [^\\n]+\\n$`),
      );
    }
  });

  it('because its port is taken creates no data folder', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void other.close());
    await once(other, 'listening');
    const folder = join(await temporaryFolder(), 'data');
    const { port } = other.address() as AddressInfo;
    expect((await runFailingServer({ DATA_DIR: folder, PORT: String(port) })).stderr).toContain(
      `port ${port} (EADDRINUSE)`,
    );
    expect(existsSync(folder)).toBe(false);
  });

  it('because its secret is truncated says so in one line', async () => {
    const file = join(settings['DATA_DIR'] ?? '', 'secret');
    const secret = await readFile(file);
    onTestFinished(() => writeFile(file, secret));
    await truncate(file, 5);
    const { code, stderr } = await runFailingServer(settings);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^The file [^\n]+ doesn't contain a usable secret; [^\n]+\n$/);
  });

  it('because its data folder is a file leaves the file alone', async () => {
    const file = join(await temporaryFolder(), 'file');
    await writeFile(file, 'mine');
    expect((await runFailingServer({ DATA_DIR: file })).code).toBe(1);
  });
});

describe('a server with a different secret from its database', { timeout: 4 * START_MILLISECONDS }, () => {
  const [one, other] = ['K7qXw2vT9mZr4LpB8sNd1GhJ5aBcDeFg', 'zZ0yY9xX8wW7vV6uU5tT4sS3rR2qQ1pP'] as const;
  let ownSettings: Record<string, string>;
  const isEmbedded = 'dumpFile' in inject('databaseTemplate');
  const stop = async (server: ServerProcess) => {
    server.kill('SIGTERM');
    await server.ended;
  };
  beforeEach(async () => {
    const { settings, remove } = await newSettings();
    ownSettings = settings;
    return remove;
  });

  it('fails with one line and a code that replaces the secret once', async () => {
    const first = await startReadyServer({ ...ownSettings, SECRET: one });
    // The embedded database allows only one server at a time.
    if (isEmbedded) await stop(first);
    const refused = await runFailingServer({ ...ownSettings, SECRET: other });
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toMatch(
      /^This database was used with another secret [^\n]+ stop all servers of this database and start one with REPLACE_SECRET=[\da-f]{8}\.\n$/,
    );
    if (!isEmbedded) await stop(first);
    const REPLACE_SECRET = refused.stderr.slice(-10, -2);

    expect(await runFailingServer({ ...ownSettings, SECRET: other, REPLACE_SECRET: '00000000' })).toEqual(refused);
    await stop(await startReadyServer({ ...ownSettings, SECRET: other, REPLACE_SECRET }));
    expect((await runFailingServer({ ...ownSettings, SECRET: one, REPLACE_SECRET })).code).toBe(1);
    await stop(await startReadyServer({ ...ownSettings, SECRET: other, REPLACE_SECRET }));
    await stop(await startReadyServer({ ...ownSettings, SECRET: other }));
  });

  it("keeps two-step sign-in with the previous secret, which isn't needed afterwards", async () => {
    const call = async (server: { address: string }, path: string, body: unknown, token?: string) => {
      const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
      const answer = await post(server.address, path, body, headers);
      return { status: answer.status, body: (await answer.json()) as Record<string, string> };
    };
    const first = await startReadyServer({ ...ownSettings, SECRET: one });
    const mira = { username: 'mira', password: 'correct horse battery' };
    const { body: registered } = await call(first, '/api/register/', { ...mira, email: 'mira@example.org' });
    const { body: made } = await call(first, '/api/me/two-step/', {}, registered['access']);
    const key = made['key'] ?? '';
    // Each code works once, and those of the previous and the next period count, too. The previous one must not expire on the way.
    const PERIOD = 30_000;
    if (Date.now() % PERIOD > 20_000) await pause(PERIOD - (Date.now() % PERIOD));
    let usedAt = Date.now() - PERIOD;
    const code = codeAt(key, new Date(usedAt));
    const { status } = await call(first, '/api/me/two-step/confirm/', { code }, registered['access']);
    expect(status).toBe(201);
    const signIn = (server: { address: string }) => {
      usedAt = Math.max(usedAt + PERIOD, Date.now());
      return call(server, '/api/login/', { ...mira, code: codeAt(key, new Date(usedAt)) });
    };
    await stop(first);

    const second = await startReadyServer({ ...ownSettings, SECRET: other, SECRET_PREVIOUS: one });
    expect(second.stdout()).toMatch(/"sealedAgain":1,"unreadable":0/);
    expect((await signIn(second)).status).toBe(200);
    expect((await call(second, '/api/token/refresh/', { refresh: registered['refresh'] })).status).toBe(401);
    await stop(second);

    const third = await startReadyServer({ ...ownSettings, SECRET: other });
    expect((await signIn(third)).status).toBe(200);
    await stop(third);
  });

  it('takes the previous secret from the file that the data folder had', async () => {
    const { DATA_DIR = '' } = ownSettings;
    const [file, previous] = [join(DATA_DIR, 'secret'), join(DATA_DIR, 'secret.previous')];
    await stop(await startReadyServer(ownSettings));
    const SECRET_PREVIOUS_FILE = previous;
    await cp(file, previous);
    expect((await runFailingServer({ ...ownSettings, SECRET_PREVIOUS_FILE })).stderr).toBe(
      'SECRET_PREVIOUS must be the secret that the one in DATA_DIR replaced, and not that one itself.\n',
    );
    await rm(file);
    await stop(await startReadyServer({ ...ownSettings, SECRET_PREVIOUS_FILE }));
    expect(await readFile(file, 'utf8')).not.toBe(await readFile(previous, 'utf8'));
    await rm(previous);
    await stop(await startReadyServer(ownSettings));
  });

  it('fails when the data folder has lost its secret, and starts from a backup that has it', async () => {
    await stop(await startReadyServer(ownSettings));
    const { DATA_DIR = '' } = ownSettings;
    const backup = join(await temporaryFolder(), 'backup');
    await cp(DATA_DIR, backup, { recursive: true });
    await rm(join(DATA_DIR, 'secret'));
    expect((await runFailingServer(ownSettings)).stderr).toMatch(/^This database was used with another secret /);
    await stop(await startReadyServer({ ...ownSettings, DATA_DIR: backup }));
  });
});
