import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Uptime } from '../clock.ts';
import type { Metrics } from '../metrics.ts';
import { oncePerMinute } from '../throttle.ts';
import { DatabaseDeadlineError } from './database-deadline-error.ts';
import type { Database } from './database.ts';
import { codeOf, messageOf } from './error-details.ts';
import { isUnavailable } from './failure.ts';
import { onlyRow } from './only-row.ts';
import type { DatabaseLog, ObserveStatement, OpenDatabase, PoolState } from './open-database.ts';
import { openPostgresql, requireAddress } from './postgresql.ts';

// A replica answers only if it has everything that the primary had when the read began; otherwise, someone who is told that a
// session ended might not find it. Source: docs/decisions/0030-settings-that-do-not-leak.md.

/** How long a read waits until the replica is as new as the primary was when the read began. */
const WAIT_MILLISECONDS = 100;
const POLL_MILLISECONDS = 5;
/** Usually, a commit soon has everything flushed. */
const POLLS_BEFORE_FLUSH = 3;
/** How long the replica isn't tried after it couldn't be used. */
const REST_MILLISECONDS = 5000;

const SETTING = 'DATABASE_REPLICA_URL';
const STATEMENT_CANCELED = '57014';

const READS = 'hourshare_replica_reads_total';
const FALLBACKS = 'hourshare_replica_fallbacks_total';
const NO_POOL: PoolState = { connections: 0, idle: 0, waiting: 0, limit: 0 };

/**
 * Runs work that only reads, on a replica or the database itself. It sees everything that was acknowledged to anyone before
 * the call. The work may run twice, so it must touch nothing but the database it is given.
 */
export type Read = <T>(work: (db: Database) => Promise<T>) => Promise<T>;

export interface Replica {
  read: Read;
  pool: () => PoolState;
  close: () => Promise<void>;
}

interface ReplicaOptions {
  url: string;
  primary: Database;
  poolSize: number;
  /** Whether connections keep prepared statements. */
  prepare: boolean;
  uptime: Uptime;
  log: DatabaseLog;
  metrics: Pick<Metrics, 'count'>;
  observe?: ObserveStatement | undefined;
}

/** Names a state of the primary, and of which cluster, timeline, and database. */
interface Position {
  lsn: string;
  /** Whether replicas can get everything up to there. */
  flushed: boolean;
  cluster: string;
  timeline: string;
  database: string;
}

/**
 * Returns a replica, connected to when it can be; until then, and whenever it isn't current, reads run on the primary. Throws
 * a StartupError if its address is malformed.
 */
export function createReplica({ url, primary, uptime, log, metrics, ...options }: ReplicaOptions): Replica {
  requireAddress(url, SETTING);
  let opening: Promise<void> | undefined;
  let opened: OpenDatabase | undefined;
  let restsUntil = -Infinity;
  let resting = false;

  const warn = oncePerMinute((problem: string, count) =>
    log.warn(`The replica is not used: ${problem}${count > 1 ? ` (${count} times)` : ''}`),
  );
  const rest = (error: unknown) => {
    restsUntil = uptime() + REST_MILLISECONDS;
    resting = true;
    warn(messageOf(error));
  };

  /** Opens the replica in the background, so that neither the start nor a read waits for one that doesn't answer. */
  function open(): void {
    const prefixed = (message: string) => `Replica: ${message}`;
    opening ??= openPostgresql(url, {
      ...options,
      setting: SETTING,
      log: { info: (message) => log.info(prefixed(message)), warn: (message) => log.warn(prefixed(message)) },
    })
      .then((database) => {
        opened = database;
      }, rest)
      .finally(() => (opening = undefined));
  }

  /** Runs work on the replica once it has reached a position; rejects if that takes too long. */
  function readAt<T>(position: Position, { db }: OpenDatabase, work: (db: Database) => Promise<T>): Promise<T> {
    const state = { abandoned: false, problem: 'it did not answer' };
    const late = () => new Error(`${state.problem} within ${WAIT_MILLISECONDS} ms`);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        state.abandoned = true;
        reject(late());
      }, WAIT_MILLISECONDS);
      // One transaction, because another connection may lead to another replica.
      db.transaction()
        .setIsolationLevel('read committed')
        .setAccessMode('read only')
        .execute(async (trx) => {
          for (let poll = 1; !(await hasReached(trx, position)) && !state.abandoned; poll += 1) {
            state.problem = 'it did not have the latest writes';
            if (poll === POLLS_BEFORE_FLUSH && !position.flushed) await flush(primary);
            else await pause(POLL_MILLISECONDS);
          }
          if (state.abandoned) throw late();
          clearTimeout(timer);
          return work(trx);
        })
        .then(resolve, reject)
        .finally(() => clearTimeout(timer));
    });
  }

  /** Returns where the primary is now; undefined if it can't tell. */
  async function currentPosition(): Promise<Position | undefined> {
    try {
      return await readPosition(primary);
    } catch (error) {
      if (isUnavailable(error)) throw error;
      rest(error);
      return undefined;
    }
  }

  /** Returns the replica unless it is being opened or has a rest. */
  function openedReplica(): OpenDatabase | undefined {
    if (uptime() < restsUntil) return undefined;
    if (!opened) open();
    return opened;
  }

  const read: Read = async (work) => {
    const replica = openedReplica();
    const position = replica && (await currentPosition());
    if (position) {
      try {
        const result = await readAt(position, replica, work);
        if (resting) log.info('The replica is used again.');
        resting = false;
        metrics.count(READS);
        return result;
      } catch (error) {
        // Canceled because it took too long, as it would on the primary.
        if (codeOf(error) === STATEMENT_CANCELED) throw error;
        rest(error);
        // No time is left for the primary.
        if (error instanceof DatabaseDeadlineError) throw error;
      }
    }
    metrics.count(FALLBACKS);
    return work(primary);
  };

  open();
  return {
    read,
    pool: () => opened?.pool() ?? NO_POOL,
    close: async () => {
      await opening;
      await opened?.close();
    },
  };
}

