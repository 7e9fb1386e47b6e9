import type { PostgresPool, PostgresPoolClient } from 'kysely';
import type pg from 'pg';
import { DatabaseDeadlineError } from './database-deadline-error.ts';
import { losesStatement } from './failure.ts';
import { retryTransient } from './retry.ts';
import type { StatementNames } from './statement-names.ts';

// A number rather than an AsyncLocalStorage, whose first use makes Node 20 track every promise from then on.
let unhurried = 0;

/**
 * Runs work whose statements may take as long as they need: migrations, and waiting for another server's. Meanwhile no
 * statement of this process has a deadline on this side.
 */
export async function withoutDeadline<T>(work: () => Promise<T>): Promise<T> {
  unhurried += 1;
  try {
    return await work();
  } finally {
    unhurried -= 1;
  }
}

export interface Guards {
  /** How long one statement may take, 0 for any time. */
  deadlineMs: number;
  /** What prepared statements are called. */
  names: StatementNames;
  onError: (error: Error) => void;
}

/**
 * The pool as the query builder sees it. It adds what neither of the two does: an error on a connection in use (server
 * restarted, network cut) must not end the process, a connection whose answer never comes must not go back to the
 * pool, where it would fail whoever gets it next, a statement outside a transaction that lost a deadlock is repeated, and
 * statements are prepared once per connection.
 */
export function guardedPool(pool: pg.Pool, guards: Guards): PostgresPool {
  const { onError } = guards;
  // An 'error' event nobody listens to ends the process: the pool listens while a connection is idle, this always.
  pool.on('error', onError);
  pool.on('connect', (client) => client.on('error', onError));
  let ended: Promise<void> | undefined;
  return {
    connect: async () => guardedClient(await pool.connect(), guards),
    end: () => (ended ??= pool.end()),
  };
}

function guardedClient(client: pg.PoolClient, { deadlineMs, names }: Guards): PostgresPoolClient {
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

  function execute(text: string, parameters: readonly unknown[]): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (broken) return reject(broken);
      const name = names.nameOf(text);
      let timer: NodeJS.Timeout | undefined;
      // Once the deadline has passed, nobody waits for this answer or for its failure.
      client.query({ name, text, values: [...parameters] }, (error: Error | null, result) => {
        clearTimeout(timer);
        if (!error) return resolve(result);
        if (name !== undefined && losesStatement(error)) names.giveUp(text, error);
        reject(error);
      });
      if (deadlineMs === 0 || unhurried > 0) return undefined;
      timer = setTimeout(() => {
        broken = new DatabaseDeadlineError(`The database did not answer within ${deadlineMs} ms.`);
        reject(broken);
      }, deadlineMs);
      return undefined;
    });
  }

  return {
    // oxlint-disable-next-line no-unsafe-type-assertion -- the other form is for cursors, which this server doesn't use
    query: query as PostgresPoolClient['query'],
    release: () => client.release(broken),
  };
}
