import { AsyncLocalStorage } from 'node:async_hooks';
import type { PostgresPool, PostgresPoolClient } from 'kysely';
import type pg from 'pg';
import { DatabaseDeadlineError } from './database-deadline-error.ts';
import { retryTransient } from './retry.ts';

const unhurried = new AsyncLocalStorage<true>();

/** Runs work whose statements may take as long as they need: migrations, and waiting for another server's. */
export function withoutDeadline<T>(work: () => Promise<T>): Promise<T> {
  return unhurried.run(true, work);
}

/**
 * The pool as the query builder sees it. It adds what neither of the two does: an error on a connection in use (server
 * restarted, network cut) must not end the process, a connection whose answer never comes must not go back to the
 * pool, where it would fail whoever gets it next, and a statement outside a transaction that lost a deadlock is repeated.
 *
 * @param deadlineMs how long one statement may take, 0 for any time
 */
export function guardedPool(
  pool: pg.Pool,
  { deadlineMs, onError }: { deadlineMs: number; onError: (error: Error) => void },
): PostgresPool {
  // An 'error' event nobody listens to ends the process: the pool listens while a connection is idle, this always.
  pool.on('error', onError);
  pool.on('connect', (client) => client.on('error', onError));
  let ended: Promise<void> | undefined;
  return {
    connect: async () => guardedClient(await pool.connect(), deadlineMs),
    end: () => (ended ??= pool.end()),
  };
}

function guardedClient(client: pg.PoolClient, deadlineMs: number): PostgresPoolClient {
  let broken: Error | undefined;
  let inTransaction = false;

  function query(sql: string, parameters: readonly unknown[]): Promise<unknown> {
    const begins = /^(?:begin|start transaction)\b/.test(sql);
    const ends = sql === 'commit' || sql === 'rollback';
    const isPlain = !inTransaction && !begins && !ends;
    if (begins) inTransaction = true;
    if (ends) inTransaction = false;
    // In a transaction it's the whole transaction that must be repeated, which only its author can do.
    return isPlain ? retryTransient(() => execute(sql, parameters)) : execute(sql, parameters);
  }

  async function execute(sql: string, parameters: readonly unknown[]): Promise<unknown> {
    if (broken) throw broken;
    const answer = client.query(sql, [...parameters]);
    if (deadlineMs === 0 || unhurried.getStore()) return answer;
    let timer: NodeJS.Timeout | undefined;
    const deadline = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        broken = new DatabaseDeadlineError(`The database did not answer within ${deadlineMs} ms.`);
        reject(broken);
      }, deadlineMs);
    });
    // Once the deadline has passed, nobody waits for this answer or for its failure.
    answer.catch(() => undefined);
    try {
      return await Promise.race([answer, deadline]);
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    // oxlint-disable-next-line no-unsafe-type-assertion -- the other form is for cursors, which this server doesn't use
    query: query as PostgresPoolClient['query'],
    release: () => client.release(broken),
  };
}