async function readPosition(primary: Database): Promise<Position> {
  return onlyRow(
    // What is inserted, because with synchronous_commit off, writes are acknowledged before they are flushed.
    sql<Position>`
      select pg_current_wal_insert_lsn()::text as lsn,
        pg_current_wal_flush_lsn() >= pg_current_wal_insert_lsn() as flushed,
        pg_control_system.system_identifier::text as cluster,
        left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) as timeline,
        (select oid::text from pg_database where datname = current_database()) as database
      from pg_control_system()`,
    primary,
  );
}

/**
 * Has the primary flush what it has inserted. While nothing commits, it would otherwise keep the last part from its replicas for
 * up to 15 seconds: what open transactions wrote, or cleaned up while reading.
 */
async function flush(primary: Database): Promise<void> {
  await sql`
    select set_config('synchronous_commit', 'local', true), pg_logical_emit_message(true, 'hourshare', '')`.execute(
    primary,
  );
}

/** Returns whether a replica has replayed everything up to a position. Throws if it isn't a replica of that database. */
async function hasReached(db: Database, { lsn, cluster, timeline, database }: Position): Promise<boolean> {
  const { standby, same, following, reached } = await onlyRow(
    sql<{ standby: boolean; same: boolean; following: boolean; reached: boolean | null }>`
      select pg_is_in_recovery() as standby,
        pg_control_system.system_identifier::text = ${cluster} and datname = current_database() as same,
        lpad(upper(to_hex(timeline_id)), 8, '0') = ${timeline} as following,
        pg_last_wal_replay_lsn() >= ${lsn}::pg_lsn as reached
      from pg_control_system(), pg_control_checkpoint()
      left join pg_database on oid = ${database}::oid`,
    db,
  );
  if (!standby || !same) throw new Error('it is not a streaming replica of DATABASE_URL');
  // A replica that missed a failover may have writes that the new primary lacks.
  if (!following)
    throw new Error('it has not followed the primary to its timeline, which takes until its next checkpoint');
  return reached === true;
}

/** Registers the figures of a replica, also without one, so that they are always there. */
export function measureReplica(metrics: Metrics, replica: Replica | undefined): void {
  metrics.counter(READS, 'Reads that the replica answered.');
  metrics.counter(FALLBACKS, 'Reads that the primary answered because the replica could not.');
  const pool = () => replica?.pool() ?? NO_POOL;
  metrics.ownGauge(
    'hourshare_replica_pool_connections',
    'Open connections of this server to the replica.',
    () => pool().connections,
  );
  metrics.ownGauge(
    'hourshare_replica_pool_waiting',
    'Reads that wait for a connection to the replica.',
    () => pool().waiting,
  );
}
