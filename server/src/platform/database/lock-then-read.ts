import type { RawBuilder } from 'kysely';
import type { Database } from './database.ts';

/**
 * Locks rows, and returns what is read once they are locked; nothing if there are none. Reads in a second statement, because one
 * that has waited for a lock still sees other tables as they were before the wait.
 */
export async function lockThenRead<Row>(
  db: Database,
  lock: RawBuilder<unknown>,
  read: RawBuilder<Row> | (() => RawBuilder<Row>),
): Promise<Row[]> {
  if ((await lock.execute(db)).rows.length === 0) return [];
  return (await (typeof read === 'function' ? read() : read).execute(db)).rows;
}
