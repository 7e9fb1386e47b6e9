import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Kysely, PostgresDialect, type PostgresPool } from 'kysely';
import { ensureCreated } from './creation.ts';
import { startEngine } from './embedded-engine.ts';
import { messageOf } from './error-details.ts';
import { lastingConnection } from './embedded-pool.ts';
import { lockFolder } from './folder-lock.ts';
import type { DatabaseLog, OpenDatabase } from './open-database.ts';
import { StartupError } from '../startup-error.ts';
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
      const database = overConnection(lastingConnection(await startEngine(folder), folder, log));
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
    throw error instanceof StartupError ? error : cannotOpen(folder, error);
  }
}

/** The database behind the only connection of an embedded engine. */
export function overConnection(connection: PostgresPool): OpenDatabase {
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: connection }) });
  return {
    db,
    engine: 'embedded',
    close: async () => {
      await db.destroy();
      // The query builder ends a pool only if it has used it.
      await connection.end();
    },
  };
}

function cannotOpen(folder: string, error: unknown): StartupError {
  return new StartupError(
    `Can't open the embedded database in ${folder} (${messageOf(error)}); see that its files are this user's and whole, or set DATA_DIR to another folder.`,
    { cause: error },
  );
}
