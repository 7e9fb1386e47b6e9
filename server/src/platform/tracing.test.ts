import { randomBytes } from 'node:crypto';
import { createServer, type AddressInfo } from 'node:net';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { PGlite } from '@electric-sql/pglite';
import type { SignedIn } from '@hourshare/contract/sign-ins';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it, onTestFinished, vi } from 'vitest';
import { loadConfig } from '../config.ts';
import { openTestCollector, type ReceivedSpan, type TestCollector } from '../testing/otlp-receiver.ts';
import { startServer, type ServerProcess } from '../testing/server-process.ts';
import { inMemoryParams } from './database/embedded-engine.ts';
import { openPostgresql } from './database/postgresql.ts';
import { overEngine, testOptions } from './database/testing/over-engine.ts';
import { until } from './database/testing/processes.ts';
import { onServer, withDatabase } from './database/testing/templates.ts';
import { startTracing } from './start-tracing.ts';
import { observeStatements } from './statements.ts';
import { openTelemetry } from './tracing-opentelemetry.ts';

const SERVER = 2;
const CLIENT = 3;
const ERROR = 2;

/** Unusual enough to be found wherever they end up. */
const PERSON = { username: 'xylophanes', email: 'quizzical.vole@example.org', password: 'zebrafinch umbrella 77' };

let settings: Record<string, string>;
let remove: () => Promise<void>;
beforeAll(async () => {
  const DATA_DIR = await mkdtemp(join(tmpdir(), 'hourshare-tracing-'));
  settings = { DATA_DIR };
  remove = () => rm(DATA_DIR, { recursive: true, force: true });
  const engine = inject('databaseTemplate');
  if ('dumpFile' in engine) return;
  const name = `hourshare_tracing_${randomBytes(6).toString('hex')}`;
  await onServer(engine.databaseUrl, `create database ${name} template ${engine.template}`);
  settings = { DATA_DIR, DATABASE_URL: withDatabase(engine.databaseUrl, name) };
  const removeFolder = remove;
  remove = async () => {
    await removeFolder();
    await onServer(engine.databaseUrl, `drop database ${name} with (force)`);
  };
});
afterAll(() => remove());

type ReadyServer = ServerProcess & { address: string };

/** Starts a server that sends its traces 20 times a second; the end of the test stops it at the latest. */
async function start(environment: Record<string, string>): Promise<ReadyServer> {
  const server = startServer({ ...settings, OTEL_BSP_SCHEDULE_DELAY: '50', ...environment });
  onTestFinished(async () => {
    server.kill('SIGKILL');
    await server.ended;
  });
  const address = await server.ready;
  if (address === undefined) throw new Error(`The server did not start: ${server.stderr()}`);
  return { ...server, address };
}

async function stop(server: ServerProcess): Promise<number | null> {
  server.kill('SIGTERM');
  return (await server.ended).code;
}

