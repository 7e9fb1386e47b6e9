import { retryTransient } from './retry.ts';
import type { Failure, Result } from '../result.ts';
import type { Database } from './database.ts';

/** What each open transaction does once it has committed. */
const afterCommits = new WeakMap<Database, (() => void)[]>();

/**
 * Runs all of the work or none of it, repeating it when the database gives up on the transaction, so it must touch
 * nothing but the database. Inside a transaction it joins that one; the level is explicit because a database's default
 * may be stricter than the code expects.
 */
export async function inTransaction<T>(db: Database, work: (trx: Database) => Promise<T>): Promise<T> {
  if (db.isTransaction) return work(db);
  let pending: (() => void)[] = [];
  const result = await retryTransient(() =>
    db
      .transaction()
      .setIsolationLevel('read committed')
      .execute((trx) => {
        pending = [];
        afterCommits.set(trx, pending);
        return work(trx);
      }),
  );
  for (const each of pending) each();
  return result;
}

/** Runs work outside of the database, such as logging, once the transaction has committed: never if it is undone, at once without one. */
export function afterCommit(db: Database, work: () => void): void {
  const pending = afterCommits.get(db);
  if (pending) pending.push(work);
  else work();
}

/** Thrown by a part of the work that can't return its failure, to undo the transaction that `inUndoableTransaction` began. */
export class Undone extends Error {
  readonly failure: Failure;
  constructor(failure: Failure) {
    super('undone');
    this.failure = failure;
  }
}

/** Runs work in its own transaction, which a failure undoes. */
export async function inUndoableTransaction<T>(
  db: Database,
  work: (trx: Database) => Promise<Result<T>>,
): Promise<Result<T>> {
  try {
    return await inTransaction(db, async (trx) => {
      const result = await work(trx);
      if (!result.ok) throw new Undone(result);
      return result;
    });
  } catch (error) {
    if (error instanceof Undone) return error.failure;
    throw error;
  }
}
