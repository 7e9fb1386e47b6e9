import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { migrations } from '../../migrations/index.ts';
import { isUnavailable } from './failure.ts';
import { isUsable, migrate } from './migrate.ts';
import { openDatabase, type DatabaseOptions } from './open.ts';
import type { OpenDatabase } from './open-database.ts';
import { createStatementNames } from './statement-names.ts';
import type { Database } from './database.ts';
import { postgresqlPrograms, startOwnPostgresql, type OwnPostgresql } from './testing/own-postgresql.ts';
import { until } from './testing/processes.ts';
import { onServer } from './testing/templates.ts';
import { transaction } from './transaction.ts';

const programs = postgresqlPrograms();
if (!programs) console.log('PostgreSQL is not installed here: the tests with a server of their own are left out.');

describe('an unusable database address', () => {
  test.each([
    ['mysql://somewhere/db', /^DATABASE_URL isn't the address of a PostgreSQL database; set it to an address such as /],
    ['hello', /^DATABASE_URL isn't the address of a PostgreSQL database; set it to an address such as /],
    [
      'postgresql:///db?host=/nowhere/at/all&user=me',
      /^Can't use the database at \/nowhere\/at\/all, database db \(.*ENOENT/,
    ],
  ])('stops the start with a message: %s', async (databaseUrl, message) => {
    const failure = openDatabase({ databaseUrl });
    await expect(failure).rejects.toMatchObject({ name: 'StartupError' });
    await expect(failure).rejects.toThrow(message);
  });

  test("doesn't reveal the password in the message", async () => {
    const port = await unusedPort();
    const failure = openDatabase({ databaseUrl: `postgresql://me:secret@127.0.0.1:${port}/db` });
    await expect(failure).rejects.toThrow(
      `Can't use the database at 127.0.0.1:${port}, database db (connect ECONNREFUSED 127.0.0.1:${port}); check that it is running and lets HourShare connect, or set DATABASE_URL to another one.`,
    );
  });

  test('gives up after 4 seconds on a server that accepts and stays silent', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void silent.close());
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const before = Date.now();
    await expect(openDatabase({ databaseUrl: `postgresql://me@127.0.0.1:${port}/db` })).rejects.toMatchObject({
      name: 'StartupError',
    });
    expect(Date.now() - before).toBeLessThan(6_000);
  });
});

