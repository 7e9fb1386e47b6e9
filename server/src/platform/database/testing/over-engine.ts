import type { PGlite } from '@electric-sql/pglite';
import { overConnection } from '../embedded.ts';
import { engineConnection } from '../embedded-pool.ts';
import type { OpenDatabase } from '../open-database.ts';

// Somebody has to read them when a test fails.
const testLog = { info: () => undefined, warn: (message: string) => console.warn(message) };

/** How tests open a PostgreSQL database; `DATABASE_PREPARE=off` tries it as behind a pooler that keeps no statements. */
export const testOptions = { poolSize: 10, prepare: process.env['DATABASE_PREPARE'] !== 'off', log: testLog };

/** The database of an engine that a test started, which is closed with it. */
export function overEngine(engine: PGlite): OpenDatabase {
  const database = overConnection(engineConnection(engine, testLog));
  return {
    ...database,
    close: async () => {
      await database.close();
      await engine.close();
    },
  };
}
