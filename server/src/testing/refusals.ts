import { sql } from 'kysely';
import type { Database } from '../platform/database/database.ts';

/** Runs work while the database refuses to write rows of a table that meet a condition on `new`. */
export async function whileRefused(
  db: Database,
  { table, condition }: { table: string; condition: string },
  work: () => Promise<void>,
): Promise<void> {
  await sql`
    create function refuse() returns trigger language plpgsql as $$ begin raise exception 'refused'; end $$`.execute(
    db,
  );
  try {
    await sql`
      create trigger refused before insert or update on ${sql.table(table)}
      for each row when (${sql.raw(condition)}) execute function refuse()`.execute(db);
    await work();
  } finally {
    await sql`drop function refuse cascade`.execute(db);
  }
}
