import type { PGlite } from '@electric-sql/pglite';
import { createPgConfig } from '@electric-sql/pglite/node-postgres';
import pg from 'pg';
import { columnReaders } from './column-readers.ts';
import { startEngine, type DurableEngine } from './embedded-engine.ts';
import { EngineStoppedError } from './engine-stopped-error.ts';
import { messageOf } from './error-details.ts';
import { guardedPool, type CountedPool } from './guarded-pool.ts';
import type { DatabaseLog, ObserveStatement } from './open-database.ts';
import { oncePerSecond } from '../throttle.ts';
import { createStatementNames } from './statement-names.ts';

// How long a request waits for its turn on the single connection.
const turnMs = 4_000;
const restartEveryMs = 2_000;

interface Listeners {
  log: DatabaseLog;
  observe?: ObserveStatement | undefined;
}

/** Returns the single connection of an embedded engine as the pool that the query builder expects. */
export function engineConnection(engine: PGlite, { log, observe }: Listeners): CountedPool {
  const { connection, host, user, password, database } = createPgConfig(engine);
  const settings = {
    // The connection to use instead of a socket, which the driver's types don't declare.
    connection,
    // Never used, but without them the driver would read a server's settings from the environment.
    host,
    user,
    password,
    database,
    max: 1,
    idleTimeoutMillis: 0,
    connectionTimeoutMillis: turnMs,
    types: columnReaders,
  };
  const pool = new pg.Pool(settings);
  return guardedPool(pool, {
    deadlineMs: 0,
    observe,
    names: createStatementNames(),
    onError: oncePerSecond((error) => log.warn(error.message)),
  });
}

/**
 * Returns the connection of an engine on a folder, restarting the engine after it stops. PostgreSQL stops when it can't
 * write its log, such as on a full disk; acknowledged writes are back after the restart.
 */
export function lastingConnection(first: DurableEngine, folder: string, listeners: Listeners): CountedPool {
  let current = { ...first, connection: engineConnection(first.engine, listeners) };
  let restarting: Promise<void> | undefined;
  let triedAt = 0;

  async function restart(): Promise<void> {
    const reason = current.stopped();
    if (!reason) return;
    if (Date.now() - triedAt < restartEveryMs) throw reason;
    listeners.log.warn(`${reason.message}; starting it again.`);
    try {
      current.files.abandon();
      const next = await startEngine(folder);
      current = { ...next, connection: engineConnection(next.engine, listeners) };
    } catch (error) {
      throw new EngineStoppedError(`The embedded database can't be started again: ${messageOf(error)}`);
    } finally {
      triedAt = Date.now();
    }
  }

  let ended: Promise<void> | undefined;
  async function end(): Promise<void> {
    await restarting?.catch(() => undefined);
    if (current.stopped()) return current.files.abandon();
    await current.connection.end();
    await current.engine.close();
  }

  return {
    connect: async () => {
      if (current.stopped()) {
        restarting ??= restart().finally(() => (restarting = undefined));
        await restarting;
      }
      return current.connection.connect();
    },
    end: () => (ended ??= end()),
    state: () => current.connection.state(),
  };
}
