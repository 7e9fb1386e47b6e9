import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { until } from './platform/database/testing/processes.ts';
import { onServer } from './platform/database/testing/templates.ts';
import { TEST_PASSWORD } from './testing/api.ts';
import {
  hasPooler,
  startPooledPostgresql,
  type PooledDatabase,
  type PooledPostgresql,
} from './testing/pooled-postgresql.ts';
import { startServer, type ServerProcess } from './testing/server-process.ts';

describe.runIf(hasPooler)('a server behind PgBouncer in transaction mode', () => {
  let postgresql: PooledPostgresql;
  beforeAll(async () => {
    // Other clients of the pooler are lent the server's own connection.
    postgresql = await startPooledPostgresql(1);
  });
  afterAll(() => postgresql.stop());
  let database: PooledDatabase;
  beforeEach(async () => {
    database = await postgresql.createDatabase();
  });

  const start = (settings: Record<string, string> = { DATABASE_PREPARE: 'off' }): ServerProcess => {
    const server = startServer({
      DATABASE_URL: database.url,
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
      /^The connection pooler at .*, database \w+ doesn't pass on connection settings\. Set them as defaults of HourShare's role, have the pooler reconnect, and start again \(docs\/operations\.md\): alter role hours in database \w+ set .*;\n$/,
    );
    return server.stderr().slice(server.stderr().indexOf('alter role'));
  }

  async function applySettings(): Promise<void> {
    await onServer(database.adminUrl, await refusal());
    await postgresql.pooler.reconnect();
  }

  /** Connects another client to the pooler with the same role and database, and thus to the server's own backend. */
  async function neighbor() {
    const client = new pg.Client({ connectionString: database.url });
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
    expect(statements).toContain(`alter role hours in database ${database.name} set jit = 'off';`);
    expect(statements).toContain(
      `alter role hours in database ${database.name} set default_transaction_isolation = 'read committed';`,
    );
    await onServer(database.adminUrl, statements);
    await postgresql.pooler.reconnect();
    expect(await start().ready).toBeDefined();
  });

  it('refuses to start if the pooler mixes up prepared statements, and says what to set', async () => {
    await applySettings();
    const server = start({});
    expect(await server.ready).toBeUndefined();
    expect(await server.ended).toEqual({ code: 1, signal: null });
    expect(server.stderr()).toMatch(
      /^The connection pooler at .*, database \w+ doesn't keep prepared statements \(prepared statement "hourshare_check" already exists\); set DATABASE_PREPARE=off, or configure it to keep them \(docs\/operations\.md\)\.\n$/,
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
    await until(() => server.stdout().includes("Notifications of the database don't arrive"), 'a try to listen');
    expect(await other.query('select pg_listening_channels()')).toEqual([]);

    server.kill('SIGTERM');
    expect(await server.ended).toEqual({ code: 0, signal: null });
    expect(await other.settings()).toEqual(before);
    expect(await other.backend()).toBe(backend);
    expect(await other.query('select name from pg_prepared_statements')).toEqual([]);
    expect(await other.query("select mode from pg_locks where locktype = 'advisory'")).toEqual([]);
  });
});
