import { join } from 'node:path';
import type { DatabaseLog, OpenDatabase } from './open-database.ts';
import { openPostgresql } from './postgresql.ts';

export type { OpenDatabase } from './open-database.ts';

export interface DatabaseOptions {
  /** A PostgreSQL server; without it, the embedded engine. */
  databaseUrl?: string | undefined;
  /** Where the embedded engine keeps its files. */
  dataDir?: string | undefined;
  /** The most connections to a PostgreSQL server; the embedded engine has one. */
  poolSize?: number | undefined;
  /** Whether connections to a PostgreSQL server keep prepared statements; they do if not told otherwise. */
  prepare?: boolean | undefined;
  log?: DatabaseLog | undefined;
}

const silent: DatabaseLog = { info: () => undefined, warn: () => undefined };

/** Opens the database the settings name. A StartupError says what to set when that can't be. */
export async function openDatabase(options: DatabaseOptions): Promise<OpenDatabase> {
  const { databaseUrl, dataDir = join(process.cwd(), 'data'), poolSize = 10, prepare = true, log = silent } = options;
  if (databaseUrl) return openPostgresql(databaseUrl, { poolSize, prepare, log });
  // Not loaded with a PostgreSQL server, which needs none of it.
  const { openEmbedded } = await import('./embedded.ts');
  return openEmbedded(dataDir, log);
}
