import { sql, type Kysely } from 'kysely';
import type { DatabaseLog } from './open-database.ts';
import { onlyRow } from './only-row.ts';
import type { Tables } from '../../schema.ts';

// A PostgreSQL server has background processes for this, the embedded engine has none: without checkpoints its log
// would grow until it is closed and be read again in full after a crash; without vacuum its tables would only grow.

const everyMs = 60_000;
// What is read again after a crash: a small part of a second. Even reading writes some (hint bits are in the log).
const checkpointAfterBytes = 1_000_000;

/** Does what is due, every minute; the function it gives stops that. */
export function keepUp(db: Kysely<Tables>, log: DatabaseLog): () => Promise<void> {
  let running: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    running = tidy(db).catch((error: Error) => log.warn(`The embedded database can't be tidied: ${error.message}`));
  }, everyMs).unref();
  return () => {
    clearInterval(timer);
    return running;
  };
}

/** Vacuums the tables that need it and makes a checkpoint if enough was written since the last. */
export async function tidy(db: Kysely<Tables>): Promise<void> {
  // When a server's autovacuum would: 50 rows and a fifth of the table dead, or a tenth changed since it was analysed.
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
