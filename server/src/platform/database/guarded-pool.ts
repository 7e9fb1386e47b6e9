import type { PostgresPool, PostgresPoolClient } from 'kysely';
import type pg from 'pg';
import { DatabaseDeadlineError } from './database-deadline-error.ts';
import { losesStatement } from './failure.ts';
import type { ObserveStatement, PoolState } from './open-database.ts';
import { retryTransient } from './retry.ts';
import type { StatementNames } from './statement-names.ts';

// A counter, because the first use of AsyncLocalStorage makes Node 20 track every promise from then on.
let exemptCount = 0;

/**
 * Runs work whose statements have no deadline: migrations, and waiting for another server's. No statement of this
 * process has a client-side deadline meanwhile.
 */
export async function withoutDeadline<T>(work: () => Promise<T>): Promise<T> {
  exemptCount += 1;
  try {
    return await work();
  } finally {
    exemptCount -= 1;
  }
}

export interface Guards {
  /** How long one statement may take; 0 for no limit. */
  deadlineMs: number;
  /** Names of prepared statements. */
  names: StatementNames;
  onError: (error: Error) => void;
  observe?: ObserveStatement | undefined;
}

/** A pool that also tells how full it is. */
export interface CountedPool extends PostgresPool {
  state: () => PoolState;
}

/**
 * Returns the pool for the query builder, with what neither of them does: a lost connection doesn't end the process, a
 * connection without an answer isn't reused, a plain statement that lost a deadlock is retried, and statements are
 * prepared once per connection.
 */
export function guardedPool(pool: pg.Pool, guards: Guards): CountedPool {
  const { onError, observe } = guards;
  // An unhandled 'error' event ends the process, and the pool only listens while a connection is idle.
  pool.on('error', onError);
  pool.on('connect', (client) => client.on('error', onError));
  let ended: Promise<void> | undefined;
  return {
    connect: async () => {
      try {
        return guardedClient(await pool.connect(), guards);
      } catch (error) {
        observe?.('connect')(error);
        throw error;
      }
    },
    end: () => (ended ??= pool.end()),
    state: () => ({
      connections: pool.totalCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
      limit: pool.options.max,
    }),
  };
}

function guardedClient(client: pg.PoolClient, { deadlineMs, names, observe }: Guards): PostgresPoolClient {
  let broken: Error | undefined;
  let inTransaction = false;

  function query(sql: string, parameters: readonly unknown[]): Promise<unknown> {
    const begins = /^(?:begin|start transaction)\b/.test(sql);
    const ends = sql === 'commit' || sql === 'rollback';
    const isPlain = !inTransaction && !begins && !ends;
    if (begins) inTransaction = true;
    if (ends) inTransaction = false;
    // In a transaction, only its author can retry, because all of it must be repeated.
    return isPlain ? retryTransient(() => execute(sql, parameters)) : execute(sql, parameters);
  }

  function execute(text: string, parameters: readonly unknown[]): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (broken) return reject(broken);
      const ended = observe?.(text);
      const name = names.nameOf(text);
      let timer: NodeJS.Timeout | undefined;
      // After the deadline, no one waits for this result or its failure.
      client.query({ name, text, values: [...parameters] }, (error: Error | null, result) => {
        clearTimeout(timer);
        if (!broken) ended?.(error ?? undefined);
        if (!error) return resolve(result);
        if (name !== undefined && losesStatement(error)) names.giveUp(text, error);
        reject(error);
      });
      if (deadlineMs === 0 || exemptCount > 0) return undefined;
      timer = setTimeout(() => {
        broken = new DatabaseDeadlineError(`The database did not answer within ${deadlineMs} ms.`);
        ended?.(broken);
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
