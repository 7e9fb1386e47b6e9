import { AsyncLocalStorage } from 'node:async_hooks';
import type { PostgresPool, PostgresPoolClient } from 'kysely';
import type pg from 'pg';

const unhurried = new AsyncLocalStorage<true>();

/** Runs work whose statements may take as long as they need: migrations, and waiting for another server's. */
export function withoutDeadline<T>(work: () => Promise<T>): Promise<T> {
  return unhurried.run(true, work);
}

/** A statement got no answer in time; whether it took effect is unknown. */
export class DatabaseDeadlineError extends Error {
  override readonly name = 'DatabaseDeadlineError';
}

/**
 * The pool as the query builder sees it. It adds what neither of the two does: an error on a connection in use (server
 * restarted, network cut) must not end the process, and a connection whose answer never comes must not go back to the
 * pool, where it would fail whoever gets it next.
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

  async function query(sql: string, parameters: readonly unknown[]): Promise<unknown> {
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
