import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest';
import { until } from './platform/database/testing/processes.ts';
import { onServer, withDatabase } from './platform/database/testing/templates.ts';
import { startServer, type ServerProcess } from './testing/server-process.ts';

// Tests a running server whose connection to PostgreSQL is cut or goes silent. All its traffic passes through a proxy
// that the test controls.

const engine = inject('databaseTemplate');
const databaseUrl = 'databaseUrl' in engine ? engine.databaseUrl : undefined;
const name = `hourshare_line_${randomBytes(6).toString('hex')}`;
const SECRET = 'canary-secret-K7qXw2vT9mZr4LpB8sNd';

/** A proxy to the database that can be cut, or go silent with every connection left open. */
interface DatabaseProxy {
  port: number;
  cut: () => Promise<void>;
  restore: () => Promise<void>;
  silence: () => void;
}

/** Returns where a PostgreSQL server listens: a socket in a folder, or a host and port. */
function parseAddress(url: string): { path: string } | { host: string; port: number } {
  const { hostname, port, searchParams } = new URL(url);
  const host = searchParams.get('host') ?? hostname;
  const number = Number(searchParams.get('port') ?? (port || 5432));
  return host.startsWith('/') ? { path: join(host, `.s.PGSQL.${number}`) } : { host, port: number };
}

async function startProxy(url: string): Promise<DatabaseProxy> {
  const address = parseAddress(url);
  const open = new Set<Socket>();
  let silent = false;
  const carry = (client: Socket) => {
    const server = connect(address);
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      open.add(from);
      from.on('data', (bytes) => silent || to.write(bytes));
      from.on('error', () => undefined);
      from.on('close', () => to.destroy());
    }
  };
  let listener: Server | undefined;
  let port = 0;
  const restore = async () => {
    silent = false;
    listener = createServer(carry).listen(port, '127.0.0.1');
    await once(listener, 'listening');
    ({ port } = listener.address() as AddressInfo);
  };
  const cut = async () => {
    listener?.close();
    for (const socket of open) socket.destroy();
    open.clear();
  };
  await restore();
  onTestFinished(cut);
  return { port, cut, restore, silence: () => (silent = true) };
}

/** Starts a server that connects through the proxy. */
async function startBehindProxy(proxy: DatabaseProxy): Promise<ServerProcess & { address: string }> {
  const url = new URL(withDatabase(databaseUrl!, name));
  const user = url.searchParams.get('user') ?? url.username;
  const server = startServer({
    DATABASE_URL: `postgresql://${user}:${url.password || 'canary-password'}@127.0.0.1:${proxy.port}/${name}`,
    SECRET,
    LOG_LEVEL: 'trace',
  });
  onTestFinished(async () => {
    server.kill('SIGKILL');
    await server.ended;
  });
  const address = await server.ready;
  if (address === undefined) throw new Error(`The server did not start: ${server.stderr()}`);
  return { ...server, address };
}

const body = JSON.stringify({ username: 'canary-name', password: 'canary-word' });
const login = (address: string) =>
  fetch(`${address}/api/login/?canary-query`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
const statusOf = async (address: string, path: string) => (await fetch(`${address}${path}`)).status;

describe.runIf(databaseUrl)('a server with an unreliable PostgreSQL', () => {
  beforeAll(() =>
    onServer(databaseUrl!, `create database ${name} template ${'template' in engine ? engine.template : ''}`),
  );
  afterAll(() => onServer(databaseUrl!, `drop database ${name} with (force)`));

  it('returns 503 while it is cut off and recovers automatically', async () => {
    const proxy = await startProxy(databaseUrl!);
    const server = await startBehindProxy(proxy);
    const { address } = server;
    expect((await login(address)).status).toBe(401);
    await proxy.cut();
    const refused = await login(address);
    expect([refused.status, await refused.json()]).toMatchObject([503, { code: 'unavailable' }]);
    expect(refused.headers.get('retry-after')).toBe('2');
    expect([await statusOf(address, '/readyz'), await statusOf(address, '/healthz')]).toEqual([503, 200]);
    const floodedAt = performance.now();
    const before = server.stdout().length;
    for (let round = 0; round < 10; round++) await Promise.all(Array.from({ length: 20 }, () => login(address)));
    const warnings = server.stdout().slice(before).split('"level":40').length - 1;
    expect(warnings).toBeLessThanOrEqual(2 * ((performance.now() - floodedAt) / 1000 + 1));
    await proxy.restore();
    await until(async () => (await login(address)).status === 401, 'an answer', 5000);
    expect(await statusOf(address, '/readyz')).toBe(200);
    expect(server.stdout()).toContain('not available');
    expect(server.stdout() + server.stderr()).not.toContain('canary');
  });

  it('listens before all assets have their months, and extends them once it can', async () => {
    const client = new pg.Client({ connectionString: withDatabase(databaseUrl!, name) });
    await client.connect();
    onTestFinished(() => client.end());
    await client.query(`insert into users (username, password_hash, email, time_zone, created_at)
      values ('ana', 'x', 'ana@example.org', 'UTC', now())`);
    await client.query(
      `insert into assets (owner_id, name, description, created_at) select id, 'Gym', '', now() from users`,
    );
    await client.query(`insert into periods (asset_id, month, time_zone, starts_at, ends_at, price_cents, price_since, split_method,
        base_percent, owner_hours, max_session_hours)
      select id, '2026-01-01', 'UTC', '2026-01-01T00:00:00Z', '2026-02-01T00:00:00Z', 100, '2026-01-01', 'usage', 0, 0, 24 from assets`);
    // A server that started before recorded that all have theirs.
    await client.query('update installation set periods_extended_at = null');
    await client.query('begin');
    await client.query('select 1 from assets for update');
    const server = await startBehindProxy(await startProxy(databaseUrl!));
    expect(await statusOf(server.address, '/readyz')).toBe(200);
    const periods = async () => Number((await client.query('select count(*) as count from periods')).rows[0].count);
    expect(await periods()).toBe(1);
    // Longer than a statement may wait for the lock.
    await until(async () => server.stdout().includes('periods could not be extended'), 'the first attempt', 10_000);
    await client.query('commit');
    await until(async () => (await periods()) > 1, 'the periods', 15_000);
    server.kill('SIGTERM');
    expect(await server.ended).toEqual({ code: 0, signal: null });
  });

  it('returns 503 in time when it goes silent, is alive but not ready, and stops within 10 seconds', async () => {
    const proxy = await startProxy(databaseUrl!);
    const server = await startBehindProxy(proxy);
    const { address } = server;
    expect((await login(address)).status).toBe(401);
    proxy.silence();
    const askedAt = performance.now();
    const [refused, ready] = await Promise.all([login(address), statusOf(address, '/readyz')]);
    expect([refused.status, ready, await statusOf(address, '/healthz')]).toEqual([503, 503, 200]);
    expect(performance.now() - askedAt).toBeLessThan(6500);
    const inFlight = Array.from({ length: 15 }, () => login(address).then(({ status }) => status));
    // Only requests that arrive before the server stops listening are in flight.
    await pause(500);
    const toldAt = performance.now();
    server.kill('SIGTERM');
    expect(await server.ended).toEqual({ code: 0, signal: null });
    expect(performance.now() - toldAt).toBeLessThan(10_000);
    expect(await Promise.all(inFlight)).toEqual(inFlight.map(() => 503));
    expect(server.stderr()).toBe('');
  });
});
