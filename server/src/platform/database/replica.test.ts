import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { systemUptime } from '../clock.ts';
import type { Database } from './database.ts';
import { openDatabase } from './open.ts';
import type { OpenDatabase } from './open-database.ts';
import { createReplica, type Replica } from './replica.ts';
import {
  postgresqlPrograms,
  startOwnPostgresql,
  startOwnStandby,
  type OwnPostgresql,
} from './testing/own-postgresql.ts';
import { until } from './testing/processes.ts';
import { onServer, withDatabase } from './testing/templates.ts';

const programs = postgresqlPrograms('pg_basebackup');
if (!programs) console.log('PostgreSQL is not installed here: not tried with a replica.');

/** Returns whether a database is the replica. */
const isStandby = async (db: Database) => {
  const { rows } = await sql<{ standby: boolean }>`select pg_is_in_recovery() as standby`.execute(db);
  return rows[0]!.standby;
};

describe.runIf(programs)('a replica', () => {
  let primary: OwnPostgresql;
  let standby: OwnPostgresql;
  let database: OpenDatabase;
  beforeAll(async () => {
    primary = await startOwnPostgresql(programs!);
    await onServer(primary.url, 'create table entries (id int)');
    standby = await startOwnStandby(programs!, primary);
    database = await openDatabase({ databaseUrl: primary.url });
  });
  afterAll(async () => {
    await database?.close();
    await standby?.remove();
    await primary?.remove();
  });

  let counts: string[];
  let messages: string[];
  let replica: Replica;
  const open = (url: string) => {
    const created = createReplica({
      url,
      primary: database.db,
      poolSize: 2,
      prepare: true,
      uptime: systemUptime,
      log: { info: (message) => messages.push(message), warn: (message) => messages.push(message) },
      metrics: { count: (name) => counts.push(name) },
    });
    return created;
  };
  /** A busy machine may take longer than a read waits; then the replica gets a rest. */
  const untilUsed = () => until(() => replica.read(isStandby), 'the replica');
  beforeEach(async () => {
    [counts, messages] = [[], []];
    replica = open(standby.url);
    await untilUsed();
    counts = [];
    return () => replica.close();
  });

  it('runs work in a transaction that only reads', async () => {
    const settings = await replica.read(async (db) => {
      const { rows } = await sql`
        select current_setting('transaction_read_only') as mode, current_setting('transaction_isolation') as level`.execute(
        db,
      );
      return { transaction: db.isTransaction, ...rows[0]! };
    });
    expect(settings).toEqual({ transaction: true, mode: 'on', level: 'read committed' });
    expect(replica.pool()).toMatchObject({ waiting: 0, limit: 2 });
  });

  it('has the primary flush what an open transaction wrote, if nothing else does', async () => {
    const writer = new pg.Client({ connectionString: primary.url });
    await writer.connect();
    onTestFinished(() => writer.end());
    await until(async () => {
      await writer.query('begin');
      await writer.query('insert into entries values (1)');
      const used = await replica.read(isStandby);
      await writer.query('rollback');
      return used;
    }, 'the replica');
    expect(messages.join(' ')).not.toContain('latest writes');
  });

  it('repeats on the primary what fails on the replica, and gives the replica a rest', async () => {
    const failing = async (db: Database) => {
      if (await isStandby(db)) throw new Error('canceling statement due to conflict with recovery');
      return 'from the primary';
    };
    expect(await replica.read(failing)).toBe('from the primary');
    expect(await replica.read(isStandby)).toBe(false);
    expect(counts).toEqual(['hourshare_replica_fallbacks_total', 'hourshare_replica_fallbacks_total']);
    expect(messages).toContain('The replica is not used: canceling statement due to conflict with recovery');
    await untilUsed();
    expect(messages).toContain('The replica is used again.');
  });

  it('runs on the primary what turns out to write', async () => {
    const write = (db: Database) => sql`insert into entries values (2) returning id`.execute(db);
    expect((await replica.read(write)).rows).toEqual([{ id: 2 }]);
  });

  it('does not repeat a statement that took too long', async () => {
    let runs = 0;
    const slow = async (db: Database) => {
      runs += 1;
      await sql`set local statement_timeout = 50`.execute(db);
      await sql`select pg_sleep(30)`.execute(db);
    };
    await expect(replica.read(slow)).rejects.toMatchObject({ code: '57014' });
    expect([runs, counts]).toEqual([1, []]);
    expect(await replica.read(isStandby)).toBe(true);
  });

  it('is not waited for longer than 100 ms when it goes silent', async () => {
    const path = join(new URL(standby.url).searchParams.get('host')!, '.s.PGSQL.5432');
    let silent = false;
    const sockets: Socket[] = [];
    const proxy = createServer((client) => {
      const server = connect(path);
      sockets.push(client, server);
      client.on('data', (bytes) => silent || server.write(bytes)).on('error', () => undefined);
      server.on('data', (bytes) => silent || client.write(bytes)).on('error', () => undefined);
    }).listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    const { port } = proxy.address() as AddressInfo;
    const other = open(`postgresql://tester@127.0.0.1:${port}/postgres`);
    onTestFinished(async () => {
      for (const socket of sockets) socket.destroy();
      proxy.close();
      await other.close();
    });
    await until(() => other.read(isStandby), 'the replica');
    silent = true;
    const startedAt = performance.now();
    expect(await other.read(isStandby)).toBe(false);
    expect(performance.now() - startedAt).toBeLessThan(2000);
    expect(messages.join(' ')).toContain('within 100 ms');
  });

  it('is not used if its address names another database of the same server', async () => {
    await onServer(primary.url, 'create database other');
    const url = withDatabase(standby.url, 'other');
    const isThere = () =>
      onServer(url, 'select 1').then(
        () => true,
        () => false,
      );
    await until(isThere, 'the other database');
    const other = open(url);
    await until(async () => {
      expect(await other.read(isStandby)).toBe(false);
      return messages.some((message) => message.includes('it is not a streaming replica of DATABASE_URL'));
    }, 'a warning');
    await other.close();
  });
});
