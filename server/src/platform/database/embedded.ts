import { join, resolve } from 'node:path';
import { Kysely, PostgresDialect } from 'kysely';
import { ensureCreated } from './creation.ts';
import { startEngine } from './embedded-engine.ts';
import { lastingConnection } from './embedded-pool.ts';
import { lockFolder, type FolderLock } from './folder-lock.ts';
import type { CountedPool } from './guarded-pool.ts';
import type { DatabaseLog, ObserveStatement, OpenDatabase } from './open-database.ts';
import { asStartupError, closeDataFolder, DATABASE_NAME, prepareDataFolder } from '../data-folder.ts';
import type { Tables } from '../../schema.ts';
import { startUpkeep } from './upkeep.ts';

/** Opens the database in the folder, creating it if needed, and locks the folder for this process. */
export async function openEmbedded(
  dataDir: string,
  log: DatabaseLog,
  observe?: ObserveStatement,
): Promise<OpenDatabase> {
  const home = resolve(dataDir);
  const folder = join(home, DATABASE_NAME);
  const lock = await takeFolder(home);
  try {
    await ensureCreated(home, folder, log);
    const closed = closeDataFolder(home);
    if (closed > 0) {
      log.warn(`Other users had access to ${closed} files and folders in ${home}; they no longer do.`);
    }
    const database = overConnection(lastingConnection(await startEngine(folder), folder, { log, observe }));
    const stopUpkeep = startUpkeep(database.db, log);
    return {
      ...database,
      close: async () => {
        await stopUpkeep();
        await database.close();
        await lock.release();
      },
    };
  } catch (error) {
    // May also fail on a full disk. The next start then sees that this process is gone.
    await lock.release().catch(() => undefined);
    const problem = `Can't open the embedded database in ${folder}`;
    throw asStartupError(error, problem, 'check that its files are complete, or set DATA_DIR to another folder');
  }
}

async function takeFolder(home: string): Promise<FolderLock> {
  try {
    prepareDataFolder(home);
    return await lockFolder(home);
  } catch (error) {
    throw asStartupError(error, `Can't use the data folder ${home}`);
  }
}

/** Returns the database behind the single connection of an embedded engine. */
export function overConnection(connection: CountedPool): OpenDatabase {
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: connection }) });
  return {
    db,
    engine: 'embedded',
    pool: connection.state,
    close: async () => {
      await db.destroy();
      // The query builder only ends a pool that it has used.
      await connection.end();
    },
  };
}
