import { retryTransient } from './retry.ts';
import type { Failure, Result } from '../result.ts';
import type { Database } from './database.ts';

/** What each open transaction does once it has committed. */
const afterCommits = new WeakMap<Database, (() => void)[]>();

/**
 * Runs all of the work or none of it, with the dependencies that have the transaction as their database. Repeats it when the
 * database gives up on the transaction, so it must touch nothing but the database. Inside a transaction it joins that one;
 * the level is explicit because a database's default may be stricter than the code expects.
 */
export async function transaction<Deps extends { db: Database }, T>(
  deps: Deps,
  work: (deps: Deps) => Promise<T>,
): Promise<T> {
  if (deps.db.isTransaction) return work(deps);
  let pending: (() => void)[] = [];
  const result = await retryTransient(() =>
    deps.db
      .transaction()
      .setIsolationLevel('read committed')
      .execute((db) => {
        pending = [];
        afterCommits.set(db, pending);
        return work({ ...deps, db });
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

/** Thrown by a part of the work that can't return its failure, to undo the transaction that `undoableTransaction` began. */
export class Undone extends Error {
  readonly failure: Failure;
  constructor(failure: Failure) {
    super('undone');
    this.failure = failure;
  }
}

/** Runs work in its own transaction, which a failure undoes. */
export async function undoableTransaction<Deps extends { db: Database }, T>(
  deps: Deps,
  work: (deps: Deps) => Promise<Result<T>>,
): Promise<Result<T>> {
  try {
    return await transaction(deps, async (inside) => {
      const result = await work(inside);
      if (!result.ok) throw new Undone(result);
      return result;
    });
  } catch (error) {
    if (error instanceof Undone) return error.failure;
    throw error;
  }
}
