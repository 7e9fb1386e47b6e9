import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { columnReaders } from './column-readers.ts';
import { messageOf } from './error-details.ts';
import { losesStatement } from './failure.ts';
import { guardedPool, type CountedPool } from './guarded-pool.ts';
import { oncePerSecond } from '../throttle.ts';
import { onlyRow } from './only-row.ts';
import type { DatabaseLog, ObserveStatement, OpenDatabase } from './open-database.ts';
import { missingSettings, refusesSettings, withSettings } from './postgresql-settings.ts';
import { StartupError } from '../startup-error.ts';
import { createStatementNames, noNames } from './statement-names.ts';
import type { Database } from './database.ts';
import type { Tables } from '../../schema.ts';

const oldestMajor = 15;

// Every request must end within 5 seconds, whatever the network does (docs/decisions). The server cancels statements
// first; this side's deadline is for when it can't report that, and leaves time for the answer.
const connectTimeoutMs = 4_000;
const deadlineMs = 4_800;

interface Target {
  connectionString: string;
  options?: string;
}

export interface PostgresqlOptions {
  /** What people set the address with, for errors. */
  setting?: string;
  /** Maximum number of connections. */
  poolSize: number;
  /** Whether connections keep prepared statements. */
  prepare: boolean;
  log: DatabaseLog;
  observe?: ObserveStatement | undefined;
}

/** Connects to a PostgreSQL server and checks it. Throws a StartupError that says what to set if it can't be used. */
export async function openPostgresql(databaseUrl: string, options: PostgresqlOptions): Promise<OpenDatabase> {
  const { setting = 'DATABASE_URL' } = options;
  const place = describe(databaseUrl, setting);
  let db: Kysely<Tables> | undefined;
  const open = async (target: Target) => {
    // Checked first, because statements that other checks prepare would stay visible to other clients of a pooler.
    if (options.prepare) await checkPreparing(target, place);
    const pool = connect(target, options);
    db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
    await check(db, place, setting);
    return { db, pool };
  };
  try {
    const opened = await open(withSettings(databaseUrl)).catch(async (error: unknown) => {
      if (!refusesSettings(error)) throw error;
      // Behind a pooler, the settings are defaults of the role, which the check requires.
      await db?.destroy();
      return open({ connectionString: databaseUrl });
    });
    return {
      db: opened.db,
      engine: 'postgresql',
      clock: serverClock,
      pool: opened.pool.state,
      close: () => opened.db.destroy(),
    };
  } catch (error) {
    await db?.destroy();
    throw error instanceof StartupError ? error : unreachable(place, setting, error);
  }
}

async function serverClock(db: Database): Promise<Date> {
  const { now } = await onlyRow(sql<{ now: Date }>`select clock_timestamp() as now`, db);
  return now;
}

function connect(target: Target, { poolSize, prepare, log, observe }: PostgresqlOptions): CountedPool {
  const pool = new pg.Pool({
    ...target,
    application_name: 'hourshare',
    max: poolSize,
    connectionTimeoutMillis: connectTimeoutMs,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    types: columnReaders,
  });
  return guardedPool(pool, {
    deadlineMs,
    observe,
    names: prepare ? createStatementNames({ onGiveUp: (reason) => log.warn(lost(reason)) }) : noNames,
    onError: oncePerSecond((error, count) =>
      log.warn(`Lost a connection to the database: ${error.message}${count > 1 ? ` (${count} times)` : ''}`),
    ),
  });
}

/** Rejects a server that is too old or whose connections lack required settings. */
async function check(db: Kysely<Tables>, place: string, setting: string): Promise<void> {
  const { number, name } = await onlyRow(
    sql<{ number: number; name: string }>`
      select current_setting('server_version_num')::int as number, current_setting('server_version') as name`,
    db,
  );
  if (number < oldestMajor * 10_000) {
    throw new StartupError(
      `The database at ${place} is PostgreSQL ${name}; set ${setting} to PostgreSQL ${oldestMajor} or newer.`,
    );
  }
  const missing = await missingSettings(db);
  if (missing.length > 0) {
    throw new StartupError(
      `The connection pooler at ${place} doesn't pass on connection settings. Set them as defaults of HourShare's role, have the pooler reconnect, and start again (docs/operations.md): ${missing.join(' ')}`,
    );
  }
}

const lost = ({ message }: Error) =>
  `The database lost a prepared statement (${message}), so HourShare no longer prepares it. If a connection pooler can't keep prepared statements, set DATABASE_PREPARE=off.`;

/**
 * Rejects a pooler that lends one connection to several clients and mixes up their prepared statements: there, two
 * clients can't prepare the same name.
 */
async function checkPreparing(target: Target, place: string): Promise<void> {
  const settings = { ...target, connectionTimeoutMillis: connectTimeoutMs, query_timeout: deadlineMs };
  const clients = [new pg.Client(settings), new pg.Client(settings)];
  try {
    for (const client of clients) {
      client.on('error', () => undefined);
      await client.connect();
      const { rows } = await client.query<{ pid: number }>({
        name: 'hourshare_check',
        text: 'select pg_backend_pid() as pid',
      });
      if (isBackend(client, rows[0]?.pid)) return;
    }
  } catch (error) {
    if (!losesStatement(error)) throw error;
    // The first client may be lent the connection with its statement.
    await clients[0]?.query('deallocate hourshare_check').catch(() => undefined);
    throw new StartupError(
      `The connection pooler at ${place} doesn't keep prepared statements (${messageOf(error)}); set DATABASE_PREPARE=off, or configure it to keep them (docs/operations.md).`,
      { cause: error },
    );
  } finally {
    await Promise.all(clients.map((client) => client.end()));
  }
}

/** Returns whether a client is connected to this process of the server: a pooler reports other numbers. */
export const isBackend = (client: pg.Client, pid: number | undefined): boolean =>
  'processID' in client && client.processID === pid;

/** Throws a StartupError unless a setting is an address that the driver understands. */
export const requireAddress = (databaseUrl: string, setting: string): void => void describe(databaseUrl, setting);

/** Returns the address without its password, for messages. */
function describe(databaseUrl: string, setting: string): string {
  if (!/^postgres(ql)?:\/\//.test(databaseUrl)) throw notAnAddress(setting);
  try {
    const { host, port, database } = new pg.Client({ connectionString: databaseUrl });
    return host.startsWith('/') ? `${host}, database ${database}` : `${host}:${port}, database ${database}`;
  } catch {
    throw notAnAddress(setting);
  }
}

function notAnAddress(setting: string): StartupError {
  const unset = setting === 'DATABASE_REPLICA_URL' ? '' : ' to use the embedded database';
  return new StartupError(
    `${setting} isn't the address of a PostgreSQL database; set it to an address such as postgresql://user:password@host:5432/database, or leave it unset${unset}.`,
  );
}

function unreachable(place: string, setting: string, error: unknown): StartupError {
  return new StartupError(
    `Can't use the database at ${place} (${messageOf(error)}); check that it is running and lets HourShare connect, or set ${setting} to another one.`,
    { cause: error },
  );
}
