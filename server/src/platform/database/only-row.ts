import type { RawBuilder } from 'kysely';
import type { Database } from './database.ts';

/** Returns the row of a query that always has exactly one. */
export async function onlyRow<Row>(query: RawBuilder<Row>, db: Database): Promise<Row> {
  const [row] = (await query.execute(db)).rows;
  if (row === undefined) throw new Error('The database gave no row where there is always one.');
  return row;
}
