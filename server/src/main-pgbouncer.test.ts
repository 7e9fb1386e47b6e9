import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { pgbouncerProgram, startOwnPgbouncer, type OwnPgbouncer } from './platform/database/testing/own-pgbouncer.ts';
import {
  postgresqlPrograms,
  startOwnPostgresql,
  type OwnPostgresql,
} from './platform/database/testing/own-postgresql.ts';
import { onServer, withDatabase } from './platform/database/testing/templates.ts';
import { startServer, type ServerProcess } from './testing/server-process.ts';
import { TEST_PASSWORD } from './testing/api.ts';

const postgresql = postgresqlPrograms();
const pgbouncer = pgbouncerProgram();
if (!postgresql || !pgbouncer) console.log('PostgreSQL or PgBouncer is not installed here: not tried behind a pooler.');

describe.runIf(postgresql && pgbouncer)('a server behind PgBouncer in transaction mode', () => {
  let database: OwnPostgresql;
  let pooler: OwnPgbouncer;
  beforeAll(async () => {
    database = await startOwnPostgresql(postgresql!);
    const serverFolder = new URL(database.url).searchParams.get('host')!;
    pooler = await startOwnPgbouncer(pgbouncer!, { serverFolder, users: ['tester', 'hours'] });
    await onServer(database.url, 'create role hours login');
  }, 60_000);
  afterAll(async () => {
    await pooler.stop();
    await database.remove();
  });
  // Each test has its own database, because the pooler takes a while to recover from one that was dropped.
  let name = 'hours';
  beforeEach(async () => {
    name += '_';
    await onServer(database.url, `create database ${name} owner hours`);
    await onServer(database.url, `alter database ${name} set default_transaction_isolation = 'serializable'`);
  });

  const start = (settings: Record<string, string> = { DATABASE_PREPARE: 'off' }): ServerProcess => {
    const server = startServer({
      DATABASE_URL: pooler.url('hours', name),
      ...settings,
      SECRET: 'known to this test alone, 32 characters',
    });
    onTestFinished(async () => {
      server.kill('SIGKILL');
      await server.ended;
    });
    return server;
  };

  /** Starts a server that exits with an error. Returns the statements it asks to run. */
  async function refusal(): Promise<string> {
    const server = start();
    expect(await server.ready).toBeUndefined();
    expect(await server.ended).toEqual({ code: 1, signal: null });
    expect(server.stderr()).toMatch(
      /^The connection pooler at .*, database \w+ doesn't pass on connection settings\. Set them as defaults of HourShare's role, have the pooler reconnect, and start again \(docs\/postgresql\.md\): alter role hours in database \w+ set .*;\n$/,
    );
    return server.stderr().slice(server.stderr().indexOf('alter role'));
  }

  async function applySettings(): Promise<void> {
    await onServer(withDatabase(database.url, name), await refusal());
    await pooler.reconnect();
  }

  /** Connects another client to the pooler with the same role and database, and thus to the server's own backend. */
  async function neighbor() {
    const client = new pg.Client({ connectionString: pooler.url('hours', name) });
    await client.connect();
    onTestFinished(() => client.end());
    const query = async <Row extends object>(text: string) => (await client.query<Row>(text)).rows;
    return {
      query,
      backend: async () => (await query<{ pid: number }>('select pg_backend_pid() as pid'))[0]!.pid,
      /** Every setting except the pooler's own label. */
      settings: () => query("select name, setting from pg_settings where name <> 'application_name' order by name"),
    };
  }

  it('refuses to start until the statements it prints have been run', async () => {
    const statements = await refusal();
    expect(statements).toContain(`alter role hours in database ${name} set jit = 'off';`);
    expect(statements).toContain(
      `alter role hours in database ${name} set default_transaction_isolation = 'read committed';`,
    );
    await onServer(withDatabase(database.url, name), statements);
    await pooler.reconnect();
    expect(await start().ready).toBeDefined();
  });

  it('refuses to start if the pooler mixes up prepared statements, and says what to set', async () => {
    await applySettings();
    const server = start({});
    expect(await server.ready).toBeUndefined();
    expect(await server.ended).toEqual({ code: 1, signal: null });
    expect(server.stderr()).toMatch(
      /^The connection pooler at .*, database \w+ doesn't keep prepared statements \(prepared statement "hourshare_check" already exists\); set DATABASE_PREPARE=off, or configure it to keep them \(docs\/postgresql\.md\)\.\n$/,
    );
    const other = await neighbor();
    expect(await other.query('select name from pg_prepared_statements')).toEqual([]);
  });

  it('changes no setting of the backend it shares with another client, during migration or later', async () => {
    await applySettings();
    const other = await neighbor();
    const backend = await other.backend();
    const before = await other.settings();

    const server = start();
    const starting = await other.settings();
    const address = await server.ready;
    expect(starting).toEqual(before);
    expect(await other.settings()).toEqual(before);

    const call = async (path: string, body: object, headers: Record<string, string> = {}) => {
      const answer = await fetch(`${address}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      });
      return { status: answer.status, body: (await answer.json()) as { access: string; id: number } };
    };
    const person = { username: 'mira', email: 'mira@example.org', password: TEST_PASSWORD };
    const registered = await call('/api/register/', person);
    expect(registered.status).toBe(201);
    const signedIn = { authorization: `Bearer ${registered.body.access}` };
    const asset = { name: 'Films', description: '', subscription_cost: 12 };
    const [during, ...added] = await Promise.all([
      other.settings(),
      ...Array.from({ length: 10 }, (_, index) =>
        call('/api/assets/', asset, { ...signedIn, 'idempotency-key': `key ${index % 2}` }),
      ),
    ]);
    expect(during).toEqual(before);
    expect(added.map(({ status }) => status)).toEqual(added.map(() => 201));
    expect(new Set(added.map(({ body }) => body.id)).size).toBe(2);

    server.kill('SIGTERM');
    expect(await server.ended).toEqual({ code: 0, signal: null });
    expect(await other.settings()).toEqual(before);
    expect(await other.backend()).toBe(backend);
    expect(await other.query('select name from pg_prepared_statements')).toEqual([]);
    expect(await other.query("select mode from pg_locks where locktype = 'advisory'")).toEqual([]);
  });
});
