import { join } from 'node:path';
import { mkdir } from 'node:fs/promises';
import { PGlite } from '@electric-sql/pglite';
import { createPgConfig } from '@electric-sql/pglite/node-postgres';
import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { columnReaders } from './column-readers.ts';
import { DurableFiles } from './durable-files.ts';
import { guardedPool } from './guarded-pool.ts';
import type { DatabaseLog, OpenDatabase } from './open.ts';
import type { Tables } from './tables.ts';

const settings = ['shared_buffers=16MB', 'timezone=UTC'].flatMap((setting) => ['-c', setting]);

/** How an engine starts whose files are in memory. */
export const inMemoryParams = [...PGlite.defaultStartParams, ...settings];

const durableParams = [
  ...PGlite.defaultStartParams.filter((param) => param !== '-F'),
  ...settings,
  '-c',
  // fdatasync, the usual choice, is one of the engine's calls that do nothing.
  'wal_sync_method=fsync',
];

export async function openEmbedded(dataDir: string, log: DatabaseLog): Promise<OpenDatabase> {
  await mkdir(dataDir, { recursive: true });
  const engine = await PGlite.create({ fs: new DurableFiles(join(dataDir, 'database')), startParams: durableParams });
  return overEngine(engine, log);
}

/** The database of a running engine, which is closed with it. */
export function overEngine(engine: PGlite, log: DatabaseLog): OpenDatabase {
  const pool = new pg.Pool({
    ...createPgConfig(engine),
    max: 1,
    idleTimeoutMillis: 0,
    // How long a request waits for its turn on the only connection.
    connectionTimeoutMillis: 4_000,
    types: columnReaders,
  } as pg.PoolConfig);
  const guarded = guardedPool(pool, {
    deadlineMs: 0,
    onError: (error) => log.warn(`The embedded database failed: ${error.message}`),
  });
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: guarded }) });
  return {
    db,
    engine: 'embedded',
    ping: async () => {
      await sql`select 1`.execute(db);
    },
    close: async () => {
      await db.destroy();
      await engine.close();
    },
  };
}