const send = (address: string, method: string, path: string, body?: object, headers: Record<string, string> = {}) =>
  fetch(`${address}${path}`, {
    method,
    headers: { ...(body && { 'content-type': 'application/json' }), ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });

const collectors: TestCollector[] = [];
async function openCollector(): Promise<TestCollector> {
  const collector = await openTestCollector();
  collectors.push(collector);
  return collector;
}
afterEach(async () => {
  for (const collector of collectors.splice(0)) await collector.close();
});

const requestSpans = ({ spans }: TestCollector) => spans.filter(({ kind }) => kind === SERVER);
const named = (collector: TestCollector, name: string): ReceivedSpan => {
  const span = requestSpans(collector).find((each) => each.name === name);
  if (!span)
    throw new Error(
      `No span ${name} among: ${requestSpans(collector)
        .map((each) => each.name)
        .join(', ')}`,
    );
  return span;
};
const statementsOf = (collector: TestCollector, parent: ReceivedSpan) =>
  collector.spans.filter(({ parentId }) => parentId === parent.spanId);

describe('traces', () => {
  it('have a span for each request, and one for each of its statements, with nothing that people sent', async () => {
    const collector = await openCollector();
    const server = await start({
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-key=collector-key',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
      LOG_LEVEL: 'debug',
      RATE_LIMIT: 'on',
    });
    const ask = (method: string, path: string, body?: object, headers?: Record<string, string>) =>
      send(server.address, method, path, body, headers);

    const { access, refresh } = (await (await ask('POST', '/api/register/', PERSON)).json()) as SignedIn;
    const as = { authorization: `Bearer ${access}`, 'user-agent': 'Browser of the quokka', cookie: 'a=numbat' };
    await ask('POST', '/api/assets/', { name: 'Pangolin Weekly', subscription_cost: 5 }, as);
    await ask('GET', '/api/assets/1/?note=aardwolf', undefined, as);
    await ask('GET', '/api/invitations/token-of-the-axolotl/');
    await ask('POST', '/api/login/', { username: PERSON.username, password: 'wrong wombat' });
    // The value that PostgreSQL's message quotes.
    await ask('GET', '/api/assets/99999999999999999999/', undefined, as);
    await ask('GET', '/invite/token-of-the-axolotl');
    const failed = await ask('GET', '/api/me/', undefined, { authorization: 'Bearer wrong-jerboa' });
    for (const path of ['/healthz', '/readyz', '/metrics']) await ask('GET', path);
    expect(await stop(server)).toBe(0);

    expect(collector.requests[0]).toMatchObject({
      path: '/v1/traces',
      headers: { 'content-type': 'application/x-protobuf', 'x-key': 'collector-key' },
    });
    expect(
      requestSpans(collector)
        .map(({ name }) => name)
        .toSorted(),
    ).toEqual([
      'GET /api/assets/{id}/',
      'GET /api/assets/{id}/',
      'GET /api/invitations/{token}/',
      'GET /api/me/',
      'GET pages and files',
      'POST /api/assets/',
      'POST /api/login/',
      'POST /api/register/',
    ]);
    const created = named(collector, 'POST /api/assets/');
    expect(created.resource).toMatchObject({
      'service.name': 'hourshare',
      'service.version': expect.stringMatching(/^\d/) as string,
      'deployment.environment.name': 'test',
    });
    expect(created.attributes).toEqual({
      'http.request.method': 'POST',
      'http.route': '/api/assets/',
      'http.response.status_code': 201,
      'hourshare.request_id': expect.stringMatching(/^[0-9a-f]{16}$/) as string,
    });
    expect([created.parentId, created.status, created.nanoseconds > 0]).toEqual(['', 0, true]);

    // The body has been read by then, which leaves the context of the request unless it's restored.
    const statements = statementsOf(collector, created);
    expect(statements.map(({ name }) => name)).toEqual(expect.arrayContaining(['insert assets', 'commit']));
    for (const span of statements) {
      expect(span).toMatchObject({ traceId: created.traceId, kind: CLIENT, status: 0 });
      expect(span.attributes).toEqual({
        'db.system.name': 'postgresql',
        'db.query.text': expect.stringMatching(/\w/) as string,
      });
    }
    // None without a request: the server's own are left out.
    const ids = new Set(requestSpans(collector).map(({ spanId }) => spanId));
    for (const span of collector.spans) expect(span.kind === SERVER || ids.has(span.parentId)).toBe(true);

    const everything = collector.received();
    const secrets = [PERSON.username, 'quizzical', 'zebrafinch', access, refresh, 'quokka', 'numbat', 'Pangolin'];
    const others = ['aardwolf', 'axolotl', 'wombat', '99999999999999999999', 'jerboa', '127.0.0.1', 'argon2id'];
    for (const secret of [...secrets, ...others]) expect(everything).not.toContain(secret);

    const lines = server
      .stdout()
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    const span = named(collector, 'GET /api/me/');
    expect(lines).toContainEqual(
      expect.objectContaining({
        request_id: failed.headers.get('x-request-id'),
        trace_id: span.traceId,
        span_id: span.spanId,
        route: '/api/me/',
        status: 401,
      }),
    );
    // Also lines that aren't written by the request's own log.
    expect(lines.find(({ event }) => event === 'sign_in_failed')).toMatchObject({
      trace_id: named(collector, 'POST /api/login/').traceId,
    });
  });

  it('continue those of the caller, and leave out what the caller does not trace', async () => {
    const collector = await openCollector();
    const server = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_SERVICE_NAME: 'hours' });
    const traceId = '0af7651916cd43dd8448eb211c80319c';
    const get = (path: string, traceparent: string) => send(server.address, 'GET', path, undefined, { traceparent });
    await get('/api/about/', `00-${traceId}-b7ad6b7169203331-01`);
    await get('/api/me/', `00-${traceId}-b7ad6b7169203331-00`);
    await get('/dashboard', 'garbage');
    await stop(server);
    expect(requestSpans(collector)).toHaveLength(2);
    expect(named(collector, 'GET /api/about/')).toMatchObject({
      traceId,
      parentId: 'b7ad6b7169203331',
      resource: { 'service.name': 'hours' },
    });
    expect(named(collector, 'GET pages and files')).toMatchObject({ parentId: '' });
  });

  it('are sampled as the settings say', async () => {
    const collector = await openCollector();
    const server = await start({
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${collector.url}/own/path`,
      OTEL_TRACES_SAMPLER: 'traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0',
    });
    await send(server.address, 'GET', '/api/about/');
    await stop(server);
    expect(collector.spans).toEqual([]);
    const all = await start({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${collector.url}/own/path` });
    await send(all.address, 'GET', '/api/about/');
    await stop(all);
    expect(requestSpans(collector)).toHaveLength(1);
    expect(collector.requests[0]?.path).toBe('/own/path');
  });

  it('show a failure by a code alone', async () => {
    const collector = await openCollector();
    vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', collector.url);
    const tracing = openTelemetry(() => undefined);
    const observe = observeStatements({ uptime: () => 0, metrics: undefined, tracing });
    const url = settings['DATABASE_URL'];
    const { db, close } =
      url === undefined
        ? overEngine(await PGlite.create({ startParams: inMemoryParams }), observe)
        : await openPostgresql(url, { ...testOptions, observe });
    const about = { id: 'a', method: 'GET', route: '/api/me/', headers: {} };

    const failed = tracing.startRequest(about);
    // PostgreSQL's message quotes the value.
    await failed.run(() => expect(sql`select ${'marmoset'}::int`.execute(db)).rejects.toThrow('marmoset'));
    failed.end(500);
    const refused = tracing.startRequest({ ...about, method: 'POST' });
    refused.end(404);
    const aborted = tracing.startRequest({ ...about, method: 'PATCH' });
    aborted.end(undefined);
    await tracing.stop();
    await close();
    vi.unstubAllEnvs();

    const parent = named(collector, 'GET /api/me/');
    expect(parent).toMatchObject({ status: ERROR, attributes: { 'error.type': '500' } });
    expect(statementsOf(collector, parent)).toMatchObject([
      { name: 'select', status: ERROR, attributes: { 'error.type': '22P02', 'db.query.text': 'select $1::int' } },
    ]);
    expect(named(collector, 'POST /api/me/')).toMatchObject({
      status: 0,
      attributes: { 'http.response.status_code': 404 },
    });
    expect(named(collector, 'PATCH /api/me/')).toMatchObject({
      status: ERROR,
      attributes: { 'error.type': 'aborted' },
    });
    expect(collector.received()).not.toContain('marmoset');
  });
});

