import { Migrator, sql } from 'kysely';
import type { Kysely } from 'kysely';
import { migrations } from '../../migrations/index.ts';
import { messageOf } from './error-details.ts';
import { withoutDeadline } from './guarded-pool.ts';
import { onlyRow } from './only-row.ts';
import { StartupError } from '../startup-error.ts';
import type { Database, Tables } from './tables.ts';

const known = Object.keys(migrations);

/**
 * Brings the tables up to date. All pending migrations happen in one transaction, under a lock of the database: of
 * several servers that start together, one migrates and the others wait for it.
 */
export function migrate(db: Kysely<Tables>): Promise<void> {
  return withoutDeadline(() =>
    db.connection().execute(async (connection) => {
      await refuseNewer(connection);
      const { timeout } = await onlyRow(
        sql<{ timeout: string }>`select current_setting('statement_timeout') as timeout`,
        connection,
      );
      await sql`set statement_timeout = 0`.execute(connection);
      try {
        const { error } = await migratorOf(connection).migrateToLatest();
        if (error !== undefined) throw error instanceof Error ? error : new Error(messageOf(error));
      } finally {
        await sql`select set_config('statement_timeout', ${timeout}, false)`.execute(connection);
      }
    }),
  );
}

/** Whether every migration of this code has been done, and none that it doesn't know. */
export async function isCurrent(db: Database): Promise<boolean> {
  const done = await migrationsDone(db);
  return done.length === known.length && done.every((name) => known.includes(name));
}

function migratorOf(db: Kysely<Tables>): Migrator {
  return new Migrator({
    db,
    provider: { getMigrations: async () => migrations },
    // The order is that of the names. The check this turns off goes by the time of day at which each was done, and
    // would refuse to start after the clock had been set back between two of them.
    allowUnorderedMigrations: true,
  });
}

async function refuseNewer(db: Database): Promise<void> {
  const unknown = (await migrationsDone(db)).find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw new StartupError(
      `The database was last used by a newer HourShare (it has ${unknown}); start that version or a later one, or restore a backup made before it.`,
    );
  }
}

async function migrationsDone(db: Database): Promise<string[]> {
  const { present } = await onlyRow(
    sql<{ present: boolean }>`select to_regclass('kysely_migration') is not null as present`,
    db,
  );
  if (!present) return [];
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
  return rows.map((row) => row.name);
}