describe.runIf(programs)('a PostgreSQL server', () => {
  let server: OwnPostgresql;
  let open: OpenDatabase[] = [];
  beforeAll(async () => {
    server = await startOwnPostgresql(programs!);
  }, 60_000);
  afterAll(() => server.remove());
  beforeEach(() => async () => {
    await Promise.all(open.map((database) => database.close()));
    open = [];
  });

  async function opened(options: DatabaseOptions = {}): Promise<OpenDatabase & { ping: () => Promise<unknown> }> {
    const database = await openDatabase({ databaseUrl: server.url, poolSize: 3, ...options });
    open.push(database);
    return { ...database, ping: () => sql`select 1`.execute(database.db) };
  }

  test('is used over its socket in UTC, with a statement timeout, and without JIT, parallel workers, or replanning', async () => {
    const { db, engine, ping } = await opened();
    await ping();
    expect(engine).toBe('postgresql');
    const { rows } = await sql`
      select current_setting('timezone') as zone, current_setting('statement_timeout') as timeout,
        current_setting('jit') as jit, current_setting('max_parallel_workers_per_gather') as helpers,
        current_setting('plan_cache_mode') as plans`.execute(db);
    expect(rows).toEqual([{ zone: 'UTC', timeout: '4500ms', jit: 'off', helpers: '0', plans: 'force_generic_plan' }]);
  });

  test("gets the required settings whatever the address and database say, and keeps the address's others", async () => {
    await onServer(server.url, "alter database postgres set default_transaction_isolation = 'serializable'");
    onTestFinished(() => onServer(server.url, 'alter database postgres reset default_transaction_isolation'));
    const options = new URLSearchParams({ options: '-c jit=on -c work_mem=5MB' });
    const { db, close } = await openDatabase({ databaseUrl: `${server.url}&${options.toString()}` });
    const { rows } = await sql`
      select current_setting('default_transaction_isolation') as level, current_setting('jit') as jit,
        current_setting('work_mem') as memory`.execute(db);
    await close();
    expect(rows).toEqual([{ level: 'read committed', jit: 'off', memory: '5MB' }]);
  });

  const prepared = sql<{ statement: string }>`select statement from pg_prepared_statements`;

  test('prepares each statement once, or not at all when told so', async () => {
    const on = await opened({ poolSize: 1 });
    for (const value of [1, 2, 3]) await sql`select ${value}::int as value`.execute(on.db);
    const { rows } = await prepared.execute(on.db);
    expect(rows.map(({ statement }) => statement)).toContain('select $1::int as value');
    expect(rows.filter(({ statement }) => statement.includes('as value'))).toHaveLength(1);

    const off = await opened({ poolSize: 1, prepare: false });
    await sql`select ${1}::int as value`.execute(off.db);
    expect((await prepared.execute(off.db)).rows).toEqual([]);
  });

  describe.each([
    ['outside a transaction', <T>(db: Database, work: (db: Database) => Promise<T>) => work(db)],
    [
      'in a transaction',
      <T>(db: Database, work: (db: Database) => Promise<T>) => transaction({ db }, (trx) => work(trx.db)),
    ],
  ])('%s', (_where, run) => {
    test('answers a prepared statement whose columns a migration has changed', async () => {
      const { db } = await opened({ poolSize: 1 });
      await sql`drop table if exists changed`.execute(db);
      await sql`create table changed as select 1 as one`.execute(db);
      const read = () => run(db, (inner) => sql`select * from changed`.execute(inner));
      expect((await read()).rows).toEqual([{ one: 1 }]);
      await sql`alter table changed add column two int`.execute(db);
      expect((await read()).rows).toEqual([{ one: 1, two: null }]);
    });

    test('answers statements that the server has forgotten, and warns about it', async () => {
      const warnings: string[] = [];
      const log = { info: () => undefined, warn: (message: string) => warnings.push(message) };
      const { db } = await opened({ poolSize: 1, log });
      const read = () => run(db, (inner) => sql`select ${1}::int as forgotten`.execute(inner));
      await read();
      await sql`discard all`.execute(db);
      expect((await read()).rows).toEqual([{ forgotten: 1 }]);
      expect(warnings).toEqual([
        expect.stringMatching(
          /^The database lost a prepared statement \(prepared statement "hourshare_.*" does not exist\), so HourShare no longer prepares it\. If a connection pooler can't keep prepared statements, set DATABASE_PREPARE=off\.$/,
        ),
      ]);
    });

    test('answers statements whose names another program has taken', async () => {
      const { db } = await opened({ poolSize: 1 });
      const { nameOf } = createStatementNames();
      await sql`prepare ${sql.id(nameOf('select $1::int as taken') ?? '')} as select 2`.execute(db);
      const answer = await run(db, (inner) => sql`select ${1}::int as taken`.execute(inner));
      expect(answer.rows).toEqual([{ taken: 1 }]);
    });
  });

  test("reports that the database doesn't exist", async () => {
    const databaseUrl = server.url.replace('/postgres?', '/missing?');
    await expect(openDatabase({ databaseUrl })).rejects.toThrow(
      /database missing \(database "missing" does not exist\); check that it is running and lets HourShare connect, or set DATABASE_URL/,
    );
  });

  test('is migrated once by six servers that start together', async () => {
    const databases = await Promise.all(Array.from({ length: 6 }, () => opened()));
    await Promise.all(databases.map(({ db }) => migrate(db)));
    const { db } = databases[0]!;
    expect(await isUsable(db)).toBe(true);
    const { rows } = await sql`select name from kysely_migration order by name`.execute(db);
    expect(rows).toEqual(Object.keys(migrations).map((name) => ({ name })));
    // The connection that migrated has its earlier settings again.
    const timeouts = await Promise.all(
      databases.map((database) => sql`select current_setting('statement_timeout') as timeout`.execute(database.db)),
    );
    for (const timeout of timeouts) expect(timeout.rows).toEqual([{ timeout: '4500ms' }]);
  });

  test('is used again within five seconds of a restart, and the process survives', async () => {
    const { db, ping } = await opened();
    await sql`create table if not exists notes (id int)`.execute(db);
    const held = db.transaction().execute(async (trx) => {
      await sql`insert into notes values (1)`.execute(trx);
      await server.stop();
      await sql`insert into notes values (2)`.execute(trx);
    });
    await expect(held).rejects.toSatisfy(isUnavailable);
    const meanwhile = await Promise.allSettled([ping(), ping(), ping(), ping()]);
    for (const result of meanwhile) {
      expect(result.status === 'rejected' && isUnavailable(result.reason)).toBe(true);
    }
    await server.start();
    await until(
      () =>
        ping().then(
          () => true,
          () => false,
        ),
      'an answer',
      5_000,
    );
    expect((await sql`select id from notes`.execute(db)).rows).toEqual([]);
  });

  test('is used again at once after all idle connections were cut', async () => {
    const { db, ping } = await opened();
    await Promise.all([ping(), ping(), ping()]);
    const other = await opened();
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where pid <> pg_backend_pid() and backend_type = 'client backend'`.execute(other.db);
    await until(
      () =>
        ping().then(
          () => true,
          () => false,
        ),
      'an answer',
      5_000,
    );
    expect((await sql`select 1 as one`.execute(db)).rows).toEqual([{ one: 1 }]);
  });

  test('fails a request within five seconds when it stops answering, and drops the connection', async () => {
    const { db, ping } = await opened();
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db);
    const backend = rows[0]!.pid;
    process.kill(backend, 'SIGSTOP');
    const before = Date.now();
    await expect(ping()).rejects.toSatisfy(isUnavailable);
    expect(Date.now() - before).toBeLessThan(5_500);
    await ping();
    const next = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db);
    expect(next.rows[0]!.pid).not.toBe(backend);
    process.kill(backend, 'SIGCONT');
  });

  test('cancels a statement that takes too long and counts as unavailable', async () => {
    const { db } = await opened();
    await expect(sql`select pg_sleep(20)`.execute(db)).rejects.toSatisfy(isUnavailable);
  });

  test('retries a plain statement that lost a deadlock', async () => {
    const { db } = await opened();
    await sql`create table deadlocked (id int primary key, count int)`.execute(db);
    await sql`insert into deadlocked values (1, 0), (2, 0)`.execute(db);
    let plain: Promise<unknown> | undefined;
    let attempts = 0;
    await transaction({ db }, async ({ db: trx }) => {
      // On a slow machine the statement may check for a deadlock before there is one. Then the transaction is rolled back.
      await plain;
      attempts += 1;
      await sql`update deadlocked set count = count + 1 where id = 2`.execute(trx);
      plain = sql`update deadlocked set count = count + 1`.execute(db);
      const waits = async () => (await sql`select 1 from pg_locks where not granted`.execute(db)).rows.length > 0;
      await until(waits, 'the statement to wait for the row');
      // This statement has waited longest, so it is the first to check for a deadlock and find this one.
      await sql`update deadlocked set count = count + 1 where id = 1`.execute(trx);
    });
    await plain;
    const count = attempts + 1;
    expect((await sql`select count from deadlocked`.execute(db)).rows).toEqual([{ count }, { count }]);
  });

  test('repeats a transaction that it rolled back in favor of another', async () => {
    const { db } = await opened();
    await sql`create table if not exists counters (id int primary key, count int)`.execute(db);
    await sql`insert into counters values (1, 0), (2, 0)`.execute(db);
    let attempts = 0;
    // Each takes the other's row, so PostgreSQL cancels one of them.
    let arrived = 0;
    let bothHere: () => void;
    const both = new Promise<void>((resolve) => (bothHere = resolve));
    const add = (first: number, second: number): Promise<void> =>
      transaction({ db }, async ({ db: trx }) => {
        attempts += 1;
        await sql`update counters set count = count + 1 where id = ${first}`.execute(trx);
        arrived += 1;
        if (arrived === 2) bothHere();
        await both;
        await sql`update counters set count = count + 1 where id = ${second}`.execute(trx);
      });
    await Promise.all([add(1, 2), add(2, 1)]);
    // At least one of the two is repeated, maybe more than once.
    expect(attempts).toBeGreaterThanOrEqual(3);
    expect((await sql`select count from counters`.execute(db)).rows).toEqual([{ count: 2 }, { count: 2 }]);
  });
});

async function unusedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
