import { sql, type Kysely } from 'kysely';
import type { DatabaseLog } from './open-database.ts';
import { onlyRow } from './only-row.ts';
import type { Tables } from '../../schema.ts';

// A PostgreSQL server has background processes for this; the embedded engine doesn't. Without checkpoints its log
// would grow and be replayed in full after a crash; without vacuum its tables would only grow.

const everyMs = 60_000;
// How much log is replayed after a crash, in a fraction of a second. Even reads write some of it (hint bits).
const checkpointAfterBytes = 1_000_000;

/** Runs maintenance every minute. Returns a function that stops it. */
export function startUpkeep(db: Kysely<Tables>, log: DatabaseLog): () => Promise<void> {
  let running: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    running = tidy(db).catch((error: Error) => log.warn(`The embedded database can't be tidied: ${error.message}`));
  }, everyMs).unref();
  return () => {
    clearInterval(timer);
    return running;
  };
}

/** Vacuums the tables that need it, and makes a checkpoint when enough has been written since the last one. */
export async function tidy(db: Kysely<Tables>): Promise<void> {
  // Autovacuum's thresholds: 50 rows and a fifth of the table dead, or a tenth changed since it was analyzed.
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_stat_user_tables
    where n_dead_tup > 50 + 0.2 * n_live_tup or n_mod_since_analyze > 50 + 0.1 * n_live_tup`.execute(db);
  for (const { name } of rows) await sql`vacuum (analyze) ${sql.table(name)}`.execute(db);
  const { behind } = await onlyRow(
    sql<{ behind: number }>`
      select (pg_current_wal_insert_lsn() - checkpoint_lsn)::bigint as behind from pg_control_checkpoint()`,
    db,
  );
  if (behind > checkpointAfterBytes) await sql`checkpoint`.execute(db);
}