describe('a collector that', () => {
  const answersInTime = async (server: ReadyServer) => {
    const startedAt = performance.now();
    for (let n = 0; n < 50; n++) expect((await send(server.address, 'GET', '/api/about/')).status).toBe(200);
    // Thousands of times faster than if requests waited for it.
    expect(performance.now() - startedAt).toBeLessThan(20_000);
  };

  it('never answers delays neither requests nor the end', async () => {
    const collector = await openCollector();
    collector.behavior = 'hang';
    // A server that waits this long at its end is ended with an error.
    const timeouts = { OTEL_EXPORTER_OTLP_TIMEOUT: '600000', OTEL_BSP_EXPORT_TIMEOUT: '600000' };
    const server = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, ...timeouts });
    await answersInTime(server);
    await until(() => collector.requests.length > 0, 'the first traces');
    expect(await stop(server)).toBe(0);
  });

  it('never answers is waited for at the end for a second', async () => {
    const collector = await openCollector();
    collector.behavior = 'hang';
    vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', collector.url);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => {
      vi.useRealTimers();
      vi.unstubAllEnvs();
    });
    const tracing = openTelemetry(() => undefined);
    tracing.startRequest({ id: 'a', method: 'GET', route: '/api/me/', headers: {} }).end(200);
    let hasStopped = false;
    void tracing.stop().then(() => (hasStopped = true));
    while (collector.requests.length === 0) await setImmediate();
    await vi.advanceTimersByTimeAsync(999);
    expect(hasStopped).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(hasStopped).toBe(true);
  });

  it('is unreachable is a warning in the log, and delays nothing', async () => {
    const unused = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => unused.once('listening', resolve));
    const { port } = unused.address() as AddressInfo;
    await new Promise((resolve) => unused.close(resolve));
    const server = await start({
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
      OTEL_EXPORTER_OTLP_TIMEOUT: '100',
    });
    await answersInTime(server);
    await until(() => server.stdout().includes('traces could not be sent'), 'the warning');
    expect(server.stdout()).toMatch(/"reason":"[^"]*ECONNREFUSED[^"]*","msg":"traces could not be sent"/);
    expect(await stop(server)).toBe(0);
  });
});

describe('the library', () => {
  /** Returns the names of the files that a server loads. */
  async function loadedFiles(environment: Record<string, string>): Promise<string> {
    // Node.js then prints each of them.
    const server = await start({ ...environment, NODE_DEBUG: 'module' });
    await send(server.address, 'GET', '/api/about/');
    await stop(server);
    return server.stderr();
  }
  const LIBRARY = /@opentelemetry\/(?:sdk|exporter|otlp|context)/;

  it('is not even loaded without a collector', async () => {
    expect(await loadedFiles({ OTEL_SERVICE_NAME: 'hours' })).not.toMatch(LIBRARY);
  });

  it.each([
    {},
    { OTEL_SERVICE_NAME: 'hours' },
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1', OTEL_TRACES_EXPORTER: 'none' },
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1', OTEL_SDK_DISABLED: 'true' },
  ])('traces nothing with %j', async (environment: Record<string, string>) => {
    expect(await startTracing(loadConfig(environment), () => undefined)).toBeUndefined();
  });

  it('is loaded if traces are sent', async () => {
    const collector = await openCollector();
    expect(await loadedFiles({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url })).toMatch(LIBRARY);
  });
});
