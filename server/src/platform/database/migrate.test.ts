import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { migrations } from '../../migrations/index.ts';
import { isCurrent, migrate } from './migrate.ts';
import { openTestDatabase, type TestDatabase } from './testing/test-database.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await openTestDatabase();
});
afterEach(() => database.close());

async function becomeNew(): Promise<void> {
  await sql`drop schema public cascade`.execute(database.db);
  await sql`create schema public`.execute(database.db);
}

async function tables(): Promise<unknown[]> {
  const { rows } = await sql`
    select table_name, column_name, data_type, is_nullable, column_default from information_schema.columns
    where table_schema = 'public' order by table_name, ordinal_position`.execute(database.db);
  return rows;
}

async function done(): Promise<unknown[]> {
  return (await sql`select name, timestamp from kysely_migration order by name`.execute(database.db)).rows;
}

test('a new database gets every table', async () => {
  const expected = await tables();
  await becomeNew();
  expect(await isCurrent(database.db)).toBe(false);
  await migrate(database.db);
  expect(await isCurrent(database.db)).toBe(true);
  expect(await tables()).toEqual(expected);
});

test('a migrated database stays as it is', async () => {
  const before = { tables: await tables(), done: await done() };
  await migrate(database.db);
  await migrate(database.db);
  expect({ tables: await tables(), done: await done() }).toEqual(before);
});

test('of two that migrate at once one does it and the other waits', async () => {
  await becomeNew();
  await Promise.all([migrate(database.db), migrate(database.db)]);
  expect(await done()).toHaveLength(Object.keys(migrations).length);
});

test('a database of a newer version is refused with a sentence, and is not current', async () => {
  await sql`insert into kysely_migration values ('9999-later', '2030-01-01T00:00:00.000Z')`.execute(database.db);
  expect(await isCurrent(database.db)).toBe(false);
  await expect(migrate(database.db)).rejects.toMatchObject({
    name: 'StartupError',
    message:
      'The database was last used by a newer HourShare (it has 9999-later); start that version or a later one, or restore a backup made before it.',
  });
});

test('a clock set back since an earlier migration does not stop the start', async () => {
  await sql`update kysely_migration set timestamp = '2999-01-01T00:00:00.000Z'`.execute(database.db);
  await migrate(database.db);
  expect(await isCurrent(database.db)).toBe(true);
});

test('a migration that fails leaves nothing behind', async () => {
  await becomeNew();
  // In the way of the first migration's third table.
  await sql`create view assets as select 1 as one`.execute(database.db);
  await expect(migrate(database.db)).rejects.toMatchObject({ code: '42P07' });
  const { rows } = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = 'public'`.execute(database.db);
  expect(rows.filter(({ name }) => !name.startsWith('kysely'))).toEqual([]);
  await sql`drop view assets`.execute(database.db);
  await migrate(database.db);
  expect(await isCurrent(database.db)).toBe(true);
});
