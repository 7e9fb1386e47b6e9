import type { Database } from './tables.ts';
import { isTransient } from './failure.ts';

const attempts = 5;

/**
 * Does all of the work or none of it. In a transaction already, the work joins it, and the one that began it decides.
 * When the database gives up on this transaction in favour of another (serialization failure, deadlock), the work is
 * done again from the start, so it must touch nothing but the database.
 */
export async function inTransaction<T>(db: Database, work: (trx: Database) => Promise<T>): Promise<T> {
  if (db.isTransaction) return work(db);
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await db.transaction().execute(work);
    } catch (error) {
      if (attempt === attempts || !isTransient(error)) throw error;
    }
  }
}
