import { join } from 'node:path';
import type { Kysely } from 'kysely';
import { openEmbedded } from './embedded.ts';
import { openPostgresql } from './postgresql.ts';
import type { Tables } from './tables.ts';

export interface DatabaseLog {
  info(message: string): void;
  warn(message: string): void;
}

export interface DatabaseOptions {
  /** A PostgreSQL server; without it, the embedded engine. */
  databaseUrl?: string | undefined;
  /** Where the embedded engine keeps its files. */
  dataDir?: string | undefined;
  /** The most connections to a PostgreSQL server; the embedded engine has one. */
  poolSize?: number | undefined;
  log?: DatabaseLog | undefined;
}

export interface OpenDatabase {
  db: Kysely<Tables>;
  engine: 'postgresql' | 'embedded';
  /** Rejects when the database doesn't answer. */
  ping(): Promise<void>;
  /** Waits for the statements in flight, then lets go of the database. */
  close(): Promise<void>;
}

const silent: DatabaseLog = { info: () => undefined, warn: () => undefined };

/** Opens the database the settings name. A StartupError says what to set when that can't be. */
export function openDatabase(options: DatabaseOptions): Promise<OpenDatabase> {
  const { databaseUrl, dataDir = join(process.cwd(), 'data'), poolSize = 10, log = silent } = options;
  return databaseUrl ? openPostgresql(databaseUrl, poolSize, log) : openEmbedded(dataDir, log);
}
