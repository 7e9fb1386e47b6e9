import type { Kysely } from 'kysely';
import type { Database } from './database.ts';
import type { Tables } from '../../schema.ts';

export interface OpenDatabase {
  db: Kysely<Tables>;
  engine: 'postgresql' | 'embedded';
  /** The server's clock; the embedded engine has none but this process's. */
  clock?: (db: Database) => Promise<Date>;
  /** Waits for the statements in flight, then lets go of the database. */
  close: () => Promise<void>;
}

/** Where an open database reports what no caller hears of, such as an idle connection that was lost. */
export interface DatabaseLog {
  info: (message: string) => void;
  warn: (message: string) => void;
}
