import { sql } from 'kysely';
import { migrations } from '../migrations/index.ts';
import type { Database } from '../platform/database/database.ts';
import { household, type Row } from './released-household.ts';

// Databases as earlier versions left them: at each released schema, with the household that such a version stored.

const names = Object.keys(migrations);

/** Every schema that a database can be upgraded from. */
export const schemas = names.slice(0, -1);

/** The schema of this version. */
export const newest = names.at(-1) ?? '';

/** Replaces everything in a database with empty tables of a schema. */
export async function createSchema(db: Database, schema: string): Promise<void> {
  await sql`drop schema public cascade`.execute(db);
  await sql`create schema public`.execute(db);
  await sql`create table kysely_migration (name varchar(255) primary key, timestamp varchar(255) not null)`.execute(db);
  await migrateTo(db, schema);
}

/** Runs the migrations up to a schema that a database doesn't have yet. */
export async function migrateTo(db: Database, schema: string): Promise<void> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db);
  const done = new Set(rows.map(({ name }) => name));
  for (const [name, migration] of Object.entries(migrations)) {
    if (name > schema || done.has(name)) continue;
    await migration.up(db);
    await sql`insert into kysely_migration values (${name}, ${'2026-01-01T00:00:00.000Z'})`.execute(db);
  }
}

/** The tables of the app with their columns, in the order of the database. */
export async function columnsByTable(db: Database): Promise<Map<string, string[]>> {
  const { rows } = await sql<{ table: string; columns: string[] }>`
    select table_name as "table", json_agg(column_name order by ordinal_position) as columns
    from information_schema.columns
    where table_schema = 'public' and table_name <> 'kysely_migration'
    group by table_name`.execute(db);
  return new Map(rows.map(({ table, columns }) => [table, columns]));
}

/** Writes the household as the version with this schema stored it. Several have different numbers. */
export async function writeHousehold(db: Database, schema: string, number = 0): Promise<void> {
  const known = await columnsByTable(db);
  for (const { table, from, rows } of household) {
    const columns = known.get(table);
    if (!columns || schema < from) continue;
    for (const row of rows) await writeRow(db, table, columns, numbered(table, row, number));
  }
  for (const [table, columns] of known) {
    if (!columns.includes('id') || ['installation', 'removed_sessions', 'invitations'].includes(table)) continue;
    await sql`
      select setval(pg_get_serial_sequence(${table}, 'id'), greatest(
        (select max(id) from ${sql.table(table)}), ${number * NUMBERS_APART + NUMBERS_APART - 1}))`.execute(db);
  }
}

/** Tables that all households share. */
const SHARED = ['installation', 'dispatcher', 'job_runs'];

/** More than any id of one household. */
const NUMBERS_APART = 1000;

async function writeRow(db: Database, table: string, columns: string[], row: Row): Promise<void> {
  const present = sql.join(columns.filter((column) => Object.hasOwn(row, column)).map((column) => sql.ref(column)));
  const isShared = SHARED.includes(table);
  await sql`
    insert into ${sql.table(table)} (${present}) overriding system value
    select ${present} from json_populate_record(null::${sql.table(table)}, ${JSON.stringify(row)}::json)
    ${isShared ? sql`on conflict do nothing` : sql``}`.execute(db);
}

function numbered(table: string, row: Row, number: number): Row {
  if (SHARED.includes(table)) return row;
  const move = (column: string, value: unknown) =>
    typeof value === 'number' && /(?:^|_)id$/.test(column)
      ? value + number * NUMBERS_APART
      : typeof value === 'string'
        ? value.replaceAll('{n}', number === 0 ? '' : String(number))
        : value;
  return Object.fromEntries(Object.entries(row).map(([column, value]) => [column, move(column, value)]));
}

/** Every row of every table of the app, as JSON has it. */
export async function readRows(db: Database): Promise<Map<string, Row[]>> {
  const tables = new Map<string, Row[]>();
  for (const table of (await columnsByTable(db)).keys()) {
    const { rows } = await sql<{ row: Row }>`select to_jsonb(each) as row from ${sql.table(table)} each`.execute(db);
    tables.set(
      table,
      rows.map(({ row }) => row),
    );
  }
  return tables;
}

/** Returns the earlier rows that a database no longer has: compared are the columns that it still has. */
export function lostRows(
  before: Map<string, Row[]>,
  after: Map<string, Row[]>,
  columns: Map<string, string[]>,
): string[] {
  const lost: string[] = [];
  for (const [table, rows] of before) {
    const kept = columns.get(table);
    if (!kept) continue;
    const names = kept.filter((column) => rows[0] && Object.hasOwn(rows[0], column));
    const written = (row: Row) => JSON.stringify(names.map((name) => row[name]));
    const present = new Set((after.get(table) ?? []).map(written));
    lost.push(
      ...rows
        .map(written)
        .filter((row) => !present.has(row))
        .map((row) => `${table} (${names.join(', ')}): ${row}`),
    );
  }
  return lost;
}
