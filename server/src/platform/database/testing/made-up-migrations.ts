import { sql } from 'kysely';
import { migrations } from '../../../migrations/index.ts';

/** Adds later migrations, each of one statement, as a newer version has them. Returns a function that removes them. */
export function addMigrations(statements: Record<string, string>): () => void {
  for (const [name, statement] of Object.entries(statements))
    migrations[name] = {
      up: async (db) => {
        await sql.raw(statement).execute(db);
      },
    };
  return () => {
    for (const name of Object.keys(statements)) delete migrations[name];
  };
}
