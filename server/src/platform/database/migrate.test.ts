import { sql } from 'kysely';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { migrations } from '../../migrations/index.ts';
import { isUsable, migrate, requireCurrent } from './migrate.ts';
import { addMigrations } from './testing/made-up-migrations.ts';
import { openTestDatabase, type TestDatabase } from './testing/test-database.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await openTestDatabase();
});
afterEach(() => database.close());

async function emptyDatabase(): Promise<void> {
  await sql`drop schema public cascade`.execute(database.db);
  await sql`create schema public`.execute(database.db);
}

async function tables(): Promise<unknown[]> {
  const { rows } = await sql`
    select table_name, column_name, data_type, is_nullable, column_default from information_schema.columns
    where table_schema = 'public' order by table_name, ordinal_position`.execute(database.db);
  return rows;
}

async function migrationsDone(): Promise<unknown[]> {
  return (await sql`select name, timestamp from kysely_migration order by name`.execute(database.db)).rows;
}

test('a new database gets every table', async () => {
  const expected = await tables();
  await emptyDatabase();
  expect(await isUsable(database.db)).toBe(false);
  await migrate(database.db);
  expect(await isUsable(database.db)).toBe(true);
  expect(await tables()).toEqual(expected);
});

test('a migrated database stays unchanged', async () => {
  const before = { tables: await tables(), migrationsDone: await migrationsDone() };
  await migrate(database.db);
  await migrate(database.db);
  expect({ tables: await tables(), migrationsDone: await migrationsDone() }).toEqual(before);
});

test('one of two concurrent migrations runs and the other waits', async () => {
  await emptyDatabase();
  await Promise.all([migrate(database.db), migrate(database.db)]);
  expect(await migrationsDone()).toHaveLength(Object.keys(migrations).length);
});

const addMigration = (name: string) =>
  sql`insert into kysely_migration values (${name}, '2030-01-01T00:00:00.000Z')`.execute(database.db);

const newest = Object.keys(migrations).at(-1) ?? '';

test('a database of a newer version is rejected with a message, and stays usable until a migration needs an unknown one', async () => {
  await addMigration('9997-later');
  await addMigration(`9998-drop-earlier-needs-${newest.slice(0, 4)}`);
  expect(await isUsable(database.db)).toBe(true);
  const refusal = {
    name: 'StartupError',
    message:
      'The database was last used by a newer version of HourShare (it has 9997-later); run that version or a later one, or restore an older backup into an empty database (a new DATA_DIR or DATABASE_URL).',
  };
  await expect(migrate(database.db)).rejects.toMatchObject(refusal);
  await expect(requireCurrent(database.db)).rejects.toMatchObject(refusal);

  await addMigration('9999-drop-later-needs-9997');
  expect(await isUsable(database.db)).toBe(false);
});

test("a database with an unknown migration but not all known ones isn't usable", async () => {
  onTestFinished(addMigrations({ '0002-nick': 'alter table users add column nick text' }));
  await addMigration('0003-something-else');
  expect(await isUsable(database.db)).toBe(false);
  await expect(migrate(database.db)).rejects.toThrow('newer version of HourShare (it has 0003-something-else)');
});

test('a database of an unreleased version is rejected with a message, and stays as it is', async () => {
  await sql`update kysely_migration set name = '0001-initial'`.execute(database.db);
  await addMigration('0035-large-installations');
  const before = { tables: await tables(), migrationsDone: await migrationsDone() };
  const refusal = {
    name: 'StartupError',
    message:
      "The database was made by an unreleased version of HourShare, which this version can't read; start with an empty database (a new DATA_DIR or DATABASE_URL).",
  };
  expect(await isUsable(database.db)).toBe(false);
  await expect(migrate(database.db)).rejects.toMatchObject(refusal);
  await expect(requireCurrent(database.db)).rejects.toMatchObject(refusal);
  expect({ tables: await tables(), migrationsDone: await migrationsDone() }).toEqual(before);
});

test("a clock set back since an earlier migration doesn't block the start", async () => {
  await sql`update kysely_migration set timestamp = '2999-01-01T00:00:00.000Z'`.execute(database.db);
  await migrate(database.db);
  expect(await isUsable(database.db)).toBe(true);
});

test('a failed migration leaves nothing behind', async () => {
  await emptyDatabase();
  // Conflicts with a table that the first migration creates after others.
  await sql`create view assets as select 1 as one`.execute(database.db);
  await expect(migrate(database.db)).rejects.toMatchObject({ code: '42P07' });
  const { rows } = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = 'public'`.execute(database.db);
  expect(rows.filter(({ name }) => !name.startsWith('kysely'))).toEqual([]);
  await sql`drop view assets`.execute(database.db);
  await migrate(database.db);
  expect(await isUsable(database.db)).toBe(true);
});

const mira = { username: 'mira', email: 'mira@example.org', time_zone: 'UTC', created_at: new Date(0) };
const ADD_NICK = "alter table users add column nick text not null default ''";

test('an upgrade runs what is new, in order, and keeps existing data', async () => {
  await database.db.insertInto('users').values(mira).execute();
  onTestFinished(addMigrations({ '0002-nick': ADD_NICK, '0003-nicks': 'update users set nick = username' }));
  expect(await isUsable(database.db)).toBe(false);
  await expect(requireCurrent(database.db)).rejects.toThrow(
    "The database isn't up to date; start HourShare once, then run this again.",
  );
  await migrate(database.db);
  expect(await isUsable(database.db)).toBe(true);
  await requireCurrent(database.db);
  const { rows } = await sql`select username, email, nick from users`.execute(database.db);
  expect(rows).toEqual([{ username: 'mira', email: 'mira@example.org', nick: 'mira' }]);
});

test('an upgrade that fails in a later migration undoes those before it', async () => {
  await database.db.insertInto('users').values(mira).execute();
  const before = { tables: await tables(), migrationsDone: await migrationsDone() };
  onTestFinished(addMigrations({ '0002-nick': ADD_NICK, '0003-fails': 'insert into users default values' }));
  await expect(migrate(database.db)).rejects.toMatchObject({ code: '23502' });
  expect({ tables: await tables(), migrationsDone: await migrationsDone() }).toEqual(before);
});
