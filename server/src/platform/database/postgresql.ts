import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { columnReaders } from './column-readers.ts';
import { messageOf } from './error-details.ts';
import { guardedPool } from './guarded-pool.ts';
import { oncePerSecond } from '../once-per-second.ts';
import { onlyRow } from './only-row.ts';
import type { DatabaseLog, OpenDatabase } from './open-database.ts';
import { StartupError } from '../startup-error.ts';
import type { Tables } from './tables.ts';

const oldestMajor = 15;

// A request must end within 5 seconds whatever happens to the network (docs/decisions). The server gives up on a
// statement first; the deadline on this side is for when it can't say so.
const connectTimeoutMs = 4_000;
const statementTimeoutMs = 4_500;
const deadlineMs = 5_000;

// Sent as a statement and not as start-up parameters, which connection poolers such as PgBouncer refuse. UTC and ISO
// whatever the server is set to, so that both engines answer alike. Neither compiled nor shared out among processes: a
// statement that reads a few rows by many expressions is done in milliseconds, compiling it would take fifty, and starting
// processes ten.
const sessionSettings = `
  set timezone = 'UTC';
  set datestyle = 'ISO';
  set jit = off;
  set max_parallel_workers_per_gather = 0;
  set statement_timeout = ${statementTimeoutMs};
  set idle_in_transaction_session_timeout = 30000`;

export async function openPostgresql(databaseUrl: string, poolSize: number, log: DatabaseLog): Promise<OpenDatabase> {
  const place = describe(databaseUrl);
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    application_name: 'hourshare',
    max: poolSize,
    connectionTimeoutMillis: connectTimeoutMs,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    types: columnReaders,
    // oxlint-disable-next-line no-misused-promises -- the pool waits for it, its types don't say so
    onConnect: async (client) => {
      await client.query(sessionSettings);
    },
  });
  const guarded = guardedPool(pool, {
    deadlineMs,
    onError: oncePerSecond((error, count) =>
      log.warn(`Lost a connection to the database: ${error.message}${count > 1 ? ` (${count} times)` : ''}`),
    ),
  });
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: guarded }) });

  try {
    const { number, name } = await onlyRow(
      sql<{ number: number; name: string }>`
        select current_setting('server_version_num')::int as number, current_setting('server_version') as name`,
      db,
    );
    if (number < oldestMajor * 10_000) {
      throw new StartupError(
        `The database at ${place} is PostgreSQL ${name}; set DATABASE_URL to PostgreSQL ${oldestMajor} or newer.`,
      );
    }
  } catch (error) {
    await db.destroy();
    throw error instanceof StartupError ? error : unreachable(place, error);
  }

  return {
    db,
    engine: 'postgresql',
    close: () => db.destroy(),
  };
}

/** The address without its password, for messages. */
function describe(databaseUrl: string): string {
  if (!/^postgres(ql)?:\/\//.test(databaseUrl)) throw notAnAddress();
  try {
    const { host, port, database } = new pg.Client({ connectionString: databaseUrl });
    return host.startsWith('/') ? `${host}, database ${database}` : `${host}:${port}, database ${database}`;
  } catch {
    throw notAnAddress();
  }
}

function notAnAddress(): StartupError {
  return new StartupError(
    'DATABASE_URL is no address of a PostgreSQL database; set it like postgresql://user:password@host:5432/database, or leave it out to use the embedded database.',
  );
}

function unreachable(place: string, error: unknown): StartupError {
  return new StartupError(
    `Can't use the database at ${place} (${messageOf(error)}); see that it runs and lets HourShare in, or set DATABASE_URL to another one.`,
    { cause: error },
  );
}
