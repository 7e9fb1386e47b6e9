import type { PGlite } from '@electric-sql/pglite';
import { overConnection } from '../embedded.ts';
import { engineConnection } from '../embedded-pool.ts';
import type { OpenDatabase } from '../open-database.ts';

// Somebody has to read them when a test fails.
export const testLog = { info: () => undefined, warn: (message: string) => console.warn(message) };

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
