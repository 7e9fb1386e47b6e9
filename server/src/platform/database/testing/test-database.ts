import { createHash, randomBytes } from 'node:crypto';
import { sql, type Kysely } from 'kysely';
import { PGlite } from '@electric-sql/pglite';
import pg from 'pg';
import { inject } from 'vitest';
import { inMemoryParams } from '../embedded-engine.ts';
import type { ObserveStatement, OpenDatabase } from '../open-database.ts';
import { openPostgresql } from '../postgresql.ts';
import type { Tables } from '../../../schema.ts';
import { overEngine, testOptions } from './over-engine.ts';
import { RowCheck } from './row-check.ts';
import { onServer, readDump, withDatabase } from './templates.ts';

export interface TestDatabase {
  db: Kysely<Tables>;
  engine: OpenDatabase['engine'];
  clock: OpenDatabase['clock'];
  pool: OpenDatabase['pool'];
  rowCheck: RowCheck;
  /** Empties every table and restarts the ids at 1. */
  reset: () => Promise<void>;
  /**
   * Saves what every table contains. Returns a function that restores it if something was written since, much faster than
   * repeating what made it.
   */
  save: () => Promise<() => Promise<void>>;
  /** How many statements have written so far. As long as it's the same number, nothing has changed. */
  writes: () => number;
  /** Throws when raw SQL returned a row that doesn't match its declared type. */
  close: () => Promise<void>;
}

/** Also statements that fail or change nothing. Row locks, as of "for no key update", don't count. */
const WRITE = /\b(?:insert|delete|merge|truncate|copy|setval|alter|create|drop)\b|(?<!\bfor (?:no key )?)\bupdate\b/i;

/**
 * Opens a migrated, empty database: on the PostgreSQL server of TEST_DATABASE_URL, otherwise in memory. Open one per
 * test file (beforeAll), reset it before each test and close it at the end; its connections start with these defaults.
 */
export async function openTestDatabase(defaults: Record<string, string> = {}): Promise<TestDatabase> {
  const template = inject('databaseTemplate');
  let writes = 0;
  const observe: ObserveStatement = (text) => {
    if (WRITE.test(text)) writes += 1;
    return () => undefined;
  };
  const database =
    'dumpFile' in template
      ? await copyInMemory(template.dumpFile, defaults, observe)
      : await copyOnServer(template, defaults, observe);
  const cleaner = database.cleaner ?? {
    writes: 1,
    run: async (statement: string) => void (await sql.raw(statement).execute(database.db)),
  };
  const deletion = await resetStatement(database.db);
  let saves = 0;
  const rowCheck = new RowCheck(inject('rowTypes'));
  return {
    db: database.db.withPlugin(rowCheck),
    engine: database.engine,
    clock: database.clock,
    pool: database.pool,
    rowCheck,
    reset: () => {
      writes += 1;
      return cleaner.run(deletion);
    },
    save: async () => {
      const insertion = await save(database.db, `saved_${(saves += 1)}`);
      let unchangedAt = writes;
      return async () => {
        if (writes === unchangedAt) return;
        // What the server writes meanwhile counts as a change.
        unchangedAt = writes + 2 * cleaner.writes;
        await cleaner.run(deletion);
        await cleaner.run(insertion);
      };
    },
    writes: () => writes,
    close: async () => {
      await database.close();
      const problems = [...rowCheck.problems];
      if (problems.length > 0)
        throw new Error(`Raw SQL returned rows that don't match their declared types:\n${problems.join('\n')}`);
    },
  };
}

interface TestCopy extends OpenDatabase {
  /** Replaces rows without checking what refers to them; undefined where the user mayn't. `writes` is what a statement counts as. */
  cleaner?: { writes: number; run: (statement: string) => Promise<void> } | undefined;
}

async function copyInMemory(
  dumpFile: string,
  defaults: Record<string, string>,
  observe: ObserveStatement,
): Promise<TestCopy> {
  const engine = await PGlite.create({ loadDataDir: await readDump(dumpFile), startParams: inMemoryParams });
  for (const [setting, value] of Object.entries(defaults)) await engine.exec(`set ${setting} = '${value}'`);
  return overEngine(engine, observe);
}

