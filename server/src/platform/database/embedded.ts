import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { PGlite } from '@electric-sql/pglite';
import { createPgConfig } from '@electric-sql/pglite/node-postgres';
import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { columnReaders } from './column-readers.ts';
import { ensureCreated } from './creation.ts';
import { startEngine } from './embedded-engine.ts';
import { lockFolder } from './folder-lock.ts';
import { guardedPool } from './guarded-pool.ts';
import type { DatabaseLog, OpenDatabase } from './open.ts';
import { StartupError } from './startup-error.ts';
import type { Tables } from './tables.ts';
import { keepUp } from './upkeep.ts';

/** Opens the database in the folder, which it creates and takes for this process alone. */
export async function openEmbedded(dataDir: string, log: DatabaseLog): Promise<OpenDatabase> {
  const home = resolve(dataDir);
  const folder = join(home, 'database');
  try {
    await mkdir(home, { recursive: true, mode: 0o700 });
    const lock = await lockFolder(home);
    try {
      await ensureCreated(home, folder);
      const { engine } = await startEngine(folder);
      const database = overEngine(engine, log);
      const stopUpkeep = keepUp(database.db, log);
      return {
        ...database,
        close: async () => {
          await stopUpkeep();
          await database.close();
          await lock.release();
        },
      };
    } catch (error) {
      await lock.release();
      throw error;
    }
  } catch (error) {
    throw error instanceof StartupError ? error : cannotOpen(folder, error as Error);
  }
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

function cannotOpen(folder: string, error: Error): StartupError {
  return new StartupError(
    `Can't open the embedded database in ${folder} (${error.message}); see that its files are this user's and whole, or set DATA_DIR to another folder.`,
    { cause: error },
  );
}
