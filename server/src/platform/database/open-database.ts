import type { Kysely } from 'kysely';
import type { Database } from './database.ts';
import type { Tables } from '../../schema.ts';

export interface OpenDatabase {
  db: Kysely<Tables>;
  engine: 'postgresql' | 'embedded';
  /** The server's clock. The embedded engine only has this process's. */
  clock?: (db: Database) => Promise<Date>;
  /** Waits for the statements in flight, then closes the database. */
  close: () => Promise<void>;
}

/** Where an open database reports what no caller sees, such as a lost idle connection. */
export interface DatabaseLog {
  info: (message: string) => void;
  warn: (message: string) => void;
}