async function copyOnServer(
  { databaseUrl, template }: { databaseUrl: string; template: string },
  defaults: Record<string, string>,
  observe: ObserveStatement,
): Promise<TestCopy> {
  const name = `hourshare_test_${randomBytes(6).toString('hex')}`;
  await onServer(databaseUrl, `create database ${name} template ${template}`);
  for (const [setting, value] of Object.entries(defaults))
    await onServer(databaseUrl, `alter database ${name} set ${setting} = '${value}'`);
  const database = await openPostgresql(withDatabase(databaseUrl, name), { ...testOptions, observe });
  const pool = await openCleaner(database.db, withDatabase(databaseUrl, name));
  return {
    ...database,
    cleaner: pool && {
      writes: 0,
      run: async (text) => void (await pool.query({ name: createHash('sha1').update(text).digest('hex'), text })),
    },
    close: async () => {
      await pool?.end();
      await database.close();
      await onServer(databaseUrl, `drop database ${name} with (force)`);
    },
  };
}

/**
 * Returns a connection that neither checks foreign keys nor follows them, which takes most of the time of replacing rows; or
 * undefined if only the server's administrator may. Not one of the app's, because changing this setting discards its plans.
 */
async function openCleaner(db: Kysely<Tables>, connectionString: string): Promise<pg.Pool | undefined> {
  const { rows } = await sql<{ allowed: boolean }>`
    select current_setting('is_superuser')::boolean as allowed`.execute(db);
  if (!rows[0]?.allowed) return undefined;
  const options = '-c session_replication_role=replica';
  const pool = new pg.Pool({ connectionString, options, max: 1, idleTimeoutMillis: 0 });
  // Tests end the connections to their database, and it gets another one.
  return pool.on('error', () => undefined);
}

/** Deletes rows instead of truncating, which takes several times as long for the few rows of a test. */
async function save(db: Kysely<Tables>, schema: string): Promise<string> {
  const { rows: all } = await sql<{ name: string }>`
    select quote_ident(tablename) as name from pg_tables
    where schemaname = 'public' and tablename not like 'kysely_migration%'`.execute(db);
  const { rows: sequences } = await sql<{ name: string; last: string | null }>`
    select quote_literal(quote_ident(sequencename)) as name, last_value::text as last
    from pg_sequences where schemaname = 'public'`.execute(db);
  await sql`create schema ${sql.ref(schema)}`.execute(db);
  for (const { name } of all) await sql.raw(`create table ${schema}.${name} as table public.${name}`).execute(db);
  const { rows: filled } = await sql
    .raw<{ index: number }>(
      all.map(({ name }, index) => `select ${index} as index where exists (select from ${name})`).join(' union all '),
    )
    .execute(db);
  const tables = filled.map(({ index }) => all[index]!);
  // One statement, as below.
  const insertions = tables.map(
    ({ name }, index) =>
      `inserted_${index} as (insert into public.${name} overriding system value select * from ${schema}.${name})`,
  );
  const restarts = sequences.map(({ name, last }) => `setval(${name}, ${last ?? 1}, ${last !== null})`);
  return `with ${insertions.join(', ')} select ${restarts.join(', ')}`;
}

async function resetStatement(db: Kysely<Tables>): Promise<string> {
  const { rows: tables } = await sql<{ name: string }>`
    select quote_ident(tablename) as name from pg_tables
    where schemaname = 'public' and tablename not like 'kysely_migration%'`.execute(db);
  const { rows: sequences } = await sql<{ name: string }>`
    select quote_literal(quote_ident(sequencename)) as name from pg_sequences where schemaname = 'public'`.execute(db);
  // One statement, so that foreign keys are only checked at its end.
  const deletions = tables.map(({ name }, index) => `deleted_${index} as (delete from ${name})`);
  const restarts = sequences.map(({ name }) => `setval(${name}, 1, false)`);
  return `with ${deletions.join(', ')} select ${restarts.join(', ')}`;
}
