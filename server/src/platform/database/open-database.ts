import type { Kysely } from 'kysely';
import type { Database } from './database.ts';
import type { Tables } from '../../schema.ts';

/** How many connections a process has to its database, and what waits for one. */
export interface PoolState {
  connections: number;
  idle: number;
  waiting: number;
  limit: number;
}

/** Told of each statement, without its values, and of each failure to get a connection. Returns a function for its end. */
export type ObserveStatement = (text: string) => (error?: unknown) => void;

export interface OpenDatabase {
  db: Kysely<Tables>;
  engine: 'postgresql' | 'embedded';
  /** The server's clock. The embedded engine only has this process's. */
  clock?: (db: Database) => Promise<Date>;
  pool: () => PoolState;
  /** Waits for the statements in flight, then closes the database. */
  close: () => Promise<void>;
}

/** Where an open database reports what no caller sees, such as a lost idle connection. */
export interface DatabaseLog {
  info: (message: string) => void;
  warn: (message: string) => void;
}
