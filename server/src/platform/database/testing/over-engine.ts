import type { PGlite } from '@electric-sql/pglite';
import { overConnection } from '../embedded.ts';
import { engineConnection } from '../embedded-pool.ts';
import type { ObserveStatement, OpenDatabase } from '../open-database.ts';

// Warnings are shown, because they explain failing tests.
const testLog = { info: () => undefined, warn: (message: string) => console.warn(message) };

/** How tests open a PostgreSQL database; `DATABASE_PREPARE=off` simulates a pooler that keeps no statements. */
export const testOptions = { poolSize: 10, prepare: process.env['DATABASE_PREPARE'] !== 'off', log: testLog };

/** Returns the database of an engine that a test started, and closes the engine with it. */
export function overEngine(engine: PGlite, observe?: ObserveStatement): OpenDatabase {
  const database = overConnection(engineConnection(engine, { log: testLog, observe }));
  return {
    ...database,
    close: async () => {
      await database.close();
      await engine.close();
    },
  };
}
