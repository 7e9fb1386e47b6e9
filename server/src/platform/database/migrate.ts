import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import { migrations } from '../../migrations/index.ts';
import { messageOf } from './error-details.ts';
import { isForbidden, isUnavailable } from './failure.ts';
import { withoutDeadline } from './guarded-pool.ts';
import { onlyRow } from './only-row.ts';
import { StartupError } from '../startup-error.ts';
import type { Database } from './database.ts';
import type { Tables } from '../../schema.ts';
import { transaction } from './transaction.ts';

/** Returns the migrations of this version, in order. */
export const knownMigrations = (): string[] => Object.keys(migrations);

// Ends the name of a migration that breaks versions without the one with this number (docs/decisions/0084-upgrade-tests.md).
const NEEDED = /-needs-(\d{4})$/;

// Any number that nothing else locks.
const LOCK = sql.lit('3853314791062309107');

/**
 * Brings the tables up to date in one transaction, under a database lock: of several servers that start together, one
 * migrates and the others wait. Lock and timeout end with the transaction, so behind a pooler they never reach other
 * clients.
 */
export async function migrate(db: Kysely<Tables>): Promise<void> {
  try {
    await migrateToLatest(db);
  } catch (error) {
    if (isForbidden(error))
      throw new StartupError("The database role can't create tables; make it the owner of the database.", {
        cause: error,
      });
    if (!isUnavailable(error)) throw error;
    throw new StartupError(
      `Can't bring the database up to date (${messageOf(error)}); check that it is running and that its disk has space, then start again.`,
      { cause: error },
    );
  }
}

function migrateToLatest(db: Kysely<Tables>): Promise<void> {
  return withoutDeadline(() =>
    transaction({ db }, async ({ db: trx }) => {
      await lockMigrations(trx);
      const done = await migrationsDone(trx);
      refuseOthers(done);
      await applyMigrations(
        trx,
        knownMigrations().filter((name) => !done.includes(name)),
      );
    }),
  );
}

/** Waits for migrations of other servers, and keeps them waiting until the transaction ends. Its statements may take long. */
export async function lockMigrations(trx: Database): Promise<void> {
  await sql`set local statement_timeout = 0`.execute(trx);
  await sql`select pg_advisory_xact_lock(${LOCK}::bigint)`.execute(trx);
}

/** Runs migrations that haven't been run in this database, in a transaction that has locked them. */
export async function applyMigrations(trx: Database, names: readonly string[]): Promise<void> {
  if (names.length === 0) return;
  await sql`
    create table if not exists kysely_migration (
      name varchar(255) primary key, timestamp varchar(255) not null
    )`.execute(trx);
  for (const name of names) {
    await migrations[name]?.up(trx);
    await sql`insert into kysely_migration values (${name}, ${new Date().toISOString()})`.execute(trx);
  }
}

/**
 * Replaces these tables, with what they contain, by the empty tables of these migrations, in a transaction that has locked
 * migrations.
 */
export async function rebuildTables(
  trx: Database,
  { tables, names }: { tables: readonly string[]; names: readonly string[] },
): Promise<void> {
  const dropped = [...tables, 'kysely_migration'].map((name) => sql.table(name));
  await sql`drop table if exists ${sql.join(dropped)}`.execute(trx);
  await applyMigrations(trx, names);
}

/** Throws a StartupError unless the database has exactly the migrations of this version. */
export async function requireCurrent(db: Database): Promise<void> {
  refuseOthers(await migrationsDone(db));
  if (!(await isUsable(db)))
    throw new StartupError("The database isn't up to date; start HourShare once, then run this again.");
}

/**
 * Returns whether every migration of this version is done, and no later one that breaks it. Later ones come while several
 * servers are upgraded one after another.
 */
export async function isUsable(db: Database): Promise<boolean> {
  const done = await migrationsDone(db);
  return hasAllKnown(done) && done.filter(isUnknown).every(isTolerated);
}

/** Returns a migration that a newer version has done; undefined if there is none. */
export async function findLaterMigration(db: Database): Promise<string | undefined> {
  return (await migrationsDone(db)).find(isUnknown);
}

/** Returns whether no version of HourShare has used the database yet. */
export const isNew = async (db: Database): Promise<boolean> => (await migrationsDone(db)).length === 0;

/** Returns whether a database or backup with these migrations is from before the first release, which has no upgrade. */
export function isUnreleased(done: readonly string[]): boolean {
  const [first] = knownMigrations();
  return done.length > 0 && first !== undefined && !done.includes(first);
}

/** Throws a StartupError if another version of HourShare made or changed the database, and this one can't use it. */
function refuseOthers(done: string[]): void {
  if (isUnreleased(done))
    throw new StartupError(
      "The database was made by an unreleased version of HourShare, which this version can't read; start with an empty database (a new DATA_DIR or DATABASE_URL).",
    );
  const unknown = done.find(isUnknown);
  if (unknown !== undefined) {
    throw new StartupError(
      `The database was last used by a newer version of HourShare (it has ${unknown}); run that version or a later one, or restore an older backup into an empty database (a new DATA_DIR or DATABASE_URL).`,
    );
  }
}

/** Returns whether this version has the migration that an unknown one names; one that names none breaks no earlier version. */
function isTolerated(name: string): boolean {
  const needed = NEEDED.exec(name)?.[1];
  return needed === undefined || knownMigrations().some((known) => known.startsWith(`${needed}-`));
}

const hasAllKnown = (done: string[]) => knownMigrations().every((name) => done.includes(name));
const isUnknown = (name: string) => !knownMigrations().includes(name);

async function migrationsDone(db: Database): Promise<string[]> {
  const { present } = await onlyRow(
    sql<{ present: boolean }>`select to_regclass('kysely_migration') is not null as present`,
    db,
  );
  if (!present) return [];
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
  return rows.map((row) => row.name);
}
