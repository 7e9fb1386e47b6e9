import { join } from 'node:path';
import type { DatabaseLog, ObserveStatement, OpenDatabase } from './open-database.ts';
import { openPostgresql } from './postgresql.ts';

export type { OpenDatabase } from './open-database.ts';

export interface DatabaseOptions {
  /** Address of a PostgreSQL server. Without it, the embedded engine is used. */
  databaseUrl?: string | undefined;
  /** What people set the address with, for errors. */
  setting?: string;
  /** Where the embedded engine stores its files. */
  dataDir?: string | undefined;
  /** Maximum number of connections to a PostgreSQL server. The embedded engine has one. */
  poolSize?: number | undefined;
  /** Whether connections to a PostgreSQL server keep prepared statements; true by default. */
  prepare?: boolean | undefined;
  log?: DatabaseLog | undefined;
  observe?: ObserveStatement | undefined;
}

const silent: DatabaseLog = { info: () => undefined, warn: () => undefined };

/** Opens the database that the settings name, or throws a StartupError that says what to set. */
export async function openDatabase(options: DatabaseOptions): Promise<OpenDatabase> {
  const {
    databaseUrl,
    setting = 'DATABASE_URL',
    dataDir = join(process.cwd(), 'data'),
    poolSize = 10,
    prepare = true,
    log = silent,
    observe,
  } = options;
  if (databaseUrl) return openPostgresql(databaseUrl, { setting, poolSize, prepare, log, observe });
  // Only loaded without a PostgreSQL server, which doesn't need it.
  const { openEmbedded } = await import('./embedded.ts');
  return openEmbedded(dataDir, log, observe);
}
