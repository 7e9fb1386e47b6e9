import { retryTransient } from './retry.ts';
import type { Database } from './database.ts';

/**
 * Does all of the work or none of it. In a transaction already, the work joins it, and the one that began it decides.
 * When the database gives up on this transaction in favour of another (serialization failure, deadlock), the work is
 * done again from the start, so it must touch nothing but the database. The level is named because statements here
 * expect to see what others committed while they waited for a lock; a database's default may be a stricter one.
 */
export async function inTransaction<T>(db: Database, work: (trx: Database) => Promise<T>): Promise<T> {
  if (db.isTransaction) return work(db);
  return retryTransient(() => db.transaction().setIsolationLevel('read committed').execute(work));
}
