import { retryTransient } from './retry.ts';
import type { Database } from './database.ts';

/**
 * Runs all of the work or none of it, repeating it when the database gives up on the transaction, so it must touch
 * nothing but the database. Inside a transaction it joins that one; the level is explicit because a database's default
 * may be stricter than the code expects.
 */
export async function inTransaction<T>(db: Database, work: (trx: Database) => Promise<T>): Promise<T> {
  if (db.isTransaction) return work(db);
  return retryTransient(() => db.transaction().setIsolationLevel('read committed').execute(work));
}
